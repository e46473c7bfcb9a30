#include "runtime/worker/driver.hpp"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "runtime/arch.hpp"
#include "runtime/detector/clocks.hpp"
#include "runtime/detector/detector.hpp"
#include "runtime/detector/shadow.hpp"
#include "runtime/export.hpp"
#include "runtime/files/file_changes.hpp"
#include "runtime/files/files.hpp"
#include "runtime/files/system_call_trap.hpp"
#include "runtime/memory/checkpoint.hpp"
#include "runtime/memory/heap.hpp"
#include "runtime/memory/layout.hpp"
#include "runtime/memory/memory.hpp"
#include "runtime/memory/snapshot.hpp"
#include "runtime/posix/exit.hpp"
#include "runtime/posix/processors.hpp"
#include "runtime/posix/signals.hpp"
#include "runtime/posix/threads.hpp"
#include "runtime/scheduling/donors.hpp"
#include "runtime/scheduling/scheduler.hpp"
#include "runtime/scheduling/scheduling.hpp"
#include "runtime/scheduling/sections.hpp"
#include "runtime/scheduling/thread_table.hpp"
#include "runtime/worker/channel.hpp"
#include "runtime/worker/crash.hpp"
#include "runtime/worker/image.hpp"
#include "runtime/worker/outcome.hpp"
#include "runtime/worker/output.hpp"
#include "runtime/worker/worker.hpp"

