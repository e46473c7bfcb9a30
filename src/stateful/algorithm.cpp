#include "stateful/algorithm.hpp"

#include <algorithm>
#include <array>

namespace mazurka::stateful {

std::span<const Algorithm> algorithms() {
  static constexpr std::array kAlgorithms = {
      Algorithm{"reach", Source::Enabled, Test::None, Choice::Linear, false, "no reduction"},
      Algorithm{"pset+sleep", Source::PSet, Test::None, Choice::Linear, true, "smallest p-set, sleep sets"},
      Algorithm{"minclosure+sleep", Source::MinClosure, Test::None, Choice::Linear, true,
                "smallest closure, sleep sets"},
      Algorithm{"apifs+sleep", Source::Enabled, Test::Pifs, Choice::Pifs, true, "PIFS, sleep sets"},
      Algorithm{"full+sleep", Source::MinClosure, Test::Pifs, Choice::Pifs, true,
                "smallest closure, PIFS, sleep sets: Listing 6"},
      Algorithm{"full-sleep", Source::MinClosure, Test::Pifs, Choice::Pifs, false, "smallest closure, PIFS"},
      Algorithm{"lexclosure+sleep", Source::LexClosure, Test::Pifs, Choice::Pifs, true,
                "closure of the first enabled action, PIFS, sleep sets"},
      Algorithm{"ifs+sleep", Source::Enabled, Test::Ifs, Choice::Linear, true,
                "exact IFS test, sleep sets: Listing 2, for small systems"},
  };
  return kAlgorithms;
}

std::optional<Algorithm> find_algorithm(std::string_view name) {
  const auto all = algorithms();
  const auto found = std::find_if(all.begin(), all.end(), [&](const Algorithm& a) { return a.name == name; });
  if (found == all.end()) return std::nullopt;
  return *found;
}

}  // namespace mazurka::stateful
