#include "runtime/worker/driver.hpp"

#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "runtime/arch.hpp"
#include "runtime/detector/clocks.hpp"
#include "runtime/detector/shadow.hpp"
#include "runtime/files/file_changes.hpp"
#include "runtime/files/files.hpp"
#include "runtime/files/system_call_trap.hpp"
#include "runtime/memory/checkpoint.hpp"
#include "runtime/memory/heap.hpp"
#include "runtime/memory/snapshot.hpp"
#include "runtime/posix/exit.hpp"
#include "runtime/posix/processors.hpp"
#include "runtime/posix/signals.hpp"
#include "runtime/posix/threads.hpp"
#include "runtime/scheduling/donors.hpp"
#include "runtime/scheduling/scheduler.hpp"
#include "runtime/scheduling/sections.hpp"
#include "runtime/worker/channel.hpp"
#include "runtime/worker/crash.hpp"
#include "runtime/worker/outcome.hpp"
#include "runtime/worker/output.hpp"

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
  g.channel->main_frame = stack_pointer();
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

int note_image(dl_phdr_info* info, std::size_t, void*) {
  g.image_base = info->dlpi_addr;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const auto& header = info->dlpi_phdr[i];
    if (header.p_type == PT_LOAD && header.p_flags == PF_R) {  // the last of them is the one with the constants
      g.constants_begin = info->dlpi_addr + header.p_vaddr;
      g.constants_end = g.constants_begin + header.p_memsz;
    }
    if (header.p_type != PT_LOAD || (header.p_flags & PF_X) == 0) continue;
    g.text_begin = info->dlpi_addr + header.p_vaddr;
    g.text_end = g.text_begin + header.p_memsz;
  }
  return 1;  // the program itself comes first
}

/// Thread-local storage that lies at a fixed distance below the thread pointer.
int note_tls(dl_phdr_info* info, std::size_t, void*) {
  const auto begin = reinterpret_cast<std::uint64_t>(info->dlpi_tls_data);
  if (begin == 0 || begin > g.main_thread_pointer) return 0;
  const std::uint64_t distance = g.main_thread_pointer - begin;
  if (distance < kDonorBytes && distance > g.static_tls_bytes) g.static_tls_bytes = distance;
  return 0;
}

int note_unwinder(dl_phdr_info* info, std::size_t, void*) {
  if (strstr(info->dlpi_name, "/libgcc_s.so") == nullptr) return 0;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const auto& header = info->dlpi_phdr[i];
    if (header.p_type != PT_LOAD || (header.p_flags & PF_X) == 0) continue;
    g.unwinder_begin = info->dlpi_addr + header.p_vaddr;
    g.unwinder_end = g.unwinder_begin + header.p_memsz;
  }
  return 1;
}

void set_up(int argc, char** argv, char** environment) {
  g.fast_thread_pointer = has_wrfsbase();
  g.main_thread_pointer = read_thread_pointer();
  dl_iterate_phdr(note_image, nullptr);
  dl_iterate_phdr(note_unwinder, nullptr);
  dl_iterate_phdr(note_tls, nullptr);
  g.channel->load_base = g.image_base;
  find_section_functions();
  copy_arguments(argc, argv, environment);
  const std::uint32_t known = g.channel->process_count + 1;
  g.rseq_left = leave_rseq();
  create_donors(known > kFirstDonors ? known : kFirstDonors);
  prepare_files();
  note_processors();
  adopt_signal_mask();
  g.first_signal_mask = tables.threads[0].signal_mask;
  catch_crashes();
  leave_boot_heap();
  g.ready = true;
  const protocol::Settings& settings = g.channel->settings;
  if (!g.standalone && !settings.once && settings.isolation == protocol::Isolation::Memory) {
    take_snapshot();
    if (settings.checkpoints != 0) prepare_checkpoints();
  }
  if (g.detecting) prepare_detector();
}

void clear_answer() {
  protocol::Channel& channel = *g.channel;
  channel.event_count = 0;
  channel.offer_count = 0;
  channel.pending_count = 0;
  channel.warnings = 0;
  channel.output_length = 0;
  channel.output_lost = 0;
  channel.exit_status = 0;
  channel.given_way = 0;
  channel.held_back = 0;
  g.accesses_left = kAccessesInARow;
  g.waits_in_vain = 0;
  protocol::put(channel.error_site, {});
  protocol::put(channel.error_kind[0], {});
  protocol::put(channel.message[0], {});
  protocol::put(channel.leaked_blocks, {});
  if (!channel.watch.on) protocol::put(channel.finding.now.use, protocol::Use::None);
}

