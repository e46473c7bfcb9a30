// How far each process goes in one exploration. A process stops, as if it waited for ever, before the step that would
// exceed the bound; the others go on.
//
// Whether a step exceeds it depends on what happened before it in its own process and on the path of creation of
// processes, which are the same in all equivalent executions. So a bound makes a smaller program of a program: all
// that the algorithms promise holds for it, each class is visited once, and what fails within the bound is found.
// (A bound on the length of the whole execution is not like that: it depends on what others do, and an execution that
// is cut while one process is in a loop says nothing about the others.)
#pragma once

#include <cstdint>

namespace mazurka {

struct Bound {
  static constexpr std::uint32_t kNone = UINT32_MAX;

  std::uint32_t steps = kNone;    ///< of each process, not counting the creation, start, end and join of threads
  std::uint32_t threads = kNone;  ///< a thread is not created if it is, with those that must exist before, one more

  bool operator==(const Bound&) const = default;
};

/// How many threads exist at least once a thread has been created: it, its elder siblings, its parent, and those of its
/// parent. `rank` is that of the parent, the new thread its how many-th child, from 1.
constexpr std::uint32_t rank_of_child(std::uint32_t rank, std::uint32_t number) { return rank + number; }

}  // namespace mazurka
