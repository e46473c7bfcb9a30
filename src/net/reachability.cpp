#include "net/reachability.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "core/interrupt.hpp"

namespace mazurka::net {

std::string unsafe_message(const Net& net, const Unsafe& unsafe) {
  return fmt::format("the net is not 1-safe: place '{}' gets a second token when these fire in order: {}",
                     net.place(unsafe.place).name, names_of(net, unsafe.sequence));
}

ReachabilityGraph::ReachabilityGraph(const Net& net, const Limits& limits)
    : markings_(words_for(net.places().size())), fired_(net.transitions().size()) {
  explore(net, limits);
}

void ReachabilityGraph::explore(const Net& net, const Limits& limits) {
  const Simulator simulator(net);
  markings_.insert(simulator.initial());
  origins_.push_back({0, 0});
  std::vector<Word> current;
  std::vector<Word> next;
  // Markings are numbered in order of discovery, so the set itself is the breadth-first queue.
  for (std::uint32_t m = 0; m < markings_.size(); ++m) {
    if (interrupted() || markings_.size() > limits.markings) return;
    constexpr std::uint32_t kNowAndThen = 1024;
    if (limits.watch && m % kNowAndThen == 0) limits.watch(*this);
    current.assign(markings_[m].begin(), markings_[m].end());
    bool stuck = true;
    for (TransitionId t = 0; t < net.transitions().size(); ++t) {
      if (!simulator.enabled(current, t)) continue;
      stuck = false;
      fired_[t] = true;
      ++edges_;
      next = current;
      if (const auto overflow = simulator.fire(next, t)) {
        unsafe_ = Unsafe{overflow->place, path_to(m)};
        unsafe_->sequence.push_back(t);
        return;
      }
      if (markings_.insert(next).second) origins_.push_back({m, t});
    }
    if (stuck && !(limits.is_end && limits.is_end(current))) ++deadlocks_;
  }
  complete_ = true;
}

std::vector<TransitionId> ReachabilityGraph::path_to(std::uint32_t marking) const {
  std::vector<TransitionId> path;
  for (std::uint32_t m = marking; m != 0; m = origins_[m].marking) path.push_back(origins_[m].transition);
  std::reverse(path.begin(), path.end());
  return path;
}

}  // namespace mazurka::net
