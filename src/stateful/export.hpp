// A finished reduced graph for other tools: DOT for pictures, AUT (Aldebaran) for CADP, mCRL2 and ltsmin. Dead nodes
// are left out: what is written is the reduced transition system.
#pragma once

#include <string>

#include "stateful/exploration.hpp"

namespace mazurka::stateful {

// Both need a complete exploration that kept its edges.
std::string to_dot(const Exploration& exploration);
std::string to_aut(const Exploration& exploration);

}  // namespace mazurka::stateful
