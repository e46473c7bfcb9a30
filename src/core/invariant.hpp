// Theorems and invariants that release builds check too: an explorer that violates one has missed an execution or
// explored one twice, and must stop rather than print a number.
#pragma once

#include <stdexcept>

namespace mazurka {

class InvariantViolation : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

[[noreturn]] void invariant_failed(const char* theorem, const char* condition, const char* file, int line);

}  // namespace mazurka

/// Throws InvariantViolation, whose message names the broken theorem, unless `condition` holds.
#define MZ_INVARIANT(condition, theorem)                                      \
  do {                                                                        \
    if (!(condition)) [[unlikely]]                                            \
      ::mazurka::invariant_failed((theorem), #condition, __FILE__, __LINE__); \
  } while (false)
