// Global states of a network packed to the bits they need: a component of n locations takes ceil(log2 n) bits, and no
// component straddles two words.
#pragma once

#include <cstdint>
#include <vector>

#include "network/network.hpp"

namespace mazurka::network {

/// The bits of a component in a packed state.
struct PackedField {
  std::uint32_t word;
  std::uint32_t shift;
  std::uint32_t mask;

  LocationId get(const std::uint64_t* state) const { return static_cast<LocationId>((state[word] >> shift) & mask); }
};

class PackedLayout {
 public:
  explicit PackedLayout(const Network& network);

  /// The number of 64-bit words per state, at least one.
  std::uint32_t words() const { return words_; }
  std::uint32_t bits() const { return bits_; }

  const PackedField& field(ComponentId component) const { return fields_[component]; }
  LocationId get(const std::uint64_t* state, ComponentId component) const { return fields_[component].get(state); }
  void set(std::uint64_t* state, ComponentId component, LocationId location) const {
    const PackedField& field = fields_[component];
    state[field.word] =
        (state[field.word] & ~(std::uint64_t{field.mask} << field.shift)) | (std::uint64_t{location} << field.shift);
  }

 private:
  std::vector<PackedField> fields_;
  std::uint32_t words_ = 1;
  std::uint32_t bits_ = 0;
};

}  // namespace mazurka::network