namespace mazurka::runtime {
namespace {

using Main = int (*)(int, char**, char**);

// Fixed before the snapshot is taken.
Main program_main;
int program_argc;
char** program_argv;
char** program_environment;

constexpr std::uint32_t kFirstDonors = 12;
constexpr int kRestartStatus = 99;  // of a forked child that lacked a donor

void* run_main(void*) {
  worker.channel->main_frame = stack_pointer();
  const int status = program_main(program_argc, program_argv, program_environment);
  self().status = status;
  return nullptr;
}

/// The arguments in memory that the snapshot covers: programs rearrange them.
void copy_arguments(int argc, char** argv, char** environment) {
  program_argc = argc;
  program_argv = static_cast<char**>(allocate((static_cast<std::size_t>(argc) + 1) * sizeof(char*)));
  for (int i = 0; i < argc; ++i) {
    const std::size_t bytes = strlen(argv[i]) + 1;
    program_argv[i] = static_cast<char*>(allocate(bytes));
    copy_bytes(program_argv[i], argv[i], bytes);
  }
  program_argv[argc] = nullptr;
  program_environment = environment;
}

void set_up(int argc, char** argv, char** environment) {
  scheduling.fast_thread_pointer = has_wrfsbase();
  scheduling.main_thread_pointer = read_thread_pointer();
  find_image();
  worker.channel->load_base = image.base;
  find_section_functions();
  copy_arguments(argc, argv, environment);
  const std::uint32_t known = worker.channel->process_count + 1;
  memory.rseq_left = leave_rseq();
  create_donors(known > kFirstDonors ? known : kFirstDonors);
  prepare_files();
  note_processors();
  note_first_signal_mask();
  catch_crashes();
  leave_boot_heap();
  worker.ready = true;
  const protocol::Settings& settings = worker.channel->settings;
  if (!worker.standalone && !settings.once && settings.isolation == protocol::Isolation::Memory) {
    take_snapshot();
    if (settings.checkpoints != 0) prepare_checkpoints();
  }
  if (detector.detecting) prepare_detector();
}

void clear_answer() {
  protocol::Channel& channel = *worker.channel;
  channel.event_count = 0;
  channel.offer_count = 0;
  channel.pending_count = 0;
  channel.warnings = 0;
  channel.output_length = 0;
  channel.output_lost = 0;
  channel.exit_status = 0;
  channel.given_way = 0;
  channel.held_back = 0;
  detector.accesses_left = kAccessesInARow;
  scheduling.waits_in_vain = 0;
  protocol::put(channel.error_site, {});
  protocol::put(channel.error_kind[0], {});
  protocol::put(channel.message[0], {});
  protocol::put(channel.leaked_blocks, {});
  if (!channel.watch.on) protocol::put(channel.finding.now.use, protocol::Use::None);
}

/// Makes everything ready for main.
void start() {
  scheduling.step = 0;
  scheduling.record = nullptr;
  scheduling.live = 0;
  memory.live_blocks = 0;
  scheduling.current = &threads.all[0];
  if (detector.detecting) {
    start_detector();
    start_clock(0, 0);
  }
  prepare_thread(0, run_main, nullptr);
}

/// Runs the program once, to its end, however it ends.
void execute() {
  load_job();
  clear_answer();
  worker.restart = false;
  scheduling.reporting = worker.channel->reporting != 0;
  if (scheduling.reporting) drop_checkpoints();  // their events have other sites, as would those taken now
  if (!memory.has_checkpoints || !resume_from_checkpoint()) start();
  if (scheduling.reporting) scheduling.pause_at = UINT32_MAX;
  worker.channel->phase = protocol::Phase::Running;
  detector.checking = detector.detecting && !plain_accesses_are_steps();
  detector.guarding = detector.detecting && plain_accesses_are_steps();
  detector.tracing = detector.detecting && worker.channel->watch.on;
  detector.following = detector.tracing || has_section_functions();
  scheduling.in_section = false;
  detector.hooked = plain_accesses_are_steps();
  scheduling.exploring = true;
  for (;;) {
    write_thread_pointer(scheduling.current->thread_pointer, scheduling.fast_thread_pointer);
    mazurka_switch_stack(&scheduling.driver_stack, scheduling.current->stack_pointer);
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
    if (thread.life == Life::Done && !thread.joined && !thread.detached)
      worker.channel->warnings |= protocol::kWarnNotJoined;
  }
}

/// What is found is described by an execution like any other finding: the one that is repeated with its calls traced.
void look_for_leaks() {
  const protocol::Settings& settings = worker.channel->settings;
  if (memory.live_blocks == 0 || settings.once || settings.isolation != protocol::Isolation::Memory) return;
  protocol::Channel& channel = *worker.channel;
  Block first{};
  channel.leaked_blocks = find_leaks(first);
  if (channel.leaked_blocks == 0) return;
  if (!channel.watch.on) {
    channel.finding = {};
    channel.watch = {true, 0, 0, kNoProcess, 0, 0, first.address};
    worker.restart = true;
    return;
  }
  channel.warnings |= protocol::kWarnLeak;
  channel.finding.block = first.address;
  channel.finding.block_bytes = first.bytes;
  channel.finding.block_process = first.process;
}

/// Tells of the blocks of the heap that operations act on.
void note_blocks() {
  protocol::Channel& channel = *worker.channel;
  channel.block_count = 0;
  const auto note = [&](std::uint64_t address) {
    const Block block = block_near(address);
    if (block.address == 0 || address >= block.address + block.bytes) return;
    for (std::uint32_t i = 0; i < channel.block_count; ++i)
      if (channel.blocks[i].address == block.address) return;
    if (channel.block_count < protocol::kMaxBlocks)
      channel.blocks[channel.block_count++] = {block.address, block.bytes, block.site};
  };
  const auto note_both = [&](const Operation& operation) {
    note(operation.object);
    note(operation.second);
  };
  for (std::uint32_t i = 0; i < channel.event_count; ++i) note_both(channel.journal[i].event.operation);
  for (std::uint32_t i = 0; i < scheduling.thread_end; ++i)
    if (threads.all[i].life == Life::Live) note_both(threads.all[i].pending);
}

/// Before the answer: what the explorer, or the next execution, finds is what was there before.
void put_files_back() {
  if (const char* path = undo_changes(); path != nullptr) {
    protocol::Channel& channel = *worker.channel;
    message() << "what the program did to " << path << " cannot be undone";
    Text(channel.error_kind, sizeof channel.error_kind) << "unsupported";
    channel.outcome = Outcome::Unsupported;
    worker.restart = false;
  }
  restore_descriptors();
}

/// The C library's, not the one that is a step of the program.
int (*real_fflush)(FILE*);

/// Once all threads have ended, or the program has called exit, its exit handlers run on the main thread's stack.
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
  if (worker.channel->settings.pass_output && !worker.restart) real_fflush(nullptr);
  if (!worker.standalone) put_files_back();
}

[[noreturn]] void serve_by_memory() {
  for (;;) {
    receive_job();
    for (;;) {
      const bool measure = worker.channel->settings.measure;
      const std::uint64_t start = measure ? ticks() : 0;
      execute_to_the_end();
      if (measure) worker.channel->ticks = ticks() - start + worker.restore_ticks;
      if (!worker.restart) send_answer();
      const std::uint64_t end = measure ? ticks() : 0;
      if (worker.restart) drop_checkpoints();
      go_back();
      if (measure) worker.restore_ticks = ticks() - end;
      if (!worker.restart) break;
      create_donors(worker.donors_wanted);
      renew_snapshot();
    }
  }
}

[[noreturn]] void serve_by_fork() {
  for (;;) {
    receive_job();
    for (;;) {
      const long child = raw_syscall(SYS_fork);
      if (child < 0) fail("fork", "no process can be created", 0);
      if (child == 0) {
        worker.channel->runner = static_cast<std::int32_t>(raw_syscall(SYS_getpid));
        execute_to_the_end();
        if (!worker.restart) send_answer();
        for (;;) raw_syscall(SYS_exit_group, worker.restart ? kRestartStatus : 0);
      }
      int status = 0;
      raw_syscall(SYS_wait4, child, reinterpret_cast<long>(&status), 0, 0);
      if (WIFSIGNALED(status)) {
        // The explorer learns of it as it would of the death of a worker that runs the program itself.
        for (;;) raw_syscall(SYS_exit_group, 128 + WTERMSIG(status));
      }
      adopt_processes();
      if (WEXITSTATUS(status) != kRestartStatus) break;
      if (threads.donors < worker.channel->process_count) create_donors(worker.channel->process_count);
    }
  }
}

/// One execution under a debugger.
[[noreturn]] void serve_once() {
  receive_job();
  execute_to_the_end();
  send_answer();
  for (;;) raw_syscall(SYS_exit_group, worker.channel->exit_status);
}

/// Without an explorer: the program runs once, as it would without this runtime.
[[noreturn]] void run_alone() {
  receive_job();
  execute_to_the_end();
  const protocol::Channel& channel = *worker.channel;
  int status = channel.exit_status;
  if (channel.outcome != Outcome::Finished) {
    char buffer[protocol::kMessageBytes + 64];
    Text text(buffer, sizeof buffer);
    text << "mazurka: " << (channel.error_kind[0] != 0 ? channel.error_kind : "the program is blocked") << ": "
         << channel.message << "\n";
    raw_syscall(SYS_write, 2, reinterpret_cast<long>(buffer), static_cast<long>(text.size()));
    if (channel.exit_status == 0) status = 134;
  }
  for (;;) raw_syscall(SYS_exit_group, status);
}

int driver(int argc, char** argv, char** environment) {
  worker.channel->runner = static_cast<std::int32_t>(raw_syscall(SYS_getpid));
  set_up(argc, argv, environment);
  if (worker.standalone) run_alone();
  if (worker.channel->settings.once) serve_once();
  if (worker.channel->settings.isolation == protocol::Isolation::Fork) serve_by_fork();
  serve_by_memory();
}

}  // namespace

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
  worker.donors_wanted = wanted + 4 < protocol::kMaxProcesses ? wanted + 4 : protocol::kMaxProcesses;
  repeat_execution();
}

}  // namespace mazurka::runtime

using namespace mazurka::runtime;

MAZURKA_EXPORT int __libc_start_main(int (*main)(int, char**, char**), int argc, char** argv, void (*init)(),
                                     void (*fini)(), void (*rtld_fini)(), void* stack_end) {
  program_main = main;
  real_fflush = reinterpret_cast<int (*)(FILE*)>(dlsym(RTLD_NEXT, "fflush"));
  open_channel();
  if (!worker.standalone) trap_system_calls();
  capture_output();
  const auto start = reinterpret_cast<decltype(&__libc_start_main)>(dlsym(RTLD_NEXT, "__libc_start_main"));
  return start(driver, argc, argv, init, fini, rtld_fini, stack_end);
}
