#include "network/state_store.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <stdexcept>

#include <xxhash.h>

namespace mazurka::network {

StateStore::StateStore(std::uint32_t words) : words_(words) {
  // Blocks of two to four MiB, but at least 64 states.
  constexpr std::uint32_t kBlockWords = 1U << 19;
  block_bits_ = std::max(6U, static_cast<std::uint32_t>(std::bit_width(kBlockWords / words)) - 1);
  allocate_table(1U << 10);
}

void StateStore::allocate_table(std::size_t slots) {
  const std::size_t before = table_.bytes();
  table_.extend(slots * sizeof(Slot));
  if (before > 0) std::memset(table_.get(), 0, before);  // zeros: all slots are empty
  mask_ = slots - 1;
}

std::uint64_t StateStore::long_hash(const std::uint64_t* state) const {
  return XXH3_64bits(state, words_ * sizeof(std::uint64_t));
}

StateStore::Inserted StateStore::insert(const std::uint64_t* state, std::uint64_t hash) {
  if (std::size_t{size_} * 10 >= mask_ * 7) grow();
  const auto tag = static_cast<std::uint32_t>(hash >> 32);
  std::size_t position = hash & mask_;
  for (; table()[position].number != 0; position = (position + 1) & mask_) {
    if (table()[position].tag != tag) continue;
    const StateId id = table()[position].number - 1;
    if (equal(id, state)) return {id, false};
  }
  if (size_ == kNoState - 1) throw std::length_error("more than 4,294,967,294 states: the limit of one exploration");
  const StateId id = size_++;
  const std::size_t block_states = std::size_t{1} << block_bits_;
  if ((id >> block_bits_) == blocks_.size())
    blocks_.emplace_back(block_states * words_ * sizeof(std::uint64_t), blocks_.empty());
  std::memcpy(static_cast<std::uint64_t*>(blocks_[id >> block_bits_].get()) + (id & (block_states - 1)) * words_, state,
              words_ * sizeof(std::uint64_t));
  table()[position] = {id + 1, tag};
  return {id, true};
}

StateId StateStore::find(const std::uint64_t* state, std::uint64_t hash) const {
  const auto tag = static_cast<std::uint32_t>(hash >> 32);
  for (std::size_t position = hash & mask_; table()[position].number != 0; position = (position + 1) & mask_) {
    if (table()[position].tag != tag) continue;
    const StateId id = table()[position].number - 1;
    if (equal(id, state)) return id;
  }
  return kNoState;
}

void StateStore::grow() {
  // Rehashes the states, which are read sequentially, rather than the old table. Only the accesses to slots are random,
  // and those are prefetched.
  constexpr StateId kAhead = 16;
  std::array<std::uint64_t, kAhead> hashes{};
  allocate_table(2 * (mask_ + 1));
  for (StateId next = 0; next < size_ + kAhead; ++next) {
    if (next >= kAhead) {
      const std::uint64_t hash = hashes[next % kAhead];
      std::size_t position = hash & mask_;
      while (table()[position].number != 0) position = (position + 1) & mask_;
      table()[position] = {next - kAhead + 1, static_cast<std::uint32_t>(hash >> 32)};
    }
    if (next < size_) {
      hashes[next % kAhead] = hash((*this)[next]);
      prefetch(hashes[next % kAhead]);
    }
  }
}

std::size_t StateStore::bytes() const {
  return (blocks_.size() << block_bits_) * words_ * sizeof(std::uint64_t) + (mask_ + 1) * sizeof(Slot);
}

}  // namespace mazurka::network
