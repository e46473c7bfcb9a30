// Goals that some execution must reach. They are recorded in the channel, which outlives the execution. That is not a
// scheduling point, since the program cannot observe it.
#include <mazurka/mazurka.h>
#include <string.h>

#include "runtime/arch.hpp"
#include "runtime/export.hpp"
#include "runtime/scheduling/scheduling.hpp"
#include "runtime/scheduling/site.hpp"
#include "runtime/worker/outcome.hpp"
#include "runtime/worker/worker.hpp"

namespace mazurka::runtime {
namespace {

/// Finds or adds the goal of this name.
protocol::Goal& goal_named(const char* name, std::uint64_t site) {
  protocol::Channel& channel = *worker.channel;
  const std::size_t length = strlen(name);
  if (length >= protocol::kGoalBytes) unsupported("a goal whose name has more than 119 characters", site);
  for (std::uint32_t i = 0; i < channel.goal_count; ++i)
    if (strcmp(channel.goals[i].name, name) == 0) return channel.goals[i];
  if (channel.goal_count == protocol::kMaxGoals) unsupported("more than 256 different goals", site);
  protocol::Goal& goal = channel.goals[channel.goal_count];
  copy_bytes(goal.name, name, length + 1);
  goal.declared = goal.reached = 0;
  ++channel.goal_count;
  return goal;
}

}  // namespace
}  // namespace mazurka::runtime

using namespace mazurka::runtime;

// A trial only probes what a thread would do: it reaches no goals.
MAZURKA_EXPORT void mazurka_goal(const char* name) {
  if (!scheduling.in_trial) goal_named(name, MAZURKA_SITE).declared = 1;
}
MAZURKA_EXPORT void mazurka_reached(const char* name) {
  if (!scheduling.in_trial) goal_named(name, MAZURKA_SITE).reached = 1;
}
