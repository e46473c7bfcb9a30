// Errors as JSON: the objects of the key `errors`.
#pragma once

#include <nlohmann/json.hpp>

#include "core/executor.hpp"

namespace mazurka::report {

/// `{kind, message, replay, events: [{process, operation}], waiting: [{process, operation}]}`.
nlohmann::ordered_json json(const Executor& executor, const Execution& execution, const std::string& replay);

}  // namespace mazurka::report
