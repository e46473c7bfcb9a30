#include "runtime/states/states.hpp"

#include "runtime/files/files.hpp"
#include "runtime/scheduling/scheduling.hpp"
#include "runtime/states/memory_copy.hpp"
#include "runtime/states/segment_accesses.hpp"
#include "runtime/states/thread_places.hpp"
#include "runtime/worker/outcome.hpp"
#include "runtime/worker/worker.hpp"

namespace mazurka::runtime {
namespace {

void copy_state() {
  copy_memory();
  copy_threads();
}

StateHash compare_state() {
  StateHash delta;
  compare_memory(delta);
  compare_threads(delta);
  return delta;
}

}  // namespace

void prepare_states() {
  prepare_copies();
  prepare_places();
}

void begin_states() {
  scheduling.cleans_stack = true;
  scheduling.checkpoint_at = scheduling.pause_at;
  scheduling.pause_at = scheduling.step;
  worker.channel->delta_end = worker.channel->states_from;
}

bool reach_state() {
  protocol::Channel& channel = *worker.channel;
  const std::uint32_t step = scheduling.step;
  scheduling.pause_at = step + 1;
  note_position(self());
  end_segment(self());
  if (has_used_files()) refuse_without_state("a program that uses files", 0);
  if (step == channel.states_from) {
    copy_state();
  } else if (step > channel.states_from) {
    channel.deltas[step - 1] = compare_state();
    channel.delta_end = step;
  }
  if (step != scheduling.checkpoint_at) return false;
  scheduling.checkpoint_at = UINT32_MAX;
  return true;
}

void go_on_with_states() {
  scheduling.pause_at = scheduling.step + 1;
  if (scheduling.step >= worker.channel->states_from) copy_state();
}

void refuse_without_state(const char* what, std::uint64_t site) {
  if (!scheduling.keeps_states || !scheduling.exploring) return;
  char text[256];
  Text(text, sizeof text) << what << ", where states are asked for (--cutoffs),";
  unsupported(text, site);
}

}  // namespace mazurka::runtime
