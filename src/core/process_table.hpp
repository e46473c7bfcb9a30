// The explorer's table of processes, by path of creation.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/process.hpp"

namespace mazurka {

/// Assigns each path of creation a permanent index.
class ProcessTable {
 public:
  /// The child number `ordinal` (from 0) of `parent`; kNoProcess is the parent of roots.
  ProcessIndex intern(ProcessIndex parent, std::uint32_t ordinal);

  std::size_t size() const { return entries_.size(); }
  ProcessIndex parent(ProcessIndex process) const { return entries_[process].first; }
  /// Its number among the children of its parent, from 0.
  std::uint32_t ordinal(ProcessIndex process) const { return entries_[process].second; }
  /// The path as text: `0`, `0.1`, `0.1.2`; the children of a process count from 1.
  std::string path(ProcessIndex process) const;

 private:
  using Entry = std::pair<ProcessIndex, std::uint32_t>;
  std::vector<Entry> entries_;
  std::map<Entry, ProcessIndex> index_;
};

}  // namespace mazurka
