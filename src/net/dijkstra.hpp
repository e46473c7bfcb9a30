// Dijkstra's mutual exclusion protocol (1965) for n processes as a contextual net: the family `dij` of the benchmark
// collection, which lacks the larger members.
#pragma once

#include "net/net.hpp"

namespace mazurka::net {

/// Places b[i], c[i] (false and true), k=i, and the locations l0 … l6 of each process; reading a variable is a read
/// arc.
Net dijkstra(unsigned processes);

}  // namespace mazurka::net
