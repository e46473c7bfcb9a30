// How far an exploration came that did not see everything: what it has explored, and where threads still went on.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/bound.hpp"
#include "core/code_place.hpp"

namespace mazurka::report {

/// Where processes were that a limit or a bound stopped.
struct CutPlace {
  std::string text;              ///< `queue.cpp:12 (push)`; of a network, the process
  CodePlace place;               ///< the same, where there is code
  bool creates_thread = false;   ///< it was about to
  std::uint64_t executions = 0;  ///< in which one was stopped there
};

struct Reach {
  bool deepened = false;           ///< there were several explorations, each of which went further (core/deepening.hpp)
  Bound bound;                     ///< of the last one
  Bound explored = {0, 0};         ///< everything within this one was explored
  std::uint64_t explorations = 0;  ///< how many there were
  std::uint64_t runs = 0;          ///< executions of all of them
  std::vector<CutPlace> cut;       ///< by number of executions, the most first
};

/// What was explored, and where executions go on, in one sentence; empty where there was one exploration only.
std::string sentence(const Reach& reach);

}  // namespace mazurka::report
