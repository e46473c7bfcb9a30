// Names of the entities of one kind in an input, with their indices.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>

namespace mazurka::network {

class Names {
 public:
  /// Assigns the next index to `name`; none if it has one already.
  std::optional<std::uint32_t> add(const std::string& name) {
    const auto [entry, fresh] = index_.emplace(name, static_cast<std::uint32_t>(index_.size()));
    if (!fresh) return std::nullopt;
    return entry->second;
  }

  std::optional<std::uint32_t> find(const std::string& name) const {
    const auto entry = index_.find(name);
    if (entry == index_.end()) return std::nullopt;
    return entry->second;
  }

 private:
  std::unordered_map<std::string, std::uint32_t> index_;
};

}  // namespace mazurka::network
