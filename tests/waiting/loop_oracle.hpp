// What a program with waiting loops can do, by the book: all its states one after the other, as if nobody had ever
// heard of idle rounds.
#pragma once

#include <optional>
#include <set>
#include <string>

#include "waiting/loop_program.hpp"

namespace mazurka::waiting {

struct Behaviour {
  std::set<std::string> ends;  ///< as the programs print them
  /// A state that is no end is reached from which no end is: somebody is blocked, or reads for ever.
  bool deadlock = false;
  /// Threads can change variables for ever, each giving others the reason to: no exploration of that ends.
  bool endless = false;
};

/// Nothing where there are too many states.
std::optional<Behaviour> behaviour(const Program& program, std::size_t most_states);

}  // namespace mazurka::waiting
