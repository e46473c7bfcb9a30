// The order with the fewest context switches among all that keep dependent steps in their order.
//
// A thread that runs goes on as long as it can: steps that are brought forward never hinder others, so some optimal
// order consists of such blocks only, and a breadth-first search over the sets of steps they lead to finds it. Beyond a
// number of sets per level only the fullest are kept; the order is then good, not best.
#pragma once

#include <functional>
#include <vector>

#include "core/execution.hpp"

namespace mazurka::report {

/// `last_stays`: the last event remains the last, because the execution failed in it. Nothing where `stop` says that it
/// takes too long.
std::vector<Step> linearise(
    const std::vector<Event>& events, bool last_stays, const std::function<bool()>& stop = [] { return false; });

}  // namespace mazurka::report
