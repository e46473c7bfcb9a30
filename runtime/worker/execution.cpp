#include "runtime/worker/execution.hpp"

#include <stdio.h>

#include "runtime/arch.hpp"
#include "runtime/detector/clocks.hpp"
#include "runtime/detector/detector.hpp"
#include "runtime/detector/intended_races.hpp"
#include "runtime/files/file_changes.hpp"
#include "runtime/files/files.hpp"
#include "runtime/memory/checkpoint.hpp"
#include "runtime/memory/heap.hpp"
#include "runtime/memory/memory.hpp"
#include "runtime/messages/mailbox.hpp"
#include "runtime/posix/c_library.hpp"
#include "runtime/posix/exit.hpp"
#include "runtime/posix/signal_delivery.hpp"
#include "runtime/posix/threads.hpp"
#include "runtime/scheduling/donors.hpp"
#include "runtime/scheduling/frames.hpp"
#include "runtime/scheduling/scheduler.hpp"
#include "runtime/scheduling/scheduling.hpp"
#include "runtime/scheduling/sections.hpp"
#include "runtime/scheduling/site.hpp"
#include "runtime/scheduling/thread_table.hpp"
#include "runtime/states/states.hpp"
#include "runtime/waiting/back_offs.hpp"
#include "runtime/waiting/private_stacks.hpp"
#include "runtime/waiting/trial.hpp"
#include "runtime/worker/channel.hpp"
#include "runtime/worker/debugger.hpp"
#include "runtime/worker/outcome.hpp"
#include "runtime/worker/worker.hpp"

