// Who acts: a process (a thread of a program, a client of a network) is identified by its path of creation, so that it
// is the same process in every execution whatever the schedule. Explorers use dense indices for the paths.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace mazurka {

using ProcessIndex = std::uint32_t;
inline constexpr ProcessIndex kNoProcess = std::numeric_limits<ProcessIndex>::max();

/// Gives each path of creation one index, for ever.
class ProcessTable {
 public:
  /// The process that `parent` created as its `ordinal`-th (from 0); roots have the parent kNoProcess.
  ProcessIndex intern(ProcessIndex parent, std::uint32_t ordinal);

  std::size_t size() const { return entries_.size(); }
  ProcessIndex parent(ProcessIndex process) const { return entries_[process].first; }
  /// The path as text: `0`, `0.1`, `0.1.2`; the children of a process count from 1.
  std::string path(ProcessIndex process) const;

 private:
  using Entry = std::pair<ProcessIndex, std::uint32_t>;
  std::vector<Entry> entries_;
  std::map<Entry, ProcessIndex> index_;
};

}  // namespace mazurka