/// Makes everything ready for main.
void start() {
  g.step = 0;
  g.record = nullptr;
  g.live = 0;
  g.live_blocks = 0;
  g.current = &tables.threads[0];
  if (g.detecting) {
    start_detector();
    start_clock(0, 0);
  }
  prepare_thread(0, run_main, nullptr);
}

/// Runs the program once, to its end, however it ends.
void execute() {
  load_job();
  clear_answer();
  g.restart = false;
  g.reporting = g.channel->reporting != 0;
  if (g.reporting) drop_checkpoints();  // their events have other sites, as would those taken now
  if (!g.checkpoints || !resume_from_checkpoint()) start();
  if (g.reporting) g.pause_at = UINT32_MAX;
  g.channel->phase = protocol::Phase::Running;
  g.checking = g.detecting && !g.plain_explore;
  g.guarding = g.detecting && g.plain_explore;
  g.tracing = g.detecting && g.channel->watch.on;
  g.following = g.tracing || g.section_functions > 0;
  g.section = false;
  g.hooked = g.plain_explore;
  g.exploring = true;
  for (;;) {
    write_thread_pointer(g.current->thread_pointer, g.fast_thread_pointer);
    mazurka_switch_stack(&g.driver_stack, g.current->stack_pointer);
    if (!g.paused) break;
    g.paused = false;
    take_checkpoint();
  }
  g.exploring = false;
  g.channel->phase = protocol::Phase::Restoring;
}

void note_warnings() {
  for (std::uint32_t i = 1; i < g.thread_end; ++i) {
    const Thread& thread = tables.threads[i];
    if (thread.life == Life::Done && !thread.joined && !thread.detached)
      g.channel->warnings |= protocol::kWarnNotJoined;
  }
}

/// What is found is described by an execution like any other finding: the one that is repeated with its calls traced.
void look_for_leaks() {
  const protocol::Settings& settings = g.channel->settings;
  if (g.live_blocks == 0 || settings.once || settings.isolation != protocol::Isolation::Memory) return;
  protocol::Channel& channel = *g.channel;
  Block first{};
  channel.leaked_blocks = find_leaks(first);
  if (channel.leaked_blocks == 0) return;
  if (!channel.watch.on) {
    channel.finding = {};
    channel.watch = {true, 0, 0, kNoProcess, 0, 0, first.address};
    g.restart = true;
    return;
  }
  channel.warnings |= protocol::kWarnLeak;
  channel.finding.block = first.address;
  channel.finding.block_bytes = first.bytes;
  channel.finding.block_process = first.process;
}

/// Tells of the blocks of the heap that operations act on.
void note_blocks() {
  protocol::Channel& channel = *g.channel;
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
  for (std::uint32_t i = 0; i < g.thread_end; ++i)
    if (tables.threads[i].life == Life::Live) note_both(tables.threads[i].pending);
}

/// Before the answer: what the explorer, or the next execution, finds is what was there before.
void put_files_back() {
  if (const char* path = undo_changes(); path != nullptr) {
    protocol::Channel& channel = *g.channel;
    message() << "what the program did to " << path << " cannot be undone";
    Text(channel.error_kind, sizeof channel.error_kind) << "unsupported";
    channel.outcome = Outcome::Unsupported;
    g.restart = false;
  }
  restore_descriptors();
}

/// The C library's, not the one that is a step of the program.
int (*real_fflush)(FILE*);

/// Once all threads have ended, or the program has called exit, its exit handlers run on the main thread's stack.
void execute_to_the_end() {
  execute();
  if (!g.restart && g.channel->outcome == Outcome::Finished && !g.ending) {
    note_warnings();
    if (has_exit_handlers()) {
      g.current = &tables.threads[0];
      prepare_thread(
          0,
          [](void*) -> void* {
            run_exit_handlers();
            finish(Outcome::Finished);
          },
          nullptr);
      --g.live;
      tables.threads[0].life = Life::Done;
      g.ending = true;
      mazurka_switch_stack(&g.driver_stack, tables.threads[0].stack_pointer);
    }
  }
  if (!g.restart && g.detecting && g.channel->outcome == Outcome::Finished && g.live == 0) look_for_leaks();
  if (!g.restart) check_returned_status();
  if (!g.restart && g.reporting) note_blocks();
  g.ending = false;
  if (g.pass_output && !g.restart) real_fflush(nullptr);
  if (!g.standalone) put_files_back();
}

