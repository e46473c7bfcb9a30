#include "core/names.hpp"

#include <fmt/format.h>

namespace mazurka {

std::string Names::variable(std::uint64_t address, const std::vector<HeapBlock>&) const {
  return fmt::format("{:#x}", address);
}

std::string Names::value(std::uint64_t value, const Operation& operation, const std::vector<HeapBlock>&) const {
  // Signedness is unknown; a number with the highest bit set is more often a small negative one.
  const unsigned bytes = operation.size;
  const unsigned unused = 64 - 8U * bytes;
  if (bytes == 0 || bytes > 8) return fmt::format("{}", value);
  return fmt::format("{}", static_cast<std::int64_t>(value << unused) >> unused);
}

CodePlace Names::place(std::uint64_t) const { return {}; }

}  // namespace mazurka
