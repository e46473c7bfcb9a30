#include "report/linearise.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "core/happens_before.hpp"

namespace mazurka::report {
namespace {

constexpr std::size_t kWidth = 4096;  // sets of steps kept per number of blocks

class Lineariser {
 public:
  Lineariser(const std::vector<Event>& events, bool last_stays) : events_(events), last_stays_(last_stays) {
    before_.assign(events);
    std::map<ProcessIndex, std::size_t> columns;
    for (const Event& event : events) columns.try_emplace(event.process, 0);
    for (auto& [process, column] : columns) {
      column = processes_.size();
      processes_.push_back(process);
    }
    lists_.resize(processes_.size());
    for (EventIndex i = 0; i < events.size(); ++i) lists_[columns.at(events[i].process)].push_back(i);
  }

  std::vector<Step> run(const std::function<bool()>& stop) {
    nodes_.push_back({std::vector<std::uint32_t>(processes_.size()), 0, 0, 0});
    std::vector<std::size_t> level{0};
    std::set<std::vector<std::uint32_t>> seen;
    while (nodes_[level.front()].total != events_.size()) {
      std::vector<std::size_t> next;
      if (stop()) return {};
      for (std::size_t parent : level)
        for (std::size_t p = 0; p < processes_.size(); ++p) {
          Node node = block(parent, p);
          if (node.total == nodes_[parent].total || !seen.insert(node.counts).second) continue;
          next.push_back(nodes_.size());
          nodes_.push_back(std::move(node));
        }
      std::stable_sort(next.begin(), next.end(),
                       [&](std::size_t a, std::size_t b) { return nodes_[a].total > nodes_[b].total; });
      if (next.size() > kWidth) next.resize(kWidth);
      level = std::move(next);
    }
    return schedule(level.front());
  }

 private:
  struct Node {
    std::vector<std::uint32_t> counts;  ///< how many events of each process are done
    std::size_t parent;
    std::size_t process;  ///< whose block led here
    std::size_t total;
  };

  bool ready(const Node& node, EventIndex event) const {
    if (last_stays_ && event + 1 == events_.size() && node.total + 1 != events_.size()) return false;
    for (std::size_t p = 0; p < processes_.size(); ++p)
      if (processes_[p] != events_[event].process && before_.seen(event, processes_[p]) > node.counts[p]) return false;
    return true;
  }

  Node block(std::size_t parent, std::size_t p) const {
    Node node = nodes_[parent];
    node.parent = parent;
    node.process = p;
    while (node.counts[p] < lists_[p].size() && ready(node, lists_[p][node.counts[p]])) {
      ++node.counts[p];
      ++node.total;
    }
    return node;
  }

  std::vector<Step> schedule(std::size_t end) const {
    std::vector<Step> steps;
    for (std::size_t n = end; n != 0; n = nodes_[n].parent) {
      const std::size_t p = nodes_[n].process;
      for (std::uint32_t i = nodes_[n].counts[p]; i-- > nodes_[nodes_[n].parent].counts[p];)
        steps.push_back(events_[lists_[p][i]].step());
    }
    std::reverse(steps.begin(), steps.end());
    return steps;
  }

  const std::vector<Event>& events_;
  bool last_stays_;
  HappensBefore before_;
  std::vector<ProcessIndex> processes_;
  std::vector<std::vector<EventIndex>> lists_;  ///< the events of each
  std::vector<Node> nodes_;
};

}  // namespace

std::vector<Step> linearise(const std::vector<Event>& events, bool last_stays, const std::function<bool()>& stop) {
  return events.empty() ? std::vector<Step>{} : Lineariser(events, last_stays).run(stop);
}

}  // namespace mazurka::report
