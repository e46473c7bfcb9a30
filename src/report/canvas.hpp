// Lines of characters, each with a colour, which are written at any column and printed with or without escape
// sequences.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace mazurka::report {

/// How text is laid out.
struct Style {
  std::size_t width = 100;
  bool colour = false;
  bool unicode = true;    ///< lines and dots beyond ASCII
  bool measured = false;  ///< the width is that of a terminal, or was given
};

/// What a character is part of. Threads have Colour::Thread + their number.
enum class Colour : std::uint8_t { Plain, Dim, Bold, Bad, Good, Thread };
constexpr Colour thread_colour(std::size_t thread) {
  return static_cast<Colour>(static_cast<std::size_t>(Colour::Thread) + thread % 6);
}

/// How many columns of a terminal it takes: one for most characters, two for wide ones, none for combining marks.
std::size_t columns(std::string_view text);
/// Cut to a width, with an ellipsis where something is missing.
std::string shortened(std::string_view text, std::size_t width, const Style& style);
/// The columns of the longest part that wrapped() would rather not break.
std::size_t longest_word(std::string_view text);
/// Broken at blanks into lines of at most `width`; a longer word is cut.
std::vector<std::string> wrapped(std::string_view text, std::size_t width);
/// The text in a colour, if there are colours.
std::string painted(std::string_view text, Colour colour, const Style& style);

class CanvasLine {
 public:
  void put(std::size_t column, std::string_view text, Colour colour);
  bool is_free(std::size_t column) const { return column >= cells_.size() || cells_[column].text == " "; }
  std::size_t size() const { return cells_.size(); }
  std::string text(const Style& style) const;

 private:
  struct Cell {
    std::string text = " ";
    Colour colour = Colour::Plain;
  };
  std::vector<Cell> cells_;
};

}  // namespace mazurka::report
