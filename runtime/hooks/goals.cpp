// Goals: what some execution must reach. They are noted in the channel, where they outlive the execution; that is not a
// step, since nothing of the program depends on it.
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

/// The goal of this name, which may be new.
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

// A trial only asks what a thread would do: nothing is reached by it.
MAZURKA_EXPORT void mazurka_goal(const char* name) {
  if (!scheduling.in_trial) goal_named(name, MAZURKA_SITE).declared = 1;
}
MAZURKA_EXPORT void mazurka_reached(const char* name) {
  if (!scheduling.in_trial) goal_named(name, MAZURKA_SITE).reached = 1;
}
