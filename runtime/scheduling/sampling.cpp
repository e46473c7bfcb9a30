#include "runtime/scheduling/sampling.hpp"

#include "core/dependence.hpp"
#include "runtime/scheduling/scheduling.hpp"
#include "runtime/worker/worker.hpp"

namespace mazurka::runtime {
namespace {

/// An aim that cannot be reached must not hold back its reader forever while other threads loop.
constexpr std::uint32_t kPatience = 1U << 14;

constexpr std::int32_t kHelps = 2;
constexpr std::int32_t kSpoils = -4;            // outweighs what another aim gains
constexpr std::int32_t kGivesWayFirst = -1000;  // yields of waiting loops come last

std::int32_t score_for(std::uint32_t index, const Operation& next, std::uint64_t site) {
  const Aim& aim = sampling.guidance.aims[index];
  if (sampling.done[index] || next.object != aim.pair.object) return 0;
  const bool in_place = sampling.last_writer[index] == aim.pair.writer;
  if (is_reader(next) && site == aim.pair.reader) return in_place == aim.wanted ? kHelps : kSpoils;
  if (!is_writer(next)) return 0;
  const bool will_be_in_place = site == aim.pair.writer;
  if (in_place == will_be_in_place) return 0;
  return will_be_in_place == aim.wanted ? kHelps / 2 : kSpoils;
}

}  // namespace

constinit Sampling sampling{};

void begin_sampling() {
  sampling.guidance = worker.channel->guidance;
  sampling.priorities.begin(scheduling.continuation, scheduling.random, sampling.guidance, sampling.of_process);
  if (sampling.guidance.change_count > Guidance::kMaxChanges) sampling.guidance.change_count = 0;
  if (sampling.guidance.aim_count > Guidance::kMaxAims) sampling.guidance.aim_count = 0;
  for (std::uint32_t i = 0; i < Guidance::kMaxAims; ++i) {
    sampling.last_writer[i] = 0;
    sampling.done[i] = false;
  }
}

Rank rank_of(const Thread& thread) {
  Rank rank{0, sampling.priorities.of(thread.index)};
  if ((thread.pending.flags & kGivesWay) != 0) rank.score = kGivesWayFirst;
  if (scheduling.continuation == Continuation::ReadsFrom && scheduling.step < kPatience)
    for (std::uint32_t i = 0; i < sampling.guidance.aim_count; ++i)
      rank.score += score_for(i, thread.pending, thread.site);
  return rank;
}

void note_choice(const Thread& thread) {
  const Operation& taken = thread.pending;
  sampling.priorities.take(thread.index, taken, std::uint64_t{scheduling.step} + 1);
  if (!sampling.priorities.redraws()) return;
  for (std::uint32_t i = 0; i < scheduling.thread_end; ++i)
    if (threads.all[i].life == Life::Live && i != thread.index && dependent(threads.all[i].pending, taken))
      sampling.priorities.redraw(i);
  for (std::uint32_t i = 0; i < sampling.guidance.aim_count; ++i) {
    const Aim& aim = sampling.guidance.aims[i];
    if (taken.object != aim.pair.object) continue;
    const bool in_place = sampling.last_writer[i] == aim.pair.writer;
    if (is_reader(taken) && thread.site == aim.pair.reader && in_place == aim.wanted) sampling.done[i] = true;
    if (is_writer(taken)) sampling.last_writer[i] = thread.site;
  }
}

}  // namespace mazurka::runtime
