// Combinations that are known to be wrong and wait to be mended elsewhere. This is the only place where something is
// left out, and it is meant to be empty.
#pragma once

#include <array>
#include <string_view>

#include "pairs/comparison.hpp"
#include "pairs/feature.hpp"
#include "pairs/programs.hpp"

namespace mazurka::pairs {

/// `either` and `other` are features, empty for any; a missing mode or explorer stands for all of them.
struct Known {
  const char* why;
  std::string_view either;
  std::string_view other;
  bool (*in)(const Mode&, Explorer);
};

inline bool everywhere(const Mode&, Explorer) { return true; }
inline bool in_explore(const Mode& mode, Explorer) { return mode.plain == protocol::Plain::Explore; }
inline bool by_process(const Mode& mode, Explorer) { return mode.exit == protocol::Exit::Process; }

inline constexpr std::array<Known, 0> kKnown{};

inline bool is_known(const Pair& pair, const Mode& mode, Explorer explorer) {
  const std::string_view a = features()[pair.first].name;
  const std::string_view b = features()[pair.second].name;
  const auto fits = [](std::string_view wanted, std::string_view name) { return wanted.empty() || wanted == name; };
  for (const Known& known : kKnown)
    if (((fits(known.either, a) && fits(known.other, b)) || (fits(known.either, b) && fits(known.other, a))) &&
        known.in(mode, explorer))
      return true;
  return false;
}

}  // namespace mazurka::pairs
