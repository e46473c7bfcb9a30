#include "cli/cut_places.hpp"

#include <algorithm>
#include <utility>

#include "core/interrupt.hpp"

namespace mazurka::cli {
namespace {

constexpr std::size_t kMostPlaces = 256;
constexpr std::size_t kMostNamed = 3;
constexpr std::size_t kLongestSample = 4096;  // steps
constexpr std::size_t kQuickSample = 256;

}  // namespace

void CutPlaces::add(const Execution& execution) {
  const std::vector<Offer>& pending = execution.pending;
  // Where the whole execution was too long, the thread that moved last would have gone on.
  const bool all = execution.stopped_by == 0 || (execution.stopped_by & kStoppedByLength) != 0;
  const ProcessIndex last = execution.events.empty() ? kNoProcess : execution.events.back().process;
  for (std::size_t i = 0; i < pending.size(); ++i) {
    const bool is_first = i == 0 || pending[i - 1].process != pending[i].process;
    if (is_first && (pending[i].stopped || (all && pending[i].process == last))) add(execution, i);
  }
}

void CutPlaces::add(const Execution& execution, std::size_t pending) {
  const Offer& offer = execution.pending[pending];
  const bool creates = offer.operation.kind == OperationKind::ThreadCreate &&
                       (execution.stopped_by & (kStoppedByThreads | kStoppedByTable)) != 0;
  const Key key{offer.site, offer.site == 0 ? offer.process : kNoProcess, creates};
  auto place = found_.find(key);
  if (place == found_.end()) {
    if (found_.size() == kMostPlaces) return;
    place = found_.emplace(key, Found{}).first;
    if (offer.site != 0 && execution.events.size() <= kLongestSample) {
      place->second.sample = execution;
      place->second.pending = pending;
    }
  }
  ++place->second.executions;
}

report::CutPlace CutPlaces::describe(System& system, const Key& key, const Found& found) {
  report::CutPlace result;
  result.creates_thread = key.creates_thread;
  result.executions = found.executions;
  std::uint64_t site = key.site;
  // Whoever interrupted it, or set a time limit, does not want to wait for an execution that takes long.
  const bool is_quick = !interrupted() || found.sample.events.size() <= kQuickSample;
  if (system.names().place(site).in_foreign_header() && found.sample.outcome == Outcome::Limit && is_quick) {
    Execution sample = found.sample;
    sample.outcome = Outcome::Stopped;  // as it is when it is repeated up to here
    site = system.prepared_for_report(std::move(sample)).pending[found.pending].site;
  }
  result.place = system.names().place(site);
  result.text = site == 0 ? system.names().process_name(key.process) : to_string(result.place);
  return result;
}

std::vector<report::CutPlace> CutPlaces::most_frequent(System& system) const {
  std::vector<std::pair<Key, const Found*>> order;
  for (const auto& [key, found] : found_) order.emplace_back(key, &found);
  std::ranges::stable_sort(order,
                           [](const auto& a, const auto& b) { return a.second->executions > b.second->executions; });
  std::vector<report::CutPlace> places;
  for (const auto& [key, found] : order) {
    if (places.size() == kMostNamed) break;
    report::CutPlace place = describe(system, key, *found);
    if (!place.text.empty()) places.push_back(std::move(place));
  }
  return places;
}

}  // namespace mazurka::cli
