// A frame extends from the stack pointer at its call of the next inner function up to the stack pointer at its caller's
// call. Between two of its operations a thread has no visible effect, so the last recorded stack is still valid.
#include "runtime/scheduling/frames.hpp"

#include <iterator>

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

/// Fixed before the snapshot is taken.
struct TestFrames {
  std::uint32_t count;
  protocol::Frame frames[64];
} test_frames;

int add_test_frame(void*, unsigned long address, unsigned long stack) {
  test_frames.frames[test_frames.count++] = {image.has_code(address) ? address - image.base : 0, stack};
  return test_frames.count < std::size(test_frames.frames) ? 1 : 0;
}

/// The frame that contains an address; its address is 0 if there is none.
HeapBlock find_in(const protocol::Frame* frames, std::uint32_t count, std::uint64_t address) {
  for (std::uint32_t i = 0; i + 1 < count; ++i) {
    const std::uint64_t end = frames[i + 1].stack;
    if (address < frames[i].stack || address >= end) continue;
    if (frames[i].site == 0) return {};
    return {address, 1, frames[i].site, end - address};
  }
  return {};
}

/// The thread that owns this stack address; kNoProcess if it is not on a stack.
std::uint32_t owner_of(std::uint64_t address) { return is_on_stack(address) ? slot_of(address) : kNoProcess; }

}  // namespace

void note_frames() {
  protocol::Channel& channel = *worker.channel;
  std::uint32_t number = channel.frame_note_count;
  // One operation may ask for its site several times.
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

void note_frames_of_test() {
  test_frames.count = 0;
  mazurka_for_each_frame(add_test_frame, nullptr);
}

HeapBlock stack_object(std::uint64_t address, std::uint32_t event) {
  const std::uint32_t owner = owner_of(address);
  const protocol::Channel& channel = *worker.channel;
  if (owner == kNoProcess)
    return worker.closure ? find_in(test_frames.frames, test_frames.count, address) : HeapBlock{};
  const protocol::FrameNote* latest = nullptr;
  for (std::uint32_t i = 0; i < channel.frame_note_count && channel.frame_notes[i].event <= event; ++i)
    if (channel.frame_notes[i].process == owner) latest = &channel.frame_notes[i];
  if (latest == nullptr) return {};
  return find_in(channel.frames + latest->begin, latest->count, address);
}

}  // namespace mazurka::runtime
