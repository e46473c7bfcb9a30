// A search at rest, as a value: what has been explored, and what is left to do. Whoever has it can go on with it, in
// another process and with another number of explorers.
#pragma once

#include <cstdint>
#include <vector>

#include "core/operation.hpp"
#include "core/statistics.hpp"
#include "dpor/wakeup_tree.hpp"

namespace mazurka::dpor {

struct SearchState {
  /// A step after a prefix, in the order in which the steps after one prefix were begun.
  struct Begun {
    std::uint32_t parent = 0;  ///< where the prefix stands in `begun`, from 1; 0: it is empty
    LabelledStep step;
    bool done = false;   ///< all that follows is explored, and nothing can come to it any more
    bool rests = false;  ///< all that follows is explored, as far as is known
    bool ready = false;  ///< all that follows is to be explored
    bool seen = false;   ///< some execution has taken it
  };
  /// A step of a wakeup tree, each before what follows it.
  struct PlannedStep {
    std::uint32_t node = 0;   ///< where the prefix it is planned after stands in `begun`, likewise
    std::uint32_t depth = 0;  ///< how many steps of the sequence come before it
    LabelledStep step;
  };

  std::vector<Begun> begun;
  std::vector<PlannedStep> planned;
  bool is_new = false;  ///< nothing has been begun: the empty prefix is to be explored
  Statistics statistics;
  std::uint64_t skipped = 0;
  std::vector<Operation> awaited;  ///< of Awaited
};

/// Keeps a search from time to time, so that it can be resumed.
class SearchKeeper {
 public:
  SearchKeeper() = default;
  SearchKeeper(const SearchKeeper&) = delete;
  SearchKeeper& operator=(const SearchKeeper&) = delete;
  virtual ~SearchKeeper() = default;

  /// Whether it is time; asked before every execution, by all explorers.
  virtual bool is_due() = 0;
  /// All explorers are at rest. It is not due any more after this.
  virtual void keep(const SearchState& state) = 0;
};

}  // namespace mazurka::dpor
