// What an executor notes in an execution that it fills, to bring it up to date later by copying only what has changed.
#pragma once

#include <cstdint>
#include <utility>

namespace mazurka {

/// Which answer of which source an execution holds. A copy of the execution may be changed by whoever has it, and is
/// nobody's answer.
class AnswerMark {
 public:
  AnswerMark() = default;
  AnswerMark(std::uint64_t source, std::uint64_t number) : source_(source), number_(number) {}
  AnswerMark(const AnswerMark&) {}
  AnswerMark& operator=(const AnswerMark&) {
    source_ = 0;
    return *this;
  }
  AnswerMark(AnswerMark&& other) noexcept : source_(std::exchange(other.source_, 0)), number_(other.number_) {}
  AnswerMark& operator=(AnswerMark&& other) noexcept {
    number_ = other.number_;
    source_ = std::exchange(other.source_, 0);
    return *this;
  }
  ~AnswerMark() = default;

  bool is_from(std::uint64_t source) const { return source_ == source; }
  std::uint64_t number() const { return number_; }

 private:
  std::uint64_t source_ = 0;  ///< 0: none
  std::uint64_t number_ = 0;
};

}  // namespace mazurka
