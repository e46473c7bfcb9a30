// Stores that some process waits for (Algorithm::Observers). Whether an await is enabled depends on the last store to
// its location, even if nobody reads that store in the end: two orders of stores that differ only for a waiting process
// have different continuations. So stores to such a location are always ordered, as if each were observed.
//
// Awaited locations are discovered during the exploration. A new one invalidates what was planned, so the exploration
// restarts: once per location, and usually within the first executions.
#pragma once

#include <vector>

#include "core/execution.hpp"

namespace mazurka::dpor {

class Awaited {
 public:
  Awaited() = default;
  explicit Awaited(const std::vector<Operation>& all) : awaits_(all) {}
  const std::vector<Operation>& all() const { return awaits_; }

  /// Adds the locations that processes of this execution wait for. Returns whether there is a new one.
  bool add(const Execution& execution);
  void add(const Awaited& other);
  /// Marks the stores to known locations (kAwaited).
  void mark(Execution& execution) const;

 private:
  bool add(const Operation& operation);

  std::vector<Operation> awaits_;  // one per location
};

}  // namespace mazurka::dpor
