// Formats messages without the C library.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/worker/worker.hpp"

namespace mazurka::runtime {

class Text {
 public:
  Text(char* buffer, std::size_t capacity) : buffer_(buffer), capacity_(capacity) { buffer_[0] = 0; }

  Text& operator<<(const char* text) {
    for (; text != nullptr && *text != 0; ++text) put(*text);
    return *this;
  }
  Text& operator<<(long number) {
    if (number < 0) put('-');
    return decimal(number < 0 ? 0 - static_cast<std::uint64_t>(number) : static_cast<std::uint64_t>(number));
  }
  Text& operator<<(int number) { return *this << static_cast<long>(number); }
  Text& operator<<(unsigned number) { return decimal(number); }
  Text& operator<<(const void* address) {
    *this << "0x";
    const auto value = reinterpret_cast<std::uintptr_t>(address);
    int shift = 60;
    while (shift > 0 && (value >> shift & 15U) == 0) shift -= 4;
    for (; shift >= 0; shift -= 4) put("0123456789abcdef"[value >> shift & 15U]);
    return *this;
  }
  /// The path of creation of a thread, such as `0.1.2`.
  Text& thread(ProcessIndex index) {
    const protocol::ProcessEntry entry = (*worker.processes)[index];
    if (entry.parent == kNoProcess) return decimal(entry.number - 1U);
    thread(entry.parent);
    put('.');
    return decimal(entry.number);
  }
  std::size_t size() const { return size_; }

 private:
  void put(char c) {
    if (size_ + 1 < capacity_) buffer_[size_++] = c;
    buffer_[size_] = 0;
  }
  Text& decimal(std::uint64_t number) {
    char digits[24];
    int count = 0;
    do digits[count++] = static_cast<char>('0' + number % 10);
    while ((number /= 10) != 0);
    while (count > 0) put(digits[--count]);
    return *this;
  }

  char* buffer_;
  std::size_t capacity_;
  std::size_t size_ = 0;
};

}  // namespace mazurka::runtime
