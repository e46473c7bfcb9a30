#include "report/json.hpp"

namespace mazurka::report {

nlohmann::ordered_json json(const Executor& executor, const Execution& execution, const std::string& replay) {
  using Json = nlohmann::ordered_json;
  Json error{{"kind", execution.error_kind}, {"message", execution.message}, {"replay", replay}};
  Json& events = error["events"] = Json::array();
  const auto step = [&](ProcessIndex process, const Operation& operation, std::uint64_t site) {
    Json entry{{"process", executor.process_name(process)}, {"operation", executor.describe(operation)}};
    if (const std::string source = executor.source(site); !source.empty()) entry["source"] = source;
    return entry;
  };
  for (const Event& event : execution.events) {
    events.push_back(step(event.process, event.operation, event.site));
    if (event.alternative != 0) events.back()["alternative"] = event.alternative;
  }
  Json& waiting = error["waiting"] = Json::array();
  for (const Offer& offer : execution.pending) {
    if (offer.enabled) continue;
    waiting.push_back(step(offer.process, offer.operation, offer.site));
    if (offer.holder != kNoProcess) waiting.back()["holder"] = executor.process_name(offer.holder);
  }
  if (!execution.warnings.empty()) error["warnings"] = execution.warnings;
  return error;
}

}  // namespace mazurka::report
