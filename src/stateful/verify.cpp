#include "stateful/verify.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "stateful/graph.hpp"

namespace mazurka::stateful {
namespace {

class Verifier {
 public:
  Verifier(const GraphExplorer& explorer, const FirstSets& first_sets)
      : explorer_(explorer), nodes_(explorer.nodes()), product_(explorer.product()), first_sets_(first_sets) {}

  /// Empty if there is none.
  std::string problem() const {
    if (std::string p = unsound_root(); !p.empty()) return p;
    for (NodeId n = 0; n < nodes_.size(); ++n) {
      if (std::string p = unsound_edge(n); !p.empty()) return p;
      if (std::string p = uncovered(n); !p.empty()) return p;
    }
    return terminal_states();
  }

 private:
  std::string names(const std::vector<ActionId>& actions) const {
    std::vector<std::string> result;
    result.reserve(actions.size());
    for (ActionId a : actions) result.push_back(product_.network().action_name(a));
    return fmt::format("{{{}}}", fmt::join(result, ", "));
  }
  std::string place(NodeId n) const { return fmt::format("node {}, after {}", n, names(explorer_.run_to(n))); }

  std::string unsound_root() const {
    const auto initial = product_.initial();
    if (std::equal(initial.begin(), initial.end(), nodes_.state(0))) return {};
    return "unsound: the root is not the initial state";
  }

  std::string unsound_edge(NodeId n) const {
    std::vector<std::uint64_t> successor;
    for (const GraphExplorer::Edge& edge : explorer_.edges(n)) {
      successor.assign(nodes_.state(n), nodes_.state(n) + product_.layout().words());
      if (!product_.take(successor.data(), edge.action) ||
          !std::equal(successor.begin(), successor.end(), nodes_.state(edge.target)))
        return fmt::format("unsound: {} has an edge by {} to node {}, which is no transition of the system", place(n),
                           product_.network().action_name(edge.action), edge.target);
    }
    return {};
  }

  bool meets_sleep(NodeId n, const FirstSets::Set& set, ActionId except) const {
    const Word* sleep = nodes_.sleep(n);
    return sleep != nullptr &&
           std::any_of(set.begin(), set.end(), [&](ActionId a) { return a != except && has_bit(sleep, a); });
  }

  bool dependent_asleep(NodeId n, ActionId a) const {
    const Word* sleep = nodes_.sleep(n);
    if (sleep == nullptr) return false;
    const network::Network& network = product_.network();
    bool found = false;
    for_each_bit(std::span(sleep, words_for(network.actions().size())),
                 [&](ActionId b) { found = found || network.dependent(a, b); });
    return found;
  }

  std::string uncovered(NodeId n) const {
    constexpr auto kNoAction = UINT32_MAX;
    for (FirstSets::SetId id : first_sets_.of(nodes_.state(n))) {
      const FirstSets::Set& first = first_sets_.set(id);
      if (first.empty() || meets_sleep(n, first, kNoAction)) continue;
      const auto edges = explorer_.edges(n);
      const bool covered = std::any_of(edges.begin(), edges.end(), [&](const GraphExplorer::Edge& edge) {
        return std::binary_search(first.begin(), first.end(), edge.action) &&
               !meets_sleep(edge.target, first, edge.action) && !dependent_asleep(edge.target, edge.action);
      });
      if (!covered)
        return fmt::format("incomplete: {} does not explore the runs whose first actions are {}", place(n),
                           names(first));
    }
    return {};
  }

  /// Implied by the rest, but the part that users rely on: terminal states are neither lost nor invented.
  std::string terminal_states() const {
    const auto order = postorder(explorer_);
    const auto dead = dead_nodes(explorer_, order);
    if (dead[0]) return "incomplete: no terminal state is reached";
    const std::uint64_t found = explorer_.statistics().terminal;
    if (found == first_sets_.terminal_states()) return {};
    return fmt::format("incomplete: {} terminal states of {} are reached", found, first_sets_.terminal_states());
  }

  const GraphExplorer& explorer_;
  const NodeStore& nodes_;
  const network::Product& product_;
  const FirstSets& first_sets_;
};

}  // namespace

Verification verify_reduction(const GraphExplorer& explorer, const FirstSets& first_sets) {
  using Status = Verification::Status;
  if (!first_sets.complete())
    return {Status::TooLarge, "the full system is too large to compute the first sets of all its runs",
            first_sets.states(), first_sets.distinct_sets()};
  std::string problem = Verifier(explorer, first_sets).problem();
  const Status status = problem.empty() ? Status::Holds : Status::Fails;
  return {status, std::move(problem), first_sets.states(), first_sets.distinct_sets()};
}

Verification verify_reduction(const GraphExplorer& explorer, FirstSetLimits limits) {
  return verify_reduction(explorer, FirstSets(explorer.product(), limits));
}

}  // namespace mazurka::stateful
