// The algorithms of §11 of *Revisiting Stateful POR*: instances of one exploration (Listing 6).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace mazurka::stateful {

/// What ChooseClosure returns.
enum class Source : std::uint8_t {
  Enabled,     ///< all enabled actions
  PSet,        ///< the smallest p-set
  LexClosure,  ///< the closure of the first enabled action
  MinClosure,  ///< the smallest closure
};

/// The test of line 14: does a successor have anything left to explore?
enum class Test : std::uint8_t { None, Pifs, Ifs };

/// The order in which actions are chosen.
enum class Choice : std::uint8_t { Linear, Pifs };

struct Algorithm {
  std::string_view name;
  Source source;
  Test test;
  Choice choice;
  bool sleep;  ///< whether nodes pass on their sleep sets
  std::string_view description;
};

std::span<const Algorithm> algorithms();
std::optional<Algorithm> find_algorithm(std::string_view name);

}  // namespace mazurka::stateful
