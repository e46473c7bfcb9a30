// Failures as JSON: the objects of the key `errors`. docs/reports.md lists their keys.
#pragma once

#include <nlohmann/json.hpp>

#include "report/reach.hpp"
#include "report/story.hpp"

namespace mazurka::report {

nlohmann::ordered_json json(const Story& story);
/// The object of the key `reach`.
nlohmann::ordered_json json(const Reach& reach);

}  // namespace mazurka::report
