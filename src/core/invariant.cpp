#include "core/invariant.hpp"

#include <fmt/format.h>

namespace mazurka {

void invariant_failed(const char* theorem, const char* condition, const char* file, int line) {
  throw InvariantViolation(fmt::format("{}:{}: broken invariant: {} ({})", file, line, theorem, condition));
}

}  // namespace mazurka
