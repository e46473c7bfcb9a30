// Foata normal form: the canonical representative of a class of equivalent executions. Level n holds the events whose
// longest chain of predecessors has n events; within a level, events are independent and sorted.
#pragma once

#include <cstdint>
#include <vector>

#include "core/execution.hpp"

namespace mazurka {

/// Equal for two executions exactly if they are equivalent (differ only in the order of independent steps).
/// A flat list: for each level its size, then the steps of its events in order.
using FoataForm = std::vector<std::uint32_t>;

FoataForm foata_normal_form(const std::vector<Event>& events);

/// The level of each event, from 0.
std::vector<std::uint32_t> foata_levels(const std::vector<Event>& events);

}  // namespace mazurka
