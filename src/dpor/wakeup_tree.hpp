// Wakeup trees (Def. 4 of *Optimal DPOR with Observers*; J. ACM 2017, Def. 6.1): sequences of steps still to be
// explored after a prefix E, as an ordered tree whose leaves are the sequences. The trees of all prefixes share an
// arena.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/executor.hpp"

namespace mazurka::dpor {

/// A step together with what it does: enough to decide dependence. The same data puts a step to sleep.
using LabelledStep = Sleeper;

/// Whether p is a weak initial of v (Def. 2): after E, some execution that starts with v is equivalent to one that
/// starts with p. So p's first step in v commutes with all before it; or p does not occur in v and commutes with all of
/// it.
bool is_weak_initial(const LabelledStep& p, std::span<const LabelledStep> v);

/// Whether step i of v is an initial of v: it commutes with all steps before it.
bool is_initial(std::span<const LabelledStep> v, std::size_t i);

/// What became of a sequence that was to be planned.
enum class Planned {
  Settled,  ///< whatever execution starts with the sequence will be explored, or has been
  Open,     ///< some execution that starts with the sequence will be explored or has been; others perhaps not
};

class WakeupTrees {
 public:
  using Index = std::uint32_t;
  static constexpr Index kNone = UINT32_MAX;

  struct Node {
    LabelledStep step;
    Index child = kNone;    ///< the first; children stand in the order in which they will be explored
    Index sibling = kNone;  ///< the next
  };

  const Node& operator[](Index index) const { return nodes_[index]; }

  /// Def. 4's insert below the node whose first child is `children`: unless some leaf is already a possible way to
  /// start an execution equivalent to one that starts with v, adds what is needed of v as a new leaf after all others.
  /// `fits(step, v)` says whether v, which is without the steps on the way here, can go on below a child with this
  /// step.
  template <class Fits>
  Planned insert(Index& children, std::vector<LabelledStep>& v, Fits&& fits);
  Planned insert(Index& children, std::vector<LabelledStep>& v) { return insert(children, v, is_weak_initial); }

  /// Adds one step as the last child of `parent`, or of the root with these children if that is kNone.
  Index append(Index& children, Index parent, const LabelledStep& step);
  /// Takes the first of `children` off the tree. Its own children are left to the caller; the index is free again.
  Node take_first(Index& children);
  /// The sequence of the first leaf.
  void first_leaf(Index children, std::vector<LabelledStep>& sequence) const;
  void drop_first_leaf(Index& children);

  std::uint64_t added() const { return added_; }
  std::size_t size() const { return nodes_.size() - free_count_; }

 private:
  Index make(const LabelledStep& step);
  /// Takes element `at` out by moving those from `begin` on one place up.
  static void remove(std::vector<LabelledStep>& v, std::size_t begin, std::size_t at) {
    for (; at > begin; --at) v[at] = v[at - 1];
  }

  std::vector<Node> nodes_;
  Index free_ = kNone;
  std::size_t free_count_ = 0;
  std::uint64_t added_ = 0;
};

template <class Fits>
Planned WakeupTrees::insert(Index& children, std::vector<LabelledStep>& v, Fits&& fits) {
  Planned planned = Planned::Settled;
  Index parent = kNone;
  std::size_t begin = 0;  // of what is left of v
  for (;;) {
    Index child = parent == kNone ? children : nodes_[parent].child;
    const auto rest = std::span<const LabelledStep>(v).subspan(begin);
    while (child != kNone && !fits(nodes_[child].step, rest)) child = nodes_[child].sibling;
    if (child == kNone) break;
    // Go on below the child with v \ p.
    std::size_t same = begin;
    while (same < v.size() && v[same].step != nodes_[child].step.step) ++same;
    if (same < v.size())
      remove(v, begin++, same);
    else
      planned = Planned::Open;                         // what starts with v but not with this child is not planned here
    if (nodes_[child].child == kNone) return planned;  // a leaf is a way to start v
    if (begin == v.size()) return Planned::Open;       // v is a way to start some leaf
    parent = child;
  }
  for (std::size_t i = begin; i < v.size(); ++i) parent = append(children, parent, v[i]);
  return planned;
}

}  // namespace mazurka::dpor
