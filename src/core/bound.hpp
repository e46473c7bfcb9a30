// A bound on how far each process runs in one exploration. A process stops before the step that would exceed the bound,
// as if it were blocked forever; the other processes continue.
//
// Whether a step exceeds the bound depends only on the earlier steps of its own process and on the creation path of
// threads. Both are the same in all equivalent executions. So a bounded program is itself a program, and the guarantees
// of the algorithms carry over: each class is visited once, and every failure within the bound is found. (A bound on
// the length of the whole execution lacks this property. It depends on the steps of other processes, and an execution
// that is cut because one process loops says nothing about the others.)
#pragma once

#include <cstdint>

namespace mazurka {

struct Bound {
  static constexpr std::uint32_t kUnlimited = UINT32_MAX;

  std::uint32_t steps = kUnlimited;    ///< per process; creation, start, exit and join of threads do not count
  std::uint32_t threads = kUnlimited;  ///< a thread is not created if its rank (rank_of_child) exceeds this

  bool operator==(const Bound&) const = default;
};

/// The rank of a thread: a lower bound on how many threads exist once it has been created, namely itself, its elder
/// siblings, its parent, the parent's elder siblings, and so on. `rank` is that of the parent; the new thread is its
/// child `number`, from 1.
constexpr std::uint32_t rank_of_child(std::uint32_t rank, std::uint32_t number) { return rank + number; }

}  // namespace mazurka
