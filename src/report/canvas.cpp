#include "report/canvas.hpp"

#include <algorithm>
#include <span>

#include <fmt/format.h>

namespace mazurka::report {
namespace {

bool continues(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

struct CodePoints {
  char32_t first;
  char32_t last;
};
/// Those that terminals show two columns wide: the wide and full-width characters of Unicode's East Asian widths, and
/// emoji.
constexpr CodePoints kWide[] = {{0x1100, 0x115F},   {0x2E80, 0x303E},   {0x3041, 0xA4CF},   {0xAC00, 0xD7A3},
                                {0xF900, 0xFAFF},   {0xFE30, 0xFE6F},   {0xFF00, 0xFF60},   {0xFFE0, 0xFFE6},
                                {0x1F300, 0x1F64F}, {0x1F680, 0x1F6FF}, {0x1F900, 0x1F9FF}, {0x20000, 0x3FFFD}};
/// Those that are drawn over the character before.
constexpr CodePoints kCombining[] = {{0x0300, 0x036F}, {0x200B, 0x200F}, {0x20D0, 0x20FF}, {0xFE00, 0xFE0F}};

bool is_one_of(std::span<const CodePoints> ranges, char32_t code) {
  return std::ranges::any_of(ranges, [&](const CodePoints& r) { return r.first <= code && code <= r.last; });
}

/// Of one character in UTF-8.
char32_t code_point(std::string_view character) {
  if (character.size() > 4) return 0xFFFD;  // stray bytes
  const auto lead = static_cast<unsigned char>(character.front());
  char32_t code = character.size() == 1 ? lead : lead & (0x7FU >> character.size());
  for (char c : character.substr(1)) code = code << 6U | (static_cast<unsigned char>(c) & 0x3FU);
  return code;
}

/// What stands in each column of a text: a character with the marks above it, or nothing, to the right of a wide one.
/// A tab counts as a blank.
std::vector<std::string> cells(std::string_view text) {
  std::vector<std::string> result;
  for (std::size_t begin = 0; begin < text.size();) {
    std::size_t end = begin + 1;
    while (end < text.size() && continues(text[end])) ++end;
    const std::string_view character = text.substr(begin, end - begin);
    const char32_t code = code_point(character);
    if (is_one_of(kCombining, code) && !result.empty()) {
      // The mark of a wide character belongs to the column that has it.
      const bool wide = result.back().empty() && result.size() > 1;
      result[result.size() - (wide ? 2 : 1)] += character;
    } else {
      result.emplace_back(character == "\t" ? " " : character);
      if (is_one_of(kWide, code)) result.emplace_back();
    }
    begin = end;
  }
  return result;
}

/// The place at or before `end` where no wide character is cut in two; behind the first one if it has no room.
std::size_t whole_until(const std::vector<std::string>& cells, std::size_t end) {
  const bool cuts = end > 0 && end < cells.size() && cells[end].empty();
  if (!cuts) return end;
  return end > 1 ? end - 1 : end + 1;
}

std::string joined(const std::vector<std::string>& cells, std::size_t begin, std::size_t end) {
  std::string text;
  for (std::size_t i = begin; i < end; ++i) text += cells[i];
  return text;
}

/// Whether the blank stands beside the arrow of `0 -> 1`, in `step 3`, or in the name of a heap block: these are one
/// word.
bool is_glued(const std::vector<std::string>& text, std::size_t blank) {
  const auto is_arrow = [&](std::size_t at) { return at + 1 < text.size() && text[at] == "-" && text[at + 1] == ">"; };
  const auto is_digit = [&](std::size_t at) { return at < text.size() && text[at][0] >= '0' && text[at][0] <= '9'; };
  constexpr std::string_view kStep = " step";
  const bool follows_step =
      blank >= kStep.size() && is_digit(blank + 1) && joined(text, blank - kStep.size(), blank) == kStep;
  return is_arrow(blank + 1) || (blank >= 2 && is_arrow(blank - 2)) || follows_step ||
         (blank + 1 < text.size() && text[blank + 1] == "#");
}

/// Where a word that is too long for a line is best broken: after one of these characters, not too early.
std::size_t break_in_word(const std::vector<std::string>& text, std::size_t width) {
  constexpr std::string_view kEnds = "._:/,]>)";
  for (std::size_t end = width; end > width / 2; --end)
    if (text[end - 1].size() == 1 && kEnds.find(text[end - 1]) != std::string_view::npos && text[end] != text[end - 1])
      return end;
  return width;
}

const char* escape(Colour colour) {
  switch (colour) {
    case Colour::Plain: return "";
    case Colour::Dim: return "\x1b[2m";
    case Colour::Bold: return "\x1b[1m";
    case Colour::Bad: return "\x1b[1;31m";
    case Colour::Good: return "\x1b[1;32m";
    default: break;
  }
  constexpr const char* kThreads[] = {"\x1b[36m", "\x1b[33m", "\x1b[35m", "\x1b[32m", "\x1b[34m", "\x1b[91m"};
  return kThreads[static_cast<std::size_t>(colour) - static_cast<std::size_t>(Colour::Thread)];
}

}  // namespace

std::size_t columns(std::string_view text) { return cells(text).size(); }

std::string shortened(std::string_view text, std::size_t width, const Style& style) {
  const auto all = cells(text);
  if (all.size() <= width) return joined(all, 0, all.size());
  const std::string_view ellipsis = style.unicode ? "…" : "...";
  std::size_t room = width - std::min(width, columns(ellipsis));
  if (all[room].empty() && room > 0) --room;  // half of a wide character
  return joined(all, 0, room) + std::string(ellipsis);
}

std::size_t longest_word(std::string_view text) {
  const auto all = cells(text);
  std::size_t longest = 0;
  std::size_t length = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    // An arrow may stand at the end of a line, if need be.
    const bool ends = all[i] == " " && !(i + 1 < all.size() && all[i + 1] == "#");
    length = ends ? 0 : length + 1;
    longest = std::max(longest, length);
  }
  return longest;
}

std::vector<std::string> wrapped(std::string_view text, std::size_t width) {
  std::vector<std::string> lines;
  auto rest = cells(text);
  while (rest.size() > width) {
    std::size_t end = width;
    while (end > 0 && (rest[end] != " " || is_glued(rest, end))) --end;
    for (std::size_t at = width; end == 0 && at > 0; --at)
      if (rest[at] == " ") end = at;
    const bool at_blank = end > 0;
    if (!at_blank) end = whole_until(rest, break_in_word(rest, width));
    lines.push_back(joined(rest, 0, end));
    rest.erase(rest.begin(), rest.begin() + static_cast<std::ptrdiff_t>(end + (at_blank ? 1 : 0)));
  }
  lines.push_back(joined(rest, 0, rest.size()));
  return lines;
}

std::string painted(std::string_view text, Colour colour, const Style& style) {
  if (!style.colour || colour == Colour::Plain || text.empty()) return std::string(text);
  return fmt::format("{}{}\x1b[0m", escape(colour), text);
}

void CanvasLine::put(std::size_t column, std::string_view text, Colour colour) {
  const auto all = cells(text);
  if (cells_.size() < column + all.size()) cells_.resize(column + all.size());
  for (std::size_t i = 0; i < all.size(); ++i) cells_[column + i] = {all[i], colour};
}

std::string CanvasLine::text(const Style& style) const {
  std::string line;
  std::size_t end = cells_.size();
  while (end > 0 && cells_[end - 1].text == " ") --end;
  for (std::size_t i = 0; i < end;) {
    std::size_t next = i;
    std::string run;
    while (next < end && cells_[next].colour == cells_[i].colour) run += cells_[next++].text;
    line += painted(run, cells_[i].colour, style);
    i = next;
  }
  return line;
}

}  // namespace mazurka::report
