// Where threads were that a limit or a bound stopped: what to name where an exploration does not come to an end.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <vector>

#include "cli/system.hpp"
#include "core/execution.hpp"
#include "report/reach.hpp"

namespace mazurka::cli {

class CutPlaces {
 public:
  /// \pre a limit or bound stopped something in the execution.
  void add(const Execution& execution);
  void clear() { found_.clear(); }

  /// The places in the user's own code where most were stopped, the most first. May run executions again.
  std::vector<report::CutPlace> most_frequent(System& system) const;

 private:
  struct Key {
    std::uint64_t site = 0;
    ProcessIndex process = kNoProcess;  ///< where there is no code
    bool creates_thread = false;
    auto operator<=>(const Key&) const = default;
  };
  struct Found {
    std::uint64_t executions = 0;
    Execution sample;         ///< one of them, if it is short enough
    std::size_t pending = 0;  ///< of its pending operations, which one was stopped
  };

  void add(const Execution& execution, std::size_t pending);
  static report::CutPlace describe(System& system, const Key& key, const Found& found);

  std::map<Key, Found> found_;
};

}  // namespace mazurka::cli
