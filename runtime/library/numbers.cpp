// Functions that read numbers from strings, and functions of numbers that return a second result through a pointer.
#include "runtime/library/library_call.hpp"

using namespace mazurka::runtime;

namespace {

bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/// How many bytes a conversion reads whose number ends at `end`; it ends at the start if there is no number.
std::size_t number_bytes(const char* text, const char* end) {
  if (end != text) return static_cast<std::size_t>(end - text) + 1;
  std::size_t blanks = 0;
  while (is_space(text[blanks])) ++blanks;
  return blanks + 1;
}

void returned(const LibraryCall& call, const char* text, char* end, char** place) {
  call.reads(text, number_bytes(text, end));
  if (place == nullptr) return;
  call.writes(place, sizeof *place);
  *place = end;
}

}  // namespace

#define MAZURKA_INTEGER(RESULT, NAME)                                         \
  MAZURKA_LIBRARY(RESULT, NAME, (const char* text, char** place, int base)) { \
    MAZURKA_CALL;                                                             \
    auto* end = const_cast<char*>(text);                                      \
    const RESULT result = real_##NAME(text, &end, base);                      \
    returned(call, text, end, place);                                         \
    return result;                                                            \
  }
MAZURKA_INTEGER(long, strtol)
MAZURKA_INTEGER(long long, strtoll)
MAZURKA_INTEGER(unsigned long, strtoul)
MAZURKA_INTEGER(unsigned long long, strtoull)
MAZURKA_INTEGER(long, strtoimax)
MAZURKA_INTEGER(unsigned long, strtoumax)
MAZURKA_INTEGER(long, __isoc23_strtol)
MAZURKA_INTEGER(long long, __isoc23_strtoll)
MAZURKA_INTEGER(unsigned long, __isoc23_strtoul)
MAZURKA_INTEGER(unsigned long long, __isoc23_strtoull)

#define MAZURKA_REAL(RESULT, NAME)                                  \
  MAZURKA_LIBRARY(RESULT, NAME, (const char* text, char** place)) { \
    MAZURKA_CALL;                                                   \
    auto* end = const_cast<char*>(text);                            \
    const RESULT result = real_##NAME(text, &end);                  \
    returned(call, text, end, place);                               \
    return result;                                                  \
  }
MAZURKA_REAL(float, strtof)
MAZURKA_REAL(double, strtod)
MAZURKA_REAL(long double, strtold)

#define MAZURKA_SHORT_INTEGER(RESULT, NAME)                                \
  MAZURKA_LIBRARY(RESULT, NAME, (const char* text)) {                      \
    MAZURKA_CALL;                                                          \
    auto* end = const_cast<char*>(text);                                   \
    const auto result = static_cast<RESULT>(real_strtoll(text, &end, 10)); \
    returned(call, text, end, nullptr);                                    \
    return result;                                                         \
  }
MAZURKA_SHORT_INTEGER(int, atoi)
MAZURKA_SHORT_INTEGER(long, atol)
MAZURKA_SHORT_INTEGER(long long, atoll)
MAZURKA_LIBRARY(double, atof, (const char* text)) {
  MAZURKA_CALL;
  auto* end = const_cast<char*>(text);
  const double result = real_strtod(text, &end);
  returned(call, text, end, nullptr);
  return result;
}

#define MAZURKA_SECOND_RESULT(NUMBER, NAME, SECOND)            \
  MAZURKA_LIBRARY(NUMBER, NAME, (NUMBER x, SECOND * second)) { \
    MAZURKA_CALL;                                              \
    call.writes(second, sizeof *second);                       \
    return real_##NAME(x, second);                             \
  }
MAZURKA_SECOND_RESULT(double, frexp, int)
MAZURKA_SECOND_RESULT(float, frexpf, int)
MAZURKA_SECOND_RESULT(double, modf, double)
MAZURKA_SECOND_RESULT(float, modff, float)
MAZURKA_SECOND_RESULT(double, lgamma_r, int)
MAZURKA_SECOND_RESULT(float, lgammaf_r, int)
MAZURKA_LIBRARY(double, remquo, (double x, double y, int* second)) {
  MAZURKA_CALL;
  call.writes(second, sizeof *second);
  return real_remquo(x, y, second);
}
MAZURKA_LIBRARY(void, sincos, (double x, double* sine, double* cosine)) {
  MAZURKA_CALL;
  call.writes(sine, sizeof *sine);
  call.writes(cosine, sizeof *cosine);
  real_sincos(x, sine, cosine);
}
