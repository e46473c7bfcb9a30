#include "core/names.hpp"

#include <fmt/format.h>

namespace mazurka {

std::string Names::variable(std::uint64_t address, const std::vector<HeapBlock>&) const {
  return fmt::format("{:#x}", address);
}

CodePlace Names::place(std::uint64_t) const { return {}; }

}  // namespace mazurka
