// Values as bytes and back, for messages between processes of one binary on one kind of machine. Reading trusts
// nothing: what is too short, too long or no value of its type throws DamagedMessage.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace mazurka {

using Bytes = std::vector<std::byte>;

/// Bytes that are not what they should be.
class DamagedMessage : public std::runtime_error {
 public:
  DamagedMessage() : std::runtime_error("a message between ranks is damaged") {}
};

/// What may be copied byte by byte: every combination of bytes is a value.
template <typename T>
concept Number = std::is_arithmetic_v<T> && !std::is_same_v<T, bool>;

class ByteWriter {
 public:
  template <Number T>
  void number(T value) {
    append(&value, sizeof value);
  }
  void flag(bool value) { number(static_cast<std::uint8_t>(value ? 1 : 0)); }
  template <typename E>
  requires std::is_enum_v<E>
  void choice(E value) { number(static_cast<std::underlying_type_t<E>>(value)); }
  void text(std::string_view text) {
    number(static_cast<std::uint64_t>(text.size()));
    append(text.data(), text.size());
  }
  void bytes(std::span<const std::byte> all) {
    number(static_cast<std::uint64_t>(all.size()));
    append(all.data(), all.size());
  }
  /// As many as there are, then each as `write` does it.
  template <typename List, typename Write>
  void list(const List& values, const Write& write) {
    number(static_cast<std::uint64_t>(values.size()));
    for (const auto& value : values) write(value);
  }

  const Bytes& written() const { return bytes_; }
  Bytes take() { return std::move(bytes_); }

 private:
  void append(const void* from, std::size_t count) {
    if (count == 0) return;
    const std::size_t before = bytes_.size();
    bytes_.resize(before + count);
    std::memcpy(bytes_.data() + before, from, count);
  }

  Bytes bytes_;
};

class ByteReader {
 public:
  /// \pre The bytes outlive it.
  explicit ByteReader(std::span<const std::byte> bytes) : left_(bytes) {}

  template <Number T>
  T number() {
    T value;
    std::memcpy(&value, take(sizeof value).data(), sizeof value);
    return value;
  }
  template <Number T>
  void number(T& value) {
    value = number<T>();
  }
  bool flag() {
    const auto value = number<std::uint8_t>();
    if (value > 1) throw DamagedMessage();
    return value == 1;
  }
  /// \pre The values of E are those from 0 to `last`.
  template <typename E>
  requires std::is_enum_v<E> E choice(E last) {
    const auto value = number<std::underlying_type_t<E>>();
    if (value < 0 || value > static_cast<std::underlying_type_t<E>>(last)) throw DamagedMessage();
    return static_cast<E>(value);
  }
  std::string text() {
    const auto all = sized();
    return {reinterpret_cast<const char*>(all.data()), all.size()};
  }
  Bytes bytes() {
    const auto all = sized();
    return {all.begin(), all.end()};
  }
  /// The same without a copy.
  std::span<const std::byte> part() { return sized(); }
  /// `read` reads one of them, which takes a byte at least.
  template <typename T, typename Read>
  std::vector<T> list(const Read& read) {
    const auto count = number<std::uint64_t>();
    if (count > left_.size()) throw DamagedMessage();
    std::vector<T> values;
    values.reserve(count);
    for (std::uint64_t i = 0; i < count; ++i) values.push_back(read());
    return values;
  }
  bool is_empty() const { return left_.empty(); }
  /// Nothing may follow.
  void end() const {
    if (!left_.empty()) throw DamagedMessage();
  }

 private:
  std::span<const std::byte> sized() {
    const auto count = number<std::uint64_t>();
    if (count > left_.size()) throw DamagedMessage();
    return take(count);
  }
  std::span<const std::byte> take(std::size_t count) {
    if (count > left_.size()) throw DamagedMessage();
    const auto taken = left_.first(count);
    left_ = left_.subspan(count);
    return taken;
  }

  std::span<const std::byte> left_;
};

}  // namespace mazurka
