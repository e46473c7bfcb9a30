// A vector for large data with random access: it lies in huge pages, and growing does not copy its elements.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <type_traits>

#include "core/huge_memory.hpp"

namespace mazurka {

template <class T>
class HugeVector {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

 public:
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T* data() { return data_; }
  const T* data() const { return data_; }
  T& operator[](std::size_t i) { return data_[i]; }
  const T& operator[](std::size_t i) const { return data_[i]; }
  T* begin() { return data_; }
  T* end() { return data_ + size_; }
  const T* begin() const { return data_; }
  const T* end() const { return data_ + size_; }

  void push_back(const T& element) {
    if (size_ == capacity_) {
      const T copy = element;  // it may refer to one of our elements
      reserve(size_ + 1);
      data_[size_++] = copy;
    } else {
      data_[size_++] = element;
    }
  }
  void append(std::span<const T> elements) {
    reserve(size_ + elements.size());
    std::copy(elements.begin(), elements.end(), data_ + size_);
    size_ += elements.size();
  }
  /// Appends `more` uninitialised elements, which the caller sets at once, and returns the first.
  T* extend(std::size_t more) {
    reserve(size_ + more);
    size_ += more;
    return data_ + size_ - more;
  }
  void resize(std::size_t size, const T& fill = T()) {
    if (size > size_) {
      reserve(size);
      std::fill(data_ + size_, data_ + size, fill);
    }
    size_ = size;
  }
  void assign(std::size_t size, const T& fill) {
    size_ = 0;
    resize(size, fill);
  }
  void clear() { size_ = 0; }

 private:
  void reserve(std::size_t size) {
    if (size <= capacity_) return;
    memory_.extend(std::max(size, 2 * capacity_) * sizeof(T));
    data_ = static_cast<T*>(memory_.get());
    capacity_ = memory_.bytes() / sizeof(T);
  }

  HugeMemory memory_;
  T* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace mazurka
