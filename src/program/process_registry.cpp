#include "program/process_registry.hpp"

#include "core/error.hpp"
#include "core/invariant.hpp"

namespace mazurka::program {

ProcessRegistry::Entries SharedRegistry::agree(std::uint32_t first, std::span<const protocol::ProcessEntry> met) {
  const std::lock_guard lock(mutex_);
  MZ_INVARIANT(first <= entries_.size(), "nobody has a process that was not agreed upon");
  std::vector<std::uint32_t> index;  // in entries_, of the processes of `met`
  for (const protocol::ProcessEntry& process : met) {
    protocol::ProcessEntry entry = process;
    if (entry.parent != kNoProcess && entry.parent >= first) {
      MZ_INVARIANT(entry.parent - first < index.size(), "a process is younger than its parent");
      entry.parent = index[entry.parent - first];
    }
    const auto [known, is_new] =
        index_.emplace(std::pair(entry.parent, entry.number), static_cast<std::uint32_t>(entries_.size()));
    if (is_new) {
      if (entries_.size() == protocol::kMaxProcesses)
        throw UnsupportedError("the executions of all ranks have more than 4096 different threads");
      entries_.push_back(entry);
    }
    index.push_back(known->second);
  }
  return {entries_.begin() + first, entries_.end()};
}

}  // namespace mazurka::program
