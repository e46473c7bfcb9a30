// A PNML text, and the position of a node in it: shared by the parts of the PNML reader to report errors with a
// position.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

#include <pugixml.hpp>

#include "core/error.hpp"

namespace mazurka::net {

class PnmlSource {
 public:
  PnmlSource(std::string_view file, std::string_view text) : file_(file), text_(text) {}

  std::string_view text() const { return text_; }

  /// Counts lines from the start, so only for error messages.
  SourcePosition position(std::size_t offset) const {
    const std::string_view before = text_.substr(0, std::min(offset, text_.size()));
    const auto line = static_cast<unsigned>(std::count(before.begin(), before.end(), '\n') + 1);
    const std::size_t start = before.rfind('\n');
    const std::size_t column = start == std::string_view::npos ? before.size() + 1 : before.size() - start;
    return {std::string(file_), line, static_cast<unsigned>(column)};
  }
  SourcePosition position(pugi::xml_node node) const {
    return position(static_cast<std::size_t>(std::max<std::ptrdiff_t>(node.offset_debug(), 0)));
  }

  [[noreturn]] void fail(std::size_t offset, std::string_view message) const {
    throw InputError(position(offset), message);
  }
  [[noreturn]] void fail(pugi::xml_node node, std::string_view message) const {
    throw InputError(position(node), message);
  }

 private:
  std::string_view file_;
  std::string_view text_;
};

}  // namespace mazurka::net
