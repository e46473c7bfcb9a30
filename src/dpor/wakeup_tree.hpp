// Wakeup trees (Def. 4 of *Optimal DPOR with Observers*; J. ACM 2017, Def. 6.1): sequences of steps still to be
// explored after a prefix E, as an ordered tree whose leaves are the sequences.
#pragma once

#include <span>
#include <vector>

#include "core/executor.hpp"

namespace mazurka::dpor {

/// A step together with what it does: enough to decide dependence. The same data puts a step to sleep.
using LabelledStep = Sleeper;

struct WakeupTree {
  LabelledStep step;                 ///< of the root: none
  std::vector<WakeupTree> children;  ///< in the order in which they will be explored

  /// Def. 4's insert: unless some leaf is already a possible way to start an execution equivalent to one that starts
  /// with v, adds what is needed of v as a new leaf after all others. Returns the number of nodes added.
  std::size_t insert(std::vector<LabelledStep> v);
};

/// Whether p is a weak initial of v (Def. 2): after E, some execution that starts with v is equivalent to one that
/// starts with p. So p's first step in v commutes with all before it; or p does not occur in v and commutes with all of
/// it.
bool is_weak_initial(const LabelledStep& p, std::span<const LabelledStep> v);

/// Whether step i of v is an initial of v: it commutes with all steps before it.
bool is_initial(std::span<const LabelledStep> v, std::size_t i);

}  // namespace mazurka::dpor
