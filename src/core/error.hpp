// Errors a user can cause. Each message says what is wrong, where, and what to do about it.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace mazurka {

/// A position in an input; lines and columns count from 1, 0 means "not known".
struct SourcePosition {
  std::string file;
  unsigned line = 0;
  unsigned column = 0;
};

/// Bad input or bad usage: exit code 2. With a position, the text is `file:line:column: message`, as editors expect it.
class InputError : public std::runtime_error {
 public:
  explicit InputError(std::string_view message) : std::runtime_error(std::string(message)) {}
  InputError(const SourcePosition& position, std::string_view message);

  bool has_place() const { return has_place_; }

 private:
  bool has_place_ = false;
};

/// Something the system under test does that Mazurka cannot control: exit code 4.
class UnsupportedError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace mazurka
