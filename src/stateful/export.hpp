// Writes a finished reduced graph for other tools: DOT for drawings, AUT (Aldebaran) for CADP, mCRL2 and ltsmin. Dead
// nodes are left out: the result is the reduced transition system.
#pragma once

#include <string>

#include "stateful/graph_explorer.hpp"

namespace mazurka::stateful {

// \pre The exploration is complete and kept its edges (both functions).
std::string to_dot(const GraphExplorer& explorer);
std::string to_aut(const GraphExplorer& explorer);

}  // namespace mazurka::stateful
