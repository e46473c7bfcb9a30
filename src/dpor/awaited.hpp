// Stores that somebody waits for (Algorithm::Observers). Whether an await is possible depends on the last store to its
// location, also where nobody reads it in the end: two orders of stores that differ in nothing but what a process waits
// for have different futures. So stores to such a location are ordered always, as if each were observed.
//
// What is awaited becomes known as the exploration goes on. When it does, what was planned before is worth nothing, and
// the exploration begins anew: once for each location, and mostly in its first executions.
#pragma once

#include <vector>

#include "core/execution.hpp"

namespace mazurka::dpor {

class Awaited {
 public:
  /// Adds the locations that processes of this execution waited for. Whether there was a new one.
  bool add(const Execution& execution);
  void add(const Awaited& other);
  /// Marks the stores to known locations (kAwaited).
  void mark(Execution& execution) const;

 private:
  bool add(const Operation& operation);

  std::vector<Operation> awaits_;  // one for each location
};

}  // namespace mazurka::dpor
