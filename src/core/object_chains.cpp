#include "core/object_chains.hpp"

#include <algorithm>
#include <utility>

#include "core/footprint.hpp"

namespace mazurka {
namespace {

constexpr unsigned kSpaceShift = 60;  // families without addresses use key spaces above those of memory
constexpr unsigned kGranuleShift = 3;
// Accesses are small; freed blocks may have any size.
constexpr std::uint64_t kMostGranules = 64;

}  // namespace

void ObjectChains::find(const Operation& operation, Set& set) {
  set.related.clear();
  set.own.clear();
  if (const ChainIndex chain = only(operation); chain != kNoChain) {
    set.related.push_back(chain);
    set.own.push_back(chain);
  } else if (family(operation.kind) != Family::Section) {
    add(operation, set);
  } else if (operation.object != kUnknownFootprint) {
    for (const Operation& inside : FootprintRange(operation)) add(inside, set);
  }
}

/// Adds the chains of one operation, which may be several.
void ObjectChains::add(const Operation& operation, Set& set) {
  const Family kind = family(operation.kind);
  if (kind == Family::Local || kind == Family::World) return;
  // Objects without an address are numbered per family; the address of an annotation is only a name, so it has a space
  // of its own.
  const std::uint64_t space = lies_in_memory(kind) ? 0 : static_cast<std::uint64_t>(kind) << kSpaceShift;
  const std::uint64_t end = operation.object + extent(operation);
  const std::uint64_t second = second_object(operation);
  const bool has_second = second != 0 && space == 0;
  const bool first = set.own.empty();
  const auto own = [&](std::uint64_t object, std::uint64_t behind) {
    const ChainIndex chain = find_range(object, behind, space, set);
    if (first || std::find(set.own.begin(), set.own.end(), chain) == set.own.end()) set.own.push_back(chain);
  };
  own(operation.object, end);
  if (has_second)
    own(second, second + 1);
  else if (first && set.related.size() == 1)
    alone_place(operation) = {operation.object, end, kind, set.own[0]};
}

/// Adds the chains of all objects that overlap the range to the set, and returns the chain of the range itself.
ObjectChains::ChainIndex ObjectChains::find_range(std::uint64_t object, std::uint64_t end, std::uint64_t space,
                                                  Set& set) {
  const std::uint64_t first = object >> kGranuleShift;
  const std::uint64_t last = (end - 1) >> kGranuleShift;
  ChainIndex own = kNoChain;
  const auto add_if_met = [&](ChainIndex index) {
    const Chain& chain = chains_[index];
    if (chain.object >= end || chain.end <= object) return;
    if (chain.object == object && chain.end == end) own = index;
    // A range over several granules is found several times.
    if ((first == last && set.own.empty()) ||
        std::find(set.related.begin(), set.related.end(), index) == set.related.end())
      set.related.push_back(index);
  };
  const bool wide = last - first >= kMostGranules;
  if (wide) {
    for (ChainIndex index = 0; index < chains_.size(); ++index) add_if_met(index);
  } else {
    for (std::uint64_t key = first; key <= last; ++key)
      for (const ChainIndex index : granules_[granule(key | space)]) add_if_met(index);
    for (const ChainIndex index : wide_) add_if_met(index);
  }
  if (own != kNoChain) return own;
  own = static_cast<ChainIndex>(chains_.size());
  alone_.fill({});
  chains_.push_back({object, end, {}, 0, Family::Local, true});
  if (wide)
    wide_.push_back(own);
  else
    for (std::uint64_t key = first; key <= last; ++key) granules_[granule(key | space)].push_back(own);
  set.related.push_back(own);
  return own;
}

void ObjectChains::push(ChainIndex index, EventIndex event, const Operation& operation) {
  Chain& chain = chains_[index];
  const Family kind = family(operation.kind);
  // The begin and end of the object's lifetime interfere with operations of any family.
  if (kind != Family::Lifetime) {
    if (chain.family == Family::Local) chain.family = kind;
    chain.uniform = chain.uniform && chain.family == kind;
  }
  chain.kinds |= set_of(operation.kind);
  chain.events.push_back(event);
}

std::uint32_t ObjectChains::granule(std::uint64_t key) {
  if (slots_.size() <= 2 * granules_.size()) grow();
  const std::size_t mask = slots_.size() - 1;
  std::size_t at = hash(key) & mask;
  while (slots_[at].granule != kNoGranule && slots_[at].key != key) at = (at + 1) & mask;
  if (slots_[at].granule == kNoGranule) {
    slots_[at] = {key, static_cast<std::uint32_t>(granules_.size())};
    granules_.emplace_back();
  }
  return slots_[at].granule;
}

void ObjectChains::grow() {
  const std::vector<Slot> old = std::exchange(slots_, std::vector<Slot>(slots_.empty() ? 64 : slots_.size() * 2));
  const std::size_t mask = slots_.size() - 1;
  for (const Slot& slot : old) {
    if (slot.granule == kNoGranule) continue;
    std::size_t at = hash(slot.key) & mask;
    while (slots_[at].granule != kNoGranule) at = (at + 1) & mask;
    slots_[at] = slot;
  }
}

}  // namespace mazurka
