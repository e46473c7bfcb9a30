// Errors as JSON: the objects of the key `errors`.
#pragma once

#include <nlohmann/json.hpp>

#include "core/executor.hpp"

namespace mazurka::report {

/// `{kind, message, replay, events: [{process, operation, source}], waiting: [{process, operation, source, holder}]}`;
/// `source` where there is code, `holder` where one is known, `alternative` where it is not the first.
nlohmann::ordered_json json(const Executor& executor, const Execution& execution, const std::string& replay);

}  // namespace mazurka::report
