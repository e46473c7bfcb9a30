// Global states of a network packed to the bits they need: a component of n locations takes ceil(log2 n) bits, and no
// component straddles two words.
#pragma once

#include <cstdint>
#include <vector>

#include "network/network.hpp"

namespace mazurka::network {

class PackedLayout {
 public:
  explicit PackedLayout(const Network& network);

  /// 64-bit words of one state, at least one.
  std::uint32_t words() const { return words_; }
  std::uint32_t bits() const { return bits_; }

  LocationId get(const std::uint64_t* state, ComponentId component) const {
    const Slot& slot = slots_[component];
    return static_cast<LocationId>((state[slot.word] >> slot.shift) & slot.mask);
  }

  /// The word that holds `component`.
  std::uint32_t word(ComponentId component) const { return slots_[component].word; }

  void set(std::uint64_t* state, ComponentId component, LocationId location) const {
    const Slot& slot = slots_[component];
    state[slot.word] =
        (state[slot.word] & ~(std::uint64_t{slot.mask} << slot.shift)) | (std::uint64_t{location} << slot.shift);
  }

 private:
  struct Slot {
    std::uint32_t word;
    std::uint32_t shift;
    std::uint32_t mask;
  };
  std::vector<Slot> slots_;
  std::uint32_t words_ = 1;
  std::uint32_t bits_ = 0;
};

}  // namespace mazurka::network
