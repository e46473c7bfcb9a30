// A position in one line of a text: shared by the line-based net readers.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/error.hpp"

namespace mazurka::net {

class TextCursor {
 public:
  TextCursor(std::string_view file, std::string_view line, unsigned line_number)
      : file_(file), line_(line), line_number_(line_number) {}

  bool at_end() const { return at_ >= line_.size(); }
  char peek(std::size_t ahead = 0) const { return at_ + ahead < line_.size() ? line_[at_ + ahead] : '\0'; }
  char next() { return line_[at_++]; }
  std::size_t offset() const { return at_; }
  void rewind(std::size_t offset) { at_ = offset; }
  std::string_view rest() const { return line_.substr(at_); }

  void skip_blanks() {
    while (peek() == ' ' || peek() == '\t' || peek() == '\r') ++at_;
  }

  bool at_number() const { return is_digit(peek()) || (peek() == '-' && is_digit(peek(1))); }

  /// A decimal number that fits 32 bits.
  std::int64_t number() {
    const std::size_t start = at_;
    const bool negative = peek() == '-';
    if (negative) ++at_;
    std::int64_t value = 0;
    while (is_digit(peek())) {
      value = value * 10 + (next() - '0');
      if (value > kLargest) fail_at(start, "the number is too large");
    }
    return negative ? -value : value;
  }

  /// The text between two equal quotation marks, of which the first is next.
  std::string quoted() {
    const std::size_t start = at_;
    const char quote = next();
    std::string text;
    while (peek() != quote) {
      if (at_end()) fail_at(start, "the quotation mark is not closed");
      text += next();
    }
    ++at_;
    return text;
  }

  [[noreturn]] void fail(std::string_view message) const { fail_at(at_, message); }
  [[noreturn]] void fail_at(std::size_t offset, std::string_view message) const {
    throw InputError({std::string(file_), line_number_, static_cast<unsigned>(offset + 1)}, message);
  }

  static bool is_digit(char c) { return c >= '0' && c <= '9'; }
  static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
  static bool is_capital(char c) { return c >= 'A' && c <= 'Z'; }

 private:
  static constexpr std::int64_t kLargest = 0x7fffffff;

  std::string_view file_;
  std::string_view line_;
  unsigned line_number_;
  std::size_t at_ = 0;
};

/// Removes the first line from `text` and returns it without its end.
inline std::string_view take_line(std::string_view& text) {
  const std::size_t end = text.find('\n');
  std::string_view line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  return line;
}

}  // namespace mazurka::net
