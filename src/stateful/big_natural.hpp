// Unbounded natural numbers, with the operations that counting paths needs: addition, comparison with zero, decimal
// digits.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace mazurka::stateful {

class BigNatural {
 public:
  BigNatural() = default;
  explicit BigNatural(std::uint64_t value) {
    if (value != 0) limbs_.push_back(value);
  }

  void clear() { limbs_.clear(); }
  BigNatural& operator+=(const BigNatural& other);
  BigNatural& operator+=(std::uint64_t value);

  /// The value, if it fits.
  bool fits() const { return limbs_.size() <= 1; }
  std::uint64_t low() const { return limbs_.empty() ? 0 : limbs_.front(); }
  std::string digits() const;

  friend bool operator==(const BigNatural&, const BigNatural&) = default;

 private:
  std::vector<std::uint64_t> limbs_;  // least significant first, no leading zeros
};

}  // namespace mazurka::stateful
