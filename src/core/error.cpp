#include "core/error.hpp"

#include <fmt/format.h>

namespace mazurka {
namespace {

std::string located(const SourcePosition& position, std::string_view message) {
  if (position.line == 0) return fmt::format("{}: {}", position.file, message);
  return fmt::format("{}:{}:{}: {}", position.file, position.line, position.column, message);
}

}  // namespace

InputError::InputError(const SourcePosition& position, std::string_view message)
    : std::runtime_error(located(position, message)), has_place_(true) {}

}  // namespace mazurka
