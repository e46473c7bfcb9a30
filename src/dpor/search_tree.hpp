// The part of the tree of all executions that is being explored: a node for each prefix E below which something is left
// to do, with its sleep set, what was begun there and what is planned (docs/dpor.md, *In any order*).
//
// The papers explore one child of a prefix after the other. Here several may be under way at once: each has those begun
// before it in its sleep set, whether they are finished or not. What an older child finds for a younger one, which
// would be planned below it in the papers, goes to the younger one's node.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dpor/overtaken.hpp"
#include "dpor/wakeup_tree.hpp"

namespace mazurka::dpor {

class SearchTree {
 public:
  using Index = std::uint32_t;
  static constexpr Index kNone = UINT32_MAX;
  static constexpr Index kRoot = 0;

  struct Node {
    LabelledStep step;  ///< the last of the prefix; of the root none
    Index parent = kNone;
    std::uint32_t depth = 0;      ///< the length of the prefix
    std::uint32_t place = 0;      ///< of `step` in the parent's `sleep`
    std::uint32_t users = 0;      ///< children that are active, and executions that were asked for
    std::uint32_t inherited = 0;  ///< how many of `sleep` are from the parent
    std::uint32_t oldest = 0;     ///< of `children`: those before it are done and forgotten
    std::uint32_t switches = 0;
    std::uint32_t unseen = 0;                         ///< children begun that no execution has taken yet
    WakeupTrees::Index planned = WakeupTrees::kNone;  ///< wut(E) without what was begun: its first child
    bool waits = false;                               ///< it is among those with something planned
    bool is_unseen = false;                           ///< it is one of its parent's `unseen`
    bool rests = false;                               ///< nothing is left to do below, as far as is known
    std::vector<LabelledStep> sleep;                  ///< sleep(E), then the children that were begun
    std::vector<Overtaken> overtaken;                 ///< beside `sleep`, with observers only
    std::vector<Index> children;                      ///< that were begun; kNone if they are done and forgotten
  };

  /// With observers, a step sleeps as long as it is a weak initial of what follows the prefix where it was explored
  /// (Def. 3 of *Optimal DPOR with Observers*); else until a step depends on it.
  explicit SearchTree(bool observers, std::size_t explorers = 1)
      : observers_(observers), nodes_(1), waiting_(explorers) {}

  Node& operator[](Index index) { return nodes_[index]; }
  const Node& operator[](Index index) const { return nodes_[index]; }

  /// Goes one step further: sleep(E.p) = { q in sleep(E) : q independent of p }, and p sleeps after E from now on.
  Index begin(Index parent, const LabelledStep& step, WakeupTrees::Index planned = WakeupTrees::kNone);
  /// Begins the first sequence that is planned after a prefix, to its leaf. \pre There is one.
  Index begin_planned(Index node);
  /// Plans v after E, where no step that sleeps before place `from` is a weak initial of it: below a child that was
  /// begun, or below one that is planned, or as a new one.
  Planned insert(Index node, std::size_t from, std::vector<LabelledStep>& v);
  /// The step that leads to this node made the program fail.
  void mark_fatal(Index node);
  /// Some execution has taken the steps that lead to this node, from this depth on.
  void mark_seen(Index node, std::uint32_t from);

  /// Makes `path`, the prefixes of some node, by their length, those of another one. Returns how many steps the two
  /// share.
  std::size_t go_to(Index node, std::vector<Index>& path) const;

  void keep(Index node) { ++nodes_[node].users; }
  /// Undoes keep().
  void let_go(Index node) { --nodes_[node].users; }
  /// Removes what nobody needs any more, from this node on upwards.
  void clean_up(Index node);
  /// The nodes that were removed since this was last called: their numbers will be used again.
  template <class Visit>
  void take_removed(Visit&& visit) {
    for (const Index node : removed_) visit(node);
    free_.insert(free_.end(), removed_.begin(), removed_.end());
    removed_.clear();
  }

  /// What is planned from now on waits for this explorer first.
  void plan_for(std::uint32_t explorer) { explorer_ = explorer; }
  /// Makes known that something is planned after a prefix.
  void wait(Index node);
  /// The longest prefix with something planned of those that wait for this explorer; if there is none and it may take
  /// others', the shortest of those that wait for another. kNone if there is none either. Prefixes that cannot go on
  /// yet are left out.
  Index next_waiting(std::uint32_t explorer, bool takes_others);
  bool has_waiting() const { return waiting_count_ > 0; }
  /// The length of the longest prefix with something planned, of the first explorer. \pre There is one.
  std::size_t deepest_waiting() { return waiting_[0].deepest(); }

  /// With observers: what the states of `overtaken` refer to.
  OvertakingMessages& messages() { return messages_; }

  WakeupTrees trees;

 private:
  /// Forgets the messages that no node refers to any more, if there may be many.
  void tidy_messages();
  bool is_active(const Node& node) const { return node.users > 0 || node.planned != WakeupTrees::kNone; }
  /// Whether nothing can come from older nodes any more.
  bool is_sealed(Index node) const;
  /// Forgets the children that nothing can come to any more. \pre It is sealed.
  void forget_oldest(Index node);
  void remove(Index node);
  void wake(Index node);
  bool is_weak_initial(const LabelledStep& p, std::span<const LabelledStep> v);

  bool observers_;
  OvertakingMessages messages_;
  std::size_t many_messages_ = 1U << 12;
  std::vector<Node> nodes_;
  std::vector<Index> free_;
  std::vector<Index> removed_;
  /// Those that wait for one explorer.
  struct Waiting {
    std::vector<std::vector<Index>> by_depth;
    std::size_t top = 0;  ///< no longer prefix waits
    std::size_t count = 0;

    std::size_t deepest() {
      while (by_depth[top].empty()) --top;
      return top;
    }
  };
  /// One that can go on, from the given depth on downwards or upwards.
  Index take(Waiting& waiting, bool longest);

  std::vector<Waiting> waiting_;
  std::uint32_t explorer_ = 0;
  std::size_t waiting_count_ = 0;
};

}  // namespace mazurka::dpor
