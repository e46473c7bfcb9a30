#include "stateful/big_natural.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace mazurka::stateful {

BigNatural& BigNatural::operator+=(std::uint64_t value) {
  for (std::size_t i = 0; value != 0; ++i) {
    if (i == limbs_.size()) limbs_.push_back(0);
    limbs_[i] += value;
    value = limbs_[i] < value ? 1 : 0;
  }
  return *this;
}

BigNatural& BigNatural::operator+=(const BigNatural& other) {
  if (limbs_.size() < other.limbs_.size()) limbs_.resize(other.limbs_.size(), 0);
  std::uint64_t carry = 0;
  for (std::size_t i = 0; i < limbs_.size(); ++i) {
    const std::uint64_t addend = i < other.limbs_.size() ? other.limbs_[i] : 0;
    const std::uint64_t sum = limbs_[i] + addend;
    const std::uint64_t total = sum + carry;
    carry = (sum < addend || total < carry) ? 1 : 0;
    limbs_[i] = total;
  }
  if (carry != 0) limbs_.push_back(1);
  return *this;
}

std::string BigNatural::digits() const {
  // Divides by 10^9, 32 bits at a time, so that every intermediate value fits in 64 bits.
  constexpr std::uint64_t kChunk = 1'000'000'000;
  if (limbs_.empty()) return "0";
  std::vector<std::uint32_t> rest;
  for (std::uint64_t limb : limbs_) {
    rest.push_back(static_cast<std::uint32_t>(limb));
    rest.push_back(static_cast<std::uint32_t>(limb >> 32));
  }
  std::vector<std::uint64_t> chunks;
  while (!rest.empty()) {
    std::uint64_t remainder = 0;
    for (auto part = rest.rbegin(); part != rest.rend(); ++part) {
      const std::uint64_t value = (remainder << 32) | *part;
      *part = static_cast<std::uint32_t>(value / kChunk);
      remainder = value % kChunk;
    }
    chunks.push_back(remainder);
    while (!rest.empty() && rest.back() == 0) rest.pop_back();
  }
  std::string text = fmt::format("{}", chunks.back());
  for (auto chunk = chunks.rbegin() + 1; chunk != chunks.rend(); ++chunk) text += fmt::format("{:09}", *chunk);
  return text;
}

}  // namespace mazurka::stateful
