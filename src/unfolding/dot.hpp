// Draws an event structure for Graphviz: one row per process position, arrows for immediate causality, dotted red lines
// for immediate conflict.
#pragma once

#include <string>

#include "core/names.hpp"
#include "unfolding/event_structure.hpp"

namespace mazurka::unfolding {

std::string dot(const EventStructure& events, const Names& names);

}  // namespace mazurka::unfolding
