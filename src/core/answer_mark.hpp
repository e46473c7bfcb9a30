// Lets an executor refill an execution incrementally: the mark says which answer the execution holds, so that only the
// events that differ from it are copied.
#pragma once

#include <cstdint>
#include <utility>

namespace mazurka {

/// Which answer of which executor an execution holds. Copying an execution clears the mark of the copy, since its owner
/// may change it.
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
