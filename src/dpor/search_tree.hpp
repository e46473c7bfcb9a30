// The part of the tree of all executions that several explorers share: the prefixes E above what each of them explores
// by itself, with what was begun there and what is planned (docs/dpor.md, *Several explorers*).
//
// The papers explore one child of a prefix after the other. Here several may be under way at once: each has those begun
// before it in its sleep set, whether they are finished or not. What an older child finds for a younger one, which
// would be planned below it in the papers, goes to the younger one's node.
#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "dpor/overtaken.hpp"
#include "dpor/search_path.hpp"
#include "dpor/search_state.hpp"
#include "dpor/wakeup_tree.hpp"

namespace mazurka::dpor {

class SearchTree {
 public:
  using Index = std::uint32_t;
  static constexpr Index kNoNode = UINT32_MAX;
  static constexpr Index kRoot = 0;

  struct Node {
    LabelledStep step;  ///< the last of the prefix; of the root none
    Index parent = kNoNode;
    std::uint32_t depth = 0;      ///< the length of the prefix
    std::uint32_t place = 0;      ///< of `step` in the parent's `sleep`
    std::uint32_t inherited = 0;  ///< how many of `sleep` are from the parent
    std::uint32_t active = 0;     ///< children below which something is left to do
    std::uint32_t oldest = 0;     ///< of `children`: those before it are done and forgotten
    std::uint32_t unseen = 0;     ///< children begun that no execution has taken yet, if that matters
    WakeupTrees::Index planned = WakeupTrees::kNoNode;  ///< wut(E) without what was begun: its first child
    bool held = false;                                  ///< an explorer explores what is below by itself
    bool is_unseen = false;                             ///< it is one of its parent's `unseen`
    bool rests = false;                                 ///< nothing is left to do below, as far as is known
    std::vector<LabelledStep> sleep;                    ///< sleep(E), then the children that were begun
    std::vector<Overtaken> overtaken;                   ///< beside `sleep`, with observers only
    std::vector<Index> children;                        ///< that were begun; kNoNode if they are done and forgotten
  };

  /// Of an empty prefix, with nothing below. \see SearchPath for `observers`.
  explicit SearchTree(bool observers) : observers_(observers), nodes_(1) {}

  const Node& operator[](Index index) const { return nodes_[index]; }
  /// Nodes that are in use.
  std::size_t size() const { return nodes_.size() - free_.size(); }

  /// Goes one step further: sleep(E.p) = { q in sleep(E) : q independent of p }, and p sleeps after E from now on.
  /// `seen`: some execution has taken the step.
  Index begin(Index parent, const LabelledStep& step, bool seen);
  /// The same of a step below which everything has been explored.
  void add_done(Index parent, const LabelledStep& step);
  /// Begins the first sequence that is planned after a prefix, to its leaf. \pre There is one.
  Index begin_planned(Index node);
  /// Takes over what an explorer has planned after this prefix; nothing is planned there yet.
  void plan(Index node, std::span<const SequenceStep> planned);
  /// Plans v after E, where no step that sleeps before place `from` is a weak initial of it: below a child that was
  /// begun, or below one that is planned, or as a new one.
  Planned insert(Index node, std::size_t from, std::vector<LabelledStep>& v);
  /// Source-DPOR: plans this step after E.
  void append(Index node, const LabelledStep& step);

  /// The step that leads to this node made the program fail.
  void mark_fatal(Index node);
  /// Some execution has taken the steps that lead to this node.
  void mark_seen(Index node);

  void hold(Index node) { nodes_[node].held = true; }
  /// Undoes hold(), and removes what nobody needs any more, from this node on upwards.
  void let_go(Index node);
  /// The shortest prefix with something planned that can be begun now; kNoNode if there is none.
  Index next_waiting() const;
  bool has_waiting() const { return !waiting_.empty(); }
  /// Prefixes with something planned.
  std::size_t waiting() const { return waiting_.size(); }

  /// The steps that lead to a node, with what was begun before each of them.
  SearchPath::Prefix prefix(Index node) const;
  /// The nodes that lead to this one, by their depth.
  std::vector<Index> chain(Index node) const;

  /// Adds what is in the tree to a state.
  void describe(SearchState& state) const;
  /// Makes it what a state says. Returns the nodes after which everything is to be explored. Throws InputError where no
  /// tree is like that. \pre It is empty.
  std::vector<Index> restore(const SearchState& state);

  const WakeupTrees& trees() const { return trees_; }

 private:
  void clean_up(Index node);
  /// Forgets the messages that no node refers to any more, if there may be many.
  void tidy_messages();
  bool is_active(const Node& node) const {
    return node.active > 0 || node.held || node.planned != WakeupTrees::kNoNode;
  }
  /// Whether nothing can come from older nodes any more.
  bool is_sealed(Index node) const;
  /// Forgets the children that nothing can come to any more. \pre It is sealed.
  void forget_oldest(Index node);
  void remove(Index node);
  void wake(Index node);
  void wait(Index node);
  bool is_weak_initial(const LabelledStep& p, std::span<const LabelledStep> v);

  bool observers_;
  WakeupTrees trees_;
  OvertakingMessages messages_;  ///< with observers: what the states of `overtaken` refer to
  std::size_t many_messages_ = 1U << 12;
  std::vector<Node> nodes_;
  std::vector<Index> free_;
  std::set<std::pair<std::uint32_t, Index>> waiting_;  ///< those with something planned, by their depth
};

}  // namespace mazurka::dpor