[[noreturn]] void serve_by_memory() {
  for (;;) {
    receive_job();
    for (;;) {
      const bool measure = g.channel->settings.measure;
      const std::uint64_t start = measure ? ticks() : 0;
      execute_to_the_end();
      if (measure) g.channel->ticks = ticks() - start + g.restore_ticks;
      if (!g.restart) send_answer();
      const std::uint64_t end = measure ? ticks() : 0;
      if (g.restart) drop_checkpoints();
      go_back();
      if (measure) g.restore_ticks = ticks() - end;
      if (!g.restart) break;
      create_donors(g.donors_wanted);
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
        g.channel->runner = static_cast<std::int32_t>(raw_syscall(SYS_getpid));
        execute_to_the_end();
        if (!g.restart) send_answer();
        for (;;) raw_syscall(SYS_exit_group, g.restart ? kRestartStatus : 0);
      }
      int status = 0;
      raw_syscall(SYS_wait4, child, reinterpret_cast<long>(&status), 0, 0);
      if (WIFSIGNALED(status)) {
        // The explorer learns of it as it would of the death of a worker that runs the program itself.
        for (;;) raw_syscall(SYS_exit_group, 128 + WTERMSIG(status));
      }
      adopt_processes();
      if (WEXITSTATUS(status) != kRestartStatus) break;
      if (g.donors < g.channel->process_count) create_donors(g.channel->process_count);
    }
  }
}

/// One execution under a debugger.
[[noreturn]] void serve_once() {
  receive_job();
  execute_to_the_end();
  send_answer();
  for (;;) raw_syscall(SYS_exit_group, g.channel->exit_status);
}

/// Without an explorer: the program runs once, as it would without this runtime.
[[noreturn]] void run_alone() {
  receive_job();
  execute_to_the_end();
  const protocol::Channel& channel = *g.channel;
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
  g.channel->runner = static_cast<std::int32_t>(raw_syscall(SYS_getpid));
  set_up(argc, argv, environment);
  if (g.standalone) run_alone();
  if (g.channel->settings.once) serve_once();
  if (g.channel->settings.isolation == protocol::Isolation::Fork) serve_by_fork();
  serve_by_memory();
}

}  // namespace

void back_to_driver() {
  g.exploring = false;
  g.checking = g.guarding = false;
  g.tracing = g.following = false;
  write_thread_pointer(g.main_thread_pointer, g.fast_thread_pointer);
  void* abandoned;
  mazurka_switch_stack(&abandoned, g.driver_stack);
  __builtin_unreachable();
}

void repeat_execution() {
  if (g.standalone || g.channel->settings.once) return;
  g.restart = true;
  back_to_driver();
}

void provide_donors(unsigned wanted) {
  if (g.standalone || g.channel->settings.once) {
    write_thread_pointer(g.main_thread_pointer, g.fast_thread_pointer);
    create_donors(wanted);
    write_thread_pointer(self().thread_pointer, g.fast_thread_pointer);
    return;
  }
  g.donors_wanted = wanted + 4 < protocol::kMaxProcesses ? wanted + 4 : protocol::kMaxProcesses;
  repeat_execution();
}

}  // namespace mazurka::runtime

using namespace mazurka::runtime;

MAZURKA_EXPORT int __libc_start_main(int (*main)(int, char**, char**), int argc, char** argv, void (*init)(),
                                     void (*fini)(), void (*rtld_fini)(), void* stack_end) {
  program_main = main;
  real_fflush = reinterpret_cast<int (*)(FILE*)>(dlsym(RTLD_NEXT, "fflush"));
  open_channel();
  if (!g.standalone) trap_system_calls();
  capture_output();
  const auto start = reinterpret_cast<decltype(&__libc_start_main)>(dlsym(RTLD_NEXT, "__libc_start_main"));
  return start(driver, argc, argv, init, fini, rtld_fini, stack_end);
}
