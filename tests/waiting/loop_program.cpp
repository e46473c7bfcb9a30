#include "waiting/loop_program.hpp"

#include <random>

namespace mazurka::waiting {
namespace {

using enum Kind;

/// These lock the mutex, which must not be locked already.
bool locks(Kind kind) {
  return (kind >= LockedStore && kind <= TryUntil) || (kind >= TimedOnce && kind <= TimedCounted);
}
bool has_body(Kind kind) {
  return kind == If || kind == Repeat || kind == Locked || kind == TryUntil || kind == Section;
}
/// These may be inside a section: they neither lock nor wait.
bool is_straight(Kind kind) {
  return kind <= Load || kind == BoundedAdd || kind == BoundedStore || kind == Kind::Assume;
}

/// Not std::uniform_int_distribution, whose results each library chooses by itself.
class Chance {
 public:
  explicit Chance(std::uint64_t seed) : engine_(seed) {}
  int below(int end) { return static_cast<int>(engine_() % static_cast<std::uint64_t>(end)); }
  bool one_in(int n) { return below(n) == 0; }

 private:
  std::mt19937_64 engine_;
};

class Generator {
 public:
  Generator(std::uint64_t number, std::span<const Kind> kinds) : chance_(number), kinds_(kinds) {
    program_.number = number;
  }

  Program generate() {
    program_.variables = 2 + chance_.below(2);
    const int threads = 2 + static_cast<int>(chance_.one_in(3));
    for (int t = 0; t < threads; ++t) program_.threads.push_back(code(threads == 2 ? 4 : 3, 0));
    return program_;
  }

 private:
  Code code(int most, int depth) {
    Code result;
    for (int n = 1 + chance_.below(most); n > 0; --n) result.push_back(statement(depth));
    return result;
  }

  Statement statement(int depth) {
    Statement result;
    // Somebody has to do what the others wait for.
    result.kind = chance_.one_in(3) ? Store : kind(depth);
    result.v = chance_.below(program_.variables);
    result.w = (result.v + 1 + chance_.below(program_.variables - 1)) % program_.variables;
    result.c = chance_.below(chance_.one_in(4) ? 3 : 2);
    result.d = chance_.below(2);
    result.yields = chance_.one_in(4);
    result.called = chance_.one_in(2);
    if (has_body(result.kind)) {
      is_locked_ = result.kind == Locked || result.kind == TryUntil;
      is_in_section_ = result.kind == Section;
      result.body = code(2, depth + 1);
      is_locked_ = is_in_section_ = false;
    }
    return result;
  }

  Kind kind(int depth) {
    for (;;) {
      const Kind kind = kinds_[static_cast<std::size_t>(chance_.below(static_cast<int>(kinds_.size())))];
      if ((depth == 0 || !has_body(kind)) && !(is_locked_ && locks(kind)) && (!is_in_section_ || is_straight(kind)))
        return kind;
    }
  }

  Chance chance_;
  std::span<const Kind> kinds_;
  Program program_;
  bool is_locked_ = false;  ///< here, by a statement around it
  bool is_in_section_ = false;
};

}  // namespace

Program random_program(std::uint64_t number, std::span<const Kind> kinds) {
  return Generator(number, kinds).generate();
}

}  // namespace mazurka::waiting
