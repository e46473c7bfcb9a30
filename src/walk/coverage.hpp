// How much of a system sampled executions have shown: how many of them differ by more than the order of independent
// steps, and how many reads-from pairs there were (core/guidance.hpp), of places in the code.
#pragma once

#include <cstdint>
#include <unordered_set>
#include <vector>

#include "core/execution.hpp"
#include "core/guidance.hpp"
#include "core/happens_before.hpp"

namespace mazurka::walk {

/// The reads-from pairs of an execution, in the order of their readers.
class ReadsFromPairs {
 public:
  const std::vector<ReadsFrom>& of(const std::vector<Event>& events);

 private:
  struct Last {
    std::uint64_t object;
    std::uint64_t writer;
    std::uint64_t execution;  ///< in which that was
  };
  Last& last(std::uint64_t object);

  std::vector<Last> table_ = std::vector<Last>(64);  ///< by hash, open addressing
  std::size_t used_ = 0;                             ///< by this execution
  std::uint64_t execution_ = 0;
  std::vector<ReadsFrom> pairs_;
};

class Coverage {
 public:
  /// Beyond so many classes no more are told apart.
  static constexpr std::size_t kMostClasses = std::size_t{1} << 22;

  void add(const Execution& execution);
  void clear();

  /// By hashes of 64 bits of Foata normal forms. Executions that a limit cut are no class of their own.
  std::uint64_t classes() const { return classes_.size(); }
  bool is_full() const { return classes_.size() >= kMostClasses; }
  std::uint64_t pairs() const { return pairs_.size(); }

 private:
  std::uint64_t class_of(const std::vector<Event>& events);

  HappensBefore order_;
  std::vector<std::uint32_t> levels_;
  std::vector<std::uint32_t> last_level_;  // of each process
  std::unordered_set<std::uint64_t> classes_;
  ReadsFromPairs reads_from_;
  std::unordered_set<std::uint64_t> pairs_;
};

}  // namespace mazurka::walk
