#include "network/state_store.hpp"

#include <cstring>
#include <limits>
#include <stdexcept>
#include <utility>

#include <xxhash.h>

namespace mazurka::network {

StateStore::StateStore(std::uint32_t words) : words_(words), table_(1U << 10) {}

std::uint64_t StateStore::hash(const std::uint64_t* state) const {
  if (words_ > 1) return XXH3_64bits(state, words_ * sizeof(std::uint64_t));
  std::uint64_t x = state[0] * 0x9e3779b97f4a7c15U;
  x ^= x >> 32;
  x *= 0xd6e8feb86659fd93U;
  return x ^ (x >> 29);
}

StateStore::Inserted StateStore::insert(const std::uint64_t* state, std::uint64_t hash) {
  if (std::size_t{size_} * 10 >= table_.size() * 7) grow();
  const auto tag = static_cast<std::uint32_t>(hash >> 32);
  const std::size_t mask = table_.size() - 1;
  const std::size_t bytes = words_ * sizeof(std::uint64_t);
  std::size_t position = hash & mask;
  for (; table_[position].number != 0; position = (position + 1) & mask) {
    if (table_[position].tag != tag) continue;
    const StateId id = table_[position].number - 1;
    if (std::memcmp((*this)[id], state, bytes) == 0) return {id, false};
  }
  if (size_ == std::numeric_limits<StateId>::max() - 1)
    throw std::length_error("more than 4,294,967,294 states: beyond what one exploration can number");
  const StateId id = size_++;
  if ((id >> kBlockBits) == blocks_.size())
    blocks_.push_back(std::make_unique_for_overwrite<std::uint64_t[]>(std::size_t{kBlockStates} * words_));
  std::memcpy(blocks_[id >> kBlockBits].get() + std::size_t{id & (kBlockStates - 1)} * words_, state, bytes);
  table_[position] = {id + 1, tag};
  return {id, true};
}

void StateStore::grow() {
  std::vector<Slot> old = std::exchange(table_, std::vector<Slot>(table_.size() * 2));
  const std::size_t mask = table_.size() - 1;
  for (const Slot& slot : old) {
    if (slot.number == 0) continue;
    std::size_t position = hash((*this)[slot.number - 1]) & mask;
    while (table_[position].number != 0) position = (position + 1) & mask;
    table_[position] = slot;
  }
}

std::size_t StateStore::bytes() const {
  return blocks_.size() * std::size_t{kBlockStates} * words_ * sizeof(std::uint64_t) + table_.size() * sizeof(Slot);
}

}  // namespace mazurka::network
