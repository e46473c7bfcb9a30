#include "core/process_table.hpp"

#include <fmt/format.h>

namespace mazurka {

ProcessIndex ProcessTable::intern(ProcessIndex parent, std::uint32_t ordinal) {
  const auto [entry, fresh] = index_.emplace(Entry{parent, ordinal}, static_cast<ProcessIndex>(entries_.size()));
  if (fresh) entries_.emplace_back(parent, ordinal);
  return entry->second;
}

std::string ProcessTable::path(ProcessIndex process) const {
  const auto [parent, ordinal] = entries_[process];
  if (parent == kNoProcess) return fmt::format("{}", ordinal);
  return fmt::format("{}.{}", path(parent), ordinal + 1);
}

}  // namespace mazurka
