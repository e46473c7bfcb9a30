#include "runtime/library/format.hpp"

#include <wchar.h>

namespace mazurka::runtime {
namespace {

enum class Length { Char, Short, Int, Long, LongDouble };

struct Conversion {
  bool is_known = true;  ///< false for numbered arguments (%1$d) and extensions: the rest of the format is ignored
  bool suppressed = false;
  bool allocates = false;
  int width = -1;
  int precision = -1;
  Length length = Length::Int;
  char kind = 0;  ///< 0: the format ends
};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// a, e, f, g, and the same in capitals.
bool is_real(char c) {
  const int lower = c | 0x20;
  return lower == 'a' || (lower >= 'e' && lower <= 'g');
}

int number(const char*& at) {
  int result = 0;
  while (is_digit(*at)) result = result < 100'000'000 ? result * 10 + (*at++ - '0') : (++at, result);
  return result;
}

Length length_modifier(const char*& at) {
  switch (*at) {
    case 'h': return *++at == 'h' ? (++at, Length::Char) : Length::Short;
    case 'l':
      if (*++at == 'l') ++at;
      return Length::Long;
    case 'q':
    case 'j':
    case 'z':
    case 'Z':
    case 't': return ++at, Length::Long;
    case 'L': return ++at, Length::LongDouble;
    default: return Length::Int;
  }
}

std::size_t bytes_of(Length length) {
  switch (length) {
    case Length::Char: return 1;
    case Length::Short: return 2;
    case Length::Int: return 4;
    case Length::Long:
    case Length::LongDouble: break;  // an integer: the same as ll
  }
  return 8;
}

/// Moves behind the next %, but skips %%.
bool find_conversion(const char*& at) {
  for (; *at != 0; ++at) {
    if (*at != '%') continue;
    if (*++at != '%') return *at != 0;
  }
  return false;
}

/// A width or precision: a number, or `*` for an argument.
int size_of_field(const char*& at, va_list& arguments) {
  if (*at != '*') return number(at);
  ++at;
  return va_arg(arguments, int);
}

Conversion next_printed(const char*& at, va_list& arguments) {
  Conversion next;
  if (!find_conversion(at)) return next;
  while (*at == '-' || *at == '+' || *at == ' ' || *at == '#' || *at == '0' || *at == '\'' || *at == 'I') ++at;
  if (is_digit(*at) || *at == '*') next.width = size_of_field(at, arguments);
  if (*at == '$') next.is_known = false;
  if (*at == '.') next.precision = size_of_field(++at, arguments);
  next.length = length_modifier(at);
  next.kind = *at;
  if (*at != 0) ++at;
  return next;
}

std::size_t limit_of(const Conversion& conversion) {
  return conversion.precision < 0 ? SIZE_MAX : static_cast<std::size_t>(conversion.precision);
}

/// How many bytes of a wide string are read to find its end within `limit`.
std::size_t wide_bytes(const wchar_t* text, std::size_t limit = SIZE_MAX) {
  std::size_t count = 0;
  while (count < limit && text[count] != 0) ++count;
  return (count < limit ? count + 1 : limit) * sizeof(wchar_t);
}

void report_text(LibraryCall& call, const Conversion& conversion, va_list& arguments) {
  const void* const text = va_arg(arguments, const void*);
  if (text == nullptr) return;
  call.involves(text);
  const std::size_t limit = limit_of(conversion);
  if (conversion.length == Length::Long || conversion.kind == 'S') {
    call.reads(text, wide_bytes(static_cast<const wchar_t*>(text), limit));
  } else {
    call.reads(text, text_bytes(static_cast<const char*>(text), limit));
  }
}

void report_count(LibraryCall& call, const Conversion& conversion, va_list& arguments) {
  void* const count = va_arg(arguments, void*);
  call.involves(count);
  call.wrote(count, bytes_of(conversion.length));
}

/// The argument that printf fetches for a conversion.
enum class Argument { None, Word, Real, LongReal, Text, Count, Unknown };

Argument argument_of(const Conversion& conversion) {
  if (!conversion.is_known) return Argument::Unknown;
  switch (conversion.kind) {
    case 'c':
    case 'C':
    case 'd':
    case 'i':
    case 'o':
    case 'p':
    case 'u':
    case 'x':
    case 'X': return Argument::Word;
    case 's':
    case 'S': return Argument::Text;
    case 'n': return Argument::Count;
    case 'm': return Argument::None;
    default: break;
  }
  if (!is_real(conversion.kind)) return Argument::Unknown;
  return conversion.length == Length::LongDouble ? Argument::LongReal : Argument::Real;
}

// An int takes as much room as a long.
void skip_word(va_list& arguments) { static_cast<void>(va_arg(arguments, long)); }
void skip_real(va_list& arguments) { static_cast<void>(va_arg(arguments, double)); }
void skip_long_real(va_list& arguments) { static_cast<void>(va_arg(arguments, long double)); }

Conversion next_scanned(const char*& at) {
  Conversion next;
  if (!find_conversion(at)) return next;
  if (*at == '*') ++at, next.suppressed = true;
  if (is_digit(*at)) next.width = number(at);
  if (*at == '$') next.is_known = false;
  if (*at == '\'' || *at == 'I') ++at;
  if (*at == 'm') ++at, next.allocates = true;
  next.length = length_modifier(at);
  next.kind = *at;
  if (*at == 0) return next;
  ++at;
  if (next.kind != '[') return next;
  if (*at == '^') ++at;
  if (*at == ']') ++at;
  while (*at != 0 && *at != ']') ++at;
  if (*at == ']') ++at;
  return next;
}

std::size_t bytes_scanned(const Conversion& conversion, const void* to) {
  const bool wide = conversion.length == Length::Long;
  const std::size_t unit = wide ? sizeof(wchar_t) : 1;
  if (conversion.allocates) return sizeof(void*);
  switch (conversion.kind) {
    case 'c':
    case 'C': return (conversion.width < 0 ? 1 : static_cast<std::size_t>(conversion.width)) * unit;
    case 's':
    case 'S':
    case '[':
      if (!wide && conversion.kind != 'S') return text_bytes(static_cast<const char*>(to));
      return wide_bytes(static_cast<const wchar_t*>(to));
    case 'p': return sizeof(void*);
    case 'a':
    case 'A':
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G':
      return conversion.length == Length::LongDouble ? sizeof(long double)
             : conversion.length == Length::Long     ? sizeof(double)
                                                     : sizeof(float);
    default: return bytes_of(conversion.length);
  }
}

}  // namespace

void report_printed(LibraryCall& call, const char* format, va_list list) {
  call.involves(format);
  call.reads(format, text_bytes(format));
  va_list arguments;
  va_copy(arguments, list);
  const char* at = format;
  for (bool more = true; more;) {
    const Conversion next = next_printed(at, arguments);
    switch (argument_of(next)) {
      case Argument::None: break;
      case Argument::Word: skip_word(arguments); break;
      case Argument::Real: skip_real(arguments); break;
      case Argument::LongReal: skip_long_real(arguments); break;
      case Argument::Text: report_text(call, next, arguments); break;
      case Argument::Count: report_count(call, next, arguments); break;
      case Argument::Unknown: more = false;
    }
  }
  va_end(arguments);
}

void report_scanned(const LibraryCall& call, const char* format, va_list list, int count) {
  call.reads(format, text_bytes(format));
  va_list arguments;
  va_copy(arguments, list);
  const char* at = format;
  for (;;) {
    const Conversion next = next_scanned(at);
    if (next.kind == 0 || !next.is_known) break;
    if (next.suppressed) continue;
    if (next.kind != 'n' && count-- <= 0) break;
    const void* const to = va_arg(arguments, void*);
    call.wrote(to, bytes_scanned(next, to));
  }
  va_end(arguments);
}

}  // namespace mazurka::runtime
