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

/// Records the delta of the last step.
void compare_state(protocol::Channel& channel) {
  const std::uint32_t step = scheduling.step - 1;
  StepChange change;
  change.is_listed = channel.settings.keeps_bytes;
  if (change.is_listed)
    channel.difference_ends[step] = step == channel.states_from ? 0 : channel.difference_ends[step - 1];
  compare_memory(change);
  compare_threads(change);
  channel.shared_deltas[step] = change.shared;
  channel.deltas[step] = change.own;
  channel.deltas[step] ^= change.shared;
  channel.delta_end = step + 1;
}

}  // namespace

void list_difference(std::uint64_t place, std::uint64_t bits) {
  protocol::Channel& channel = *worker.channel;
  std::uint32_t& end = channel.difference_ends[scheduling.step - 1];
  if (end == protocol::kMaxDifferences)
    unsupported("an execution whose steps change more than 32 MiB, with --exact,", 0);
  channel.differences[end++] = {place, bits};
}

void prepare_states() {
  prepare_copies();
  prepare_places();
  if (worker.channel->settings.keeps_bytes) prepare_segments();
}

void begin_states() {
  scheduling.cleans_stack = Cleans::All;
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
    compare_state(channel);
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
  Text(text, sizeof text) << what << ", with --cutoffs,";
  unsupported(text, site);
}

}  // namespace mazurka::runtime