namespace mazurka::runtime {
namespace {

// Fixed before the snapshot is taken.
ProgramStart program;
int (*real_fflush)(FILE*);  // the C library's, not the interposed one, which is a scheduling point

void* run_main(void*) {
  if (program.closure != nullptr) {
    program.closure(program.argument);
    return nullptr;
  }
  protocol::put(worker.channel->main_frame, stack_pointer());
  self().status = program.main(program.argc, program.argv, program.environment);
  return nullptr;
}

void clear_answer() {
  protocol::Channel& channel = *worker.channel;
  channel.event_count = 0;
  channel.offer_count = 0;
  channel.pending_count = 0;
  channel.warnings = 0;
  channel.output_length = 0;
  protocol::put(channel.output_lost, {});
  channel.output_part_count = 0;
  channel.unjoined_count = 0;
  channel.frame_note_count = 0;
  channel.exit_status = 0;
  channel.given_way = 0;
  channel.held_back = 0;
  detector.accesses_left = kAccessesInARow;
  scheduling.waits_in_vain = 0;
  scheduling.time_passes_for = 0;
  protocol::put(channel.error_site, {});
  protocol::put(channel.error_kind, FailureKind::None);
  protocol::put(channel.message[0], {});
  protocol::put(channel.leaked_blocks, {});
  if (!channel.watch.on) protocol::put(channel.finding.now.use, Use::None);
}

/// Prepares an execution from main.
void start() {
  scheduling.step = 0;
  scheduling.record = nullptr;
  scheduling.live = 0;
  memory.live_blocks = 0;
  memory.exit_handlers = memory.first_exit_handlers;
  scheduling.current = &threads.all[0];
  if (detector.detecting) {
    start_detector();
    start_clock(0, 0);
  }
  prepare_thread(0, run_main, nullptr);
}

/// Runs the program once, to whatever end.
void execute() {
  load_job();
  clear_answer();
  worker.restart = false;
  scheduling.reporting = worker.channel->reporting != 0;
  // The events of the checkpoints have other sites than a report needs, or do not know the new waits.
  if (scheduling.reporting || worker.channel->waits_are_new != 0) drop_checkpoints();
  scheduling.keeps_states = worker.channel->settings.keeps_states;
  // If threads poll for signals, no round of a loop is idle.
  scheduling.polls_signals = worker.channel->wait_count != 0 && knows_signals();
  scheduling.knows_waits = scheduling.reduces_waits && worker.channel->wait_count != 0 && !scheduling.polls_signals;
  scheduling.learns_waits = worker.channel->learns != 0 && !scheduling.polls_signals;
  if (!memory.has_checkpoints || !resume_from_checkpoint()) start();
  if (scheduling.reporting) scheduling.pause_at = UINT32_MAX;
  if (worker.channel->settings.once) start_debugging();
  worker.channel->phase = protocol::Phase::Running;
  detector.checking = detector.detecting && !plain_accesses_are_steps();
  detector.guarding = detector.detecting && plain_accesses_are_steps();
  detector.tracing = detector.detecting && worker.channel->watch.on;
  detector.suppressing = detector.checking && has_suppressions();
  detector.following =
      detector.tracing || has_section_functions() || scheduling.follows_library || detector.suppressing;
  scheduling.in_section = false;
  detector.hooked = plain_accesses_are_steps();
  if (scheduling.knows_waits)
    scheduling.cleans_stack = Cleans::All;
  else
    scheduling.cleans_stack = is_any_stack_scanned() ? Cleans::Scanned : Cleans::Nothing;
  prepare_back_offs();
  start_private_stacks();
  if (scheduling.keeps_states) begin_states();
  scheduling.exploring = true;
  for (;;) {
    write_thread_pointer(scheduling.current->thread_pointer, scheduling.fast_thread_pointer);
    mazurka_switch_stack(&scheduling.driver_stack, scheduling.current->stack_pointer);
    if (scheduling.trial_wanted) {
      fork_trial();
      continue;
    }
    if (!scheduling.paused) break;
    scheduling.paused = false;
    take_checkpoint();
  }
  scheduling.exploring = false;
  worker.channel->phase = protocol::Phase::Restoring;
}

void note_warnings() {
  for (std::uint32_t i = 1; i < scheduling.thread_end; ++i) {
    const Thread& thread = threads.all[i];
    if (thread.life != Life::Done || thread.joined || thread.detached) continue;
    if (worker.channel->unjoined_count++ == 0) worker.channel->unjoined = i;
    worker.channel->warnings |= kWarnNotJoined;
  }
}

/// A leak is reported like any other finding: the execution is repeated with call tracing.
void look_for_leaks() {
  const protocol::Settings& settings = worker.channel->settings;
  if (memory.live_blocks == 0 || settings.once || settings.isolation != protocol::Isolation::Memory) return;
  protocol::Channel& channel = *worker.channel;
  Block first{};
  channel.leaked_blocks = find_leaks(first);
  if (channel.leaked_blocks == 0) return;
  if (!channel.watch.on) {
    zero_bytes(&channel.finding, sizeof channel.finding);  // zero_bytes(): memset() may be the program's
    channel.watch = {true, 0, 0, kNoProcess, 0, 0, first.address};
    worker.restart = true;
    return;
  }
  channel.warnings |= kWarnLeak;
  channel.finding.block = first.address;
  channel.finding.block_bytes = first.bytes;
  channel.finding.block_process = first.process;
}

/// Lists the heap blocks and stack variables that operations access and, if there is room, those that the pointers they
/// read and write point to.
void note_blocks() {
  protocol::Channel& channel = *worker.channel;
  channel.block_count = 0;
  const auto add = [&](const HeapBlock& found) {
    for (std::uint32_t i = 0; i < channel.block_count; ++i)
      if (channel.blocks[i].address == found.address && channel.blocks[i].below_frame == found.below_frame &&
          (found.below_frame == 0 || channel.blocks[i].site == found.site))
        return;
    if (channel.block_count < protocol::kMaxBlocks) channel.blocks[channel.block_count++] = found;
  };
  const auto note = [&](std::uint64_t address, std::uint32_t event) {
    if (const HeapBlock found = stack_object(address, event); found.address != 0) return add(found);
    const Block block = block_near(address);
    if (block.address == 0 || address >= block.address + block.bytes) return;
    add({block.address, block.bytes, block.site, 0});
  };
  const auto note_both = [&](const Operation& operation, std::uint32_t event) {
    note(operation.object, event);
    note(second_object(operation), event);
    if (family(operation.kind) != Family::Mailbox) return;
    add({operation.object, kMailboxBytes, 0, 0});  // if it is not on the heap: a test created it before its closure
    for (std::uint32_t i = 0; i < channel.block_count; ++i) {
      HeapBlock& block = channel.blocks[i];
      if (block.below_frame != 0 || block.address != operation.object) continue;
      block.holder = holder_of_mailbox(block);
      if (block.holder != 0) return note(block.holder, event);
    }
  };
  for (std::uint32_t i = 0; i < channel.event_count; ++i) note_both(channel.journal[i].operation, i);
  for (std::uint32_t i = 0; i < scheduling.thread_end; ++i)
    if (threads.all[i].life == Life::Live) note_both(threads.all[i].pending, UINT32_MAX);
  if (channel.finding.now.use != Use::None) note(channel.finding.address, UINT32_MAX);
  for (std::uint32_t i = 0; i < channel.event_count; ++i) {
    const Event& event = channel.journal[i];
    if (family(event.operation.kind) != Family::Memory || event.operation.size != sizeof(void*)) continue;
    if (is_in_arena(event.value)) note(event.value, i);
    if (is_in_arena(event.written)) note(event.written, i);
  }
}

/// Before the answer, so that the explorer and the next execution find the files unchanged.
void put_files_back() {
  if (const char* path = undo_changes(); path != nullptr) {
    protocol::Channel& channel = *worker.channel;
    message() << "the program's changes to " << path << " cannot be undone";
    channel.error_kind = FailureKind::Unsupported;
    channel.outcome = Outcome::Unsupported;
    worker.restart = false;
  }
  restore_descriptors();
}

}  // namespace

void prepare_executions(const ProgramStart& start) {
  program = start;
  note_first_exit_handlers();
  real_fflush = reinterpret_cast<int (*)(FILE*)>(next_function("fflush"));
}

void flush_streams() { real_fflush(nullptr); }

// Once all threads have ended, or the program has called exit, its exit handlers run on the main thread's stack.
void execute_to_the_end() {
  execute();
  if (!worker.restart && worker.channel->outcome == Outcome::Finished && !worker.ending) {
    note_warnings();
    if (has_exit_handlers()) {
      scheduling.current = &threads.all[0];
      prepare_thread(
          0,
          [](void*) -> void* {
            run_exit_handlers();
            finish(Outcome::Finished);
          },
          nullptr);
      --scheduling.live;
      threads.all[0].life = Life::Done;
      worker.ending = true;
      mazurka_switch_stack(&scheduling.driver_stack, threads.all[0].stack_pointer);
    }
  }
  if (!worker.restart && detector.detecting && worker.channel->outcome == Outcome::Finished && scheduling.live == 0)
    look_for_leaks();
  if (!worker.restart) check_returned_status();
  if (!worker.restart && scheduling.reporting) note_blocks();
  worker.ending = false;
  if (worker.channel->settings.pass_output && !worker.restart) flush_streams();
  if (!worker.standalone) put_files_back();
}

void back_to_driver() {
  scheduling.exploring = false;
  detector.checking = detector.guarding = false;
  detector.tracing = detector.following = false;
  write_thread_pointer(scheduling.main_thread_pointer, scheduling.fast_thread_pointer);
  void* abandoned;
  mazurka_switch_stack(&abandoned, scheduling.driver_stack);
  __builtin_unreachable();
}

void repeat_execution() {
  if (worker.standalone || worker.channel->settings.once) return;
  worker.restart = true;
  back_to_driver();
}

void provide_donors(unsigned wanted) {
  if (worker.standalone || worker.channel->settings.once) {
    write_thread_pointer(scheduling.main_thread_pointer, scheduling.fast_thread_pointer);
    create_donors(wanted);
    write_thread_pointer(self().thread_pointer, scheduling.fast_thread_pointer);
    return;
  }
  // Every request repeats the execution, so create several donors at once.
  const unsigned most = wanted + (wanted < 64 ? 4 : wanted / 4);
  worker.donors_wanted = most < protocol::kMaxProcesses ? most : protocol::kMaxProcesses;
  repeat_execution();
}

}  // namespace mazurka::runtime
