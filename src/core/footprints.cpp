#include "core/footprints.hpp"

#include <algorithm>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "core/error.hpp"
#include "core/random.hpp"

namespace mazurka {
namespace {

class Footprints {
 public:
  Footprints() {
    // Other explorers look at what was published: it stays where it is. What is not used of it costs nothing.
    entries_.reserve(kMost);
    operations_.reserve(kMostOperations);
    entries_.emplace_back();
    footprint_table = {entries_.data(), operations_.data()};
  }

  std::vector<FootprintValue> all() const {
    std::vector<FootprintValue> values;
    for (std::size_t i = 1; i < entries_.size(); ++i) {
      const auto begin = operations_.begin() + entries_[i].begin;
      values.push_back({{begin, begin + entries_[i].count}, entries_[i].choices});
    }
    return values;
  }

  std::uint64_t intern(std::span<const Operation> operations, std::uint32_t choices) {
    std::uint64_t hash = choices;
    for (const Operation& o : operations)
      hash = mixed(hash ^
                   mixed(o.object ^
                         mixed(static_cast<std::uint64_t>(o.kind) << 48 | static_cast<std::uint64_t>(o.flags) << 40 |
                               static_cast<std::uint64_t>(o.size) << 32 | o.detail) ^
                         o.second << 1));
    for (auto [at, end] = numbers_.equal_range(hash); at != end; ++at) {
      const Footprint& known = entries_[at->second];
      if (known.choices == choices && known.count == operations.size() &&
          std::equal(operations.begin(), operations.end(), operations_.begin() + known.begin))
        return at->second;
    }
    if (entries_.size() == kMost || operations.size() > kMostOperations - operations_.size())
      throw UnsupportedError("too many different atomic sections");
    const auto number = static_cast<std::uint32_t>(entries_.size());
    const bool ends_program = std::any_of(operations.begin(), operations.end(),
                                          [](const Operation& o) { return o.kind == OperationKind::Exit; });
    entries_.push_back({static_cast<std::uint32_t>(operations_.size()), static_cast<std::uint32_t>(operations.size()),
                        choices, static_cast<std::uint32_t>(hash), ends_program});
    operations_.insert(operations_.end(), operations.begin(), operations.end());
    numbers_.emplace(hash, number);
    return number;
  }

 private:
  static constexpr std::size_t kMost = 1U << 20;
  static constexpr std::size_t kMostOperations = 1U << 22;

  std::vector<Footprint> entries_;
  std::vector<Operation> operations_;
  std::unordered_multimap<std::uint64_t, std::uint32_t> numbers_;
};

std::mutex footprints_mutex;

Footprints& footprints() {
  static Footprints all;
  return all;
}

}  // namespace

std::uint64_t intern_footprint(std::span<const Operation> operations, std::uint32_t choices) {
  const std::lock_guard lock(footprints_mutex);
  return footprints().intern(operations, choices);
}

std::vector<FootprintValue> known_footprints() {
  const std::lock_guard lock(footprints_mutex);
  return footprints().all();
}

}  // namespace mazurka
