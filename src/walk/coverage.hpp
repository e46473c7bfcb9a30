// Coverage of sampling: the number of distinct equivalence classes of executions, and of reads-from pairs
// (core/guidance.hpp) of code sites.
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
    std::uint64_t execution;  ///< the execution it belongs to
  };
  Last& last(std::uint64_t object);

  std::vector<Last> table_ = std::vector<Last>(64);  ///< by hash, open addressing
  std::size_t used_ = 0;                             ///< entries of this execution
  std::uint64_t execution_ = 0;
  std::vector<ReadsFrom> pairs_;
};

class Coverage {
 public:
  /// Beyond this many classes, new ones are not counted.
  static constexpr std::size_t kMostClasses = std::size_t{1} << 22;

  void add(const Execution& execution);
  void clear();

  /// Number of classes, by 64-bit hashes of Foata normal forms. Executions cut by a limit do not count.
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
