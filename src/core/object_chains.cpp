#include "core/object_chains.hpp"

#include <utility>

namespace mazurka {
namespace {

// Keys: granules of memory stay below these bits.
constexpr std::uint64_t kThreadBit = std::uint64_t{1} << 63;
constexpr std::uint64_t kServerBit = std::uint64_t{1} << 62;
constexpr unsigned kGranuleShift = 3;

std::size_t spread(std::uint64_t key) { return static_cast<std::size_t>((key * 0x9e3779b97f4a7c15ULL) >> 32); }

}  // namespace

void ObjectChains::find(const Operation& operation, Set& set) {
  set.count = 0;
  switch (family(operation.kind)) {
    case Family::Local:
    case Family::World: return;
    case Family::Thread: set.chains[set.count++] = chain_of(operation.object | kThreadBit); return;
    case Family::Server: set.chains[set.count++] = chain_of(operation.object | kServerBit); return;
    default: break;
  }
  const std::uint64_t first = operation.object >> kGranuleShift;
  const std::uint64_t last = operation.size > 1 ? (operation.object + operation.size - 1) >> kGranuleShift : first;
  for (std::uint64_t granule = first; granule <= last; ++granule) set.chains[set.count++] = chain_of(granule);
  const std::uint64_t second = operation.second >> kGranuleShift;
  if (operation.second != 0 && (second < first || second > last)) set.chains[set.count++] = chain_of(second);
}

void ObjectChains::push(const Set& set, EventIndex event, const Operation& operation) {
  for (const ChainIndex index : set) {
    Chain& chain = chains_[index];
    if (chain.family == Family::Local) {
      chain.family = family(operation.kind);
      chain.object = operation.object;
      chain.size = operation.size;
    }
    chain.uniform = chain.uniform && chain.family == family(operation.kind) && chain.object == operation.object &&
                    chain.size == operation.size;
    chain.kinds |= std::uint64_t{1} << static_cast<int>(operation.kind);
    chain.events.push_back(event);
  }
}

ObjectChains::ChainIndex ObjectChains::chain_of(std::uint64_t key) {
  if (slots_.size() <= 2 * chains_.size()) grow();
  const std::size_t mask = slots_.size() - 1;
  std::size_t at = spread(key) & mask;
  while (slots_[at].chain != kNone && slots_[at].key != key) at = (at + 1) & mask;
  if (slots_[at].chain == kNone) {
    slots_[at] = {key, static_cast<ChainIndex>(chains_.size())};
    chains_.emplace_back();
  }
  return slots_[at].chain;
}

void ObjectChains::grow() {
  const std::vector<Slot> old = std::exchange(slots_, std::vector<Slot>(slots_.empty() ? 64 : slots_.size() * 2));
  const std::size_t mask = slots_.size() - 1;
  for (const Slot& slot : old) {
    if (slot.chain == kNone) continue;
    std::size_t at = spread(slot.key) & mask;
    while (slots_[at].chain != kNone) at = (at + 1) & mask;
    slots_[at] = slot;
  }
}

}  // namespace mazurka
