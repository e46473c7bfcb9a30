#include "core/code_place.hpp"

#include <filesystem>

#include <fmt/format.h>

namespace mazurka {

bool CodePlace::in_foreign_header() const { return is_foreign_header(path); }

bool is_foreign_header(const std::string& path) {
  const std::string plain = std::filesystem::path(path).lexically_normal().string();
  return plain.starts_with("/usr/include/") || plain.starts_with("/usr/lib/") ||
         plain.find("/include/mazurka/") != std::string::npos;
}

std::string to_string(const CodePlace& place) {
  if (place.file.empty() && place.function.empty())
    return place.image.empty() ? "" : fmt::format("{}+{:#x}", place.image, place.offset);
  if (place.file.empty()) return place.function;
  const std::string line = fmt::format("{}:{}", place.file, place.line);
  return place.function.empty() ? line : fmt::format("{} ({})", line, place.function);
}

}  // namespace mazurka
