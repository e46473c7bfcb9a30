// Foata normal form: the canonical representative of an equivalence class of executions (a Mazurkiewicz trace). Level n
// holds the events whose longest chain of predecessors has n events; the events of a level are pairwise independent,
// and sorted.
#pragma once

#include <cstdint>
#include <vector>

#include "core/execution.hpp"

namespace mazurka {

/// Equal for two executions if and only if they are equivalent, that is, differ only in the order of independent steps.
/// A flat list: for each level its size, then the steps of its events in order.
using FoataForm = std::vector<std::uint32_t>;

FoataForm foata_normal_form(const std::vector<Event>& events);

/// The level of each event, from 0.
std::vector<std::uint32_t> foata_levels(const std::vector<Event>& events);

}  // namespace mazurka
