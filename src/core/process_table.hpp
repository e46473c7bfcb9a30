// The explorer's table of processes: paths of creation and their indices.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/process.hpp"

namespace mazurka {

/// Gives each path of creation one index, for ever.
class ProcessTable {
 public:
  /// The process that `parent` created as its `ordinal`-th (from 0); roots have the parent kNoProcess.
  ProcessIndex intern(ProcessIndex parent, std::uint32_t ordinal);

  std::size_t size() const { return entries_.size(); }
  ProcessIndex parent(ProcessIndex process) const { return entries_[process].first; }
  /// The how many-th process of its parent it is, from 0.
  std::uint32_t ordinal(ProcessIndex process) const { return entries_[process].second; }
  /// The path as text: `0`, `0.1`, `0.1.2`; the children of a process count from 1.
  std::string path(ProcessIndex process) const;

 private:
  using Entry = std::pair<ProcessIndex, std::uint32_t>;
  std::vector<Entry> entries_;
  std::map<Entry, ProcessIndex> index_;
};

}  // namespace mazurka
