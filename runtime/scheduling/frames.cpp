// A frame reaches from the stack pointer while its function calls another to that while its caller calls it. A thread
// stays where it is between two of its operations as far as others can see, so what was noted last holds.
#include "runtime/scheduling/frames.hpp"

#include "runtime/memory/layout.hpp"
#include "runtime/posix/unwind.h"
#include "runtime/scheduling/scheduling.hpp"
#include "runtime/worker/image.hpp"
#include "runtime/worker/worker.hpp"

namespace mazurka::runtime {
namespace {

int add_frame(void* argument, unsigned long address, unsigned long stack) {
  protocol::Channel& channel = *worker.channel;
  auto& note = *static_cast<protocol::FrameNote*>(argument);
  if (note.begin + note.count == protocol::kMaxFramesNoted) return 0;
  channel.frames[note.begin + note.count++] = {image.has_code(address) ? address - image.base : 0, stack};
  return 1;
}

/// Whose stack this is; kNoProcess if it is no stack.
std::uint32_t owner_of(std::uint64_t address) { return is_on_stack(address) ? slot_of(address) : kNoProcess; }

}  // namespace

void note_frames() {
  protocol::Channel& channel = *worker.channel;
  std::uint32_t number = channel.frame_note_count;
  // One operation may ask for its site more than once.
  if (number > 0 && channel.frame_notes[number - 1].event == scheduling.step &&
      channel.frame_notes[number - 1].process == self().index)
    --number;
  if (number == protocol::kMaxFrameNotes) return;
  protocol::FrameNote& note = channel.frame_notes[number];
  const std::uint32_t begin =
      number == 0 ? 0 : channel.frame_notes[number - 1].begin + channel.frame_notes[number - 1].count;
  note = {scheduling.step, self().index, begin, 0};
  mazurka_for_each_frame(add_frame, &note);
  channel.frame_note_count = number + 1;
}

HeapBlock stack_object(std::uint64_t address, std::uint32_t event) {
  const std::uint32_t owner = owner_of(address);
  const protocol::Channel& channel = *worker.channel;
  if (owner == kNoProcess) return {};
  const protocol::FrameNote* latest = nullptr;
  for (std::uint32_t i = 0; i < channel.frame_note_count && channel.frame_notes[i].event <= event; ++i)
    if (channel.frame_notes[i].process == owner) latest = &channel.frame_notes[i];
  if (latest == nullptr) return {};
  for (std::uint32_t i = latest->begin; i + 1 < latest->begin + latest->count; ++i) {
    const std::uint64_t end = channel.frames[i + 1].stack;
    if (address < channel.frames[i].stack || address >= end) continue;
    if (channel.frames[i].site == 0) return {};
    return {address, 1, channel.frames[i].site, end - address};
  }
  return {};
}

}  // namespace mazurka::runtime
