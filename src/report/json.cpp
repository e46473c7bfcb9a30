#include "report/json.hpp"

namespace mazurka::report {

nlohmann::ordered_json json(const Executor& executor, const Execution& execution, const std::string& replay) {
  using Json = nlohmann::ordered_json;
  Json error{{"kind", execution.error_kind}, {"message", execution.message}, {"replay", replay}};
  Json& events = error["events"] = Json::array();
  for (const Event& event : execution.events)
    events.push_back({{"process", executor.process_name(event.process)},
                      {"alternative", event.alternative},
                      {"operation", executor.describe(event.operation)}});
  Json& waiting = error["waiting"] = Json::array();
  for (const Offer& offer : execution.pending)
    if (!offer.enabled)
      waiting.push_back(
          {{"process", executor.process_name(offer.process)}, {"operation", executor.describe(offer.operation)}});
  return error;
}

}  // namespace mazurka::report
