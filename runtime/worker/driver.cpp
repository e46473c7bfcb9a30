// The main loop of a worker: start up, take jobs, run the program from its start for each.
#include "runtime/worker/driver.hpp"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "runtime/arch.hpp"
#include "runtime/detector/detector.hpp"
#include "runtime/export.hpp"
#include "runtime/files/files.hpp"
#include "runtime/files/system_call_trap.hpp"
#include "runtime/memory/checkpoint.hpp"
#include "runtime/memory/heap.hpp"
#include "runtime/memory/memory.hpp"
#include "runtime/memory/snapshot.hpp"
#include "runtime/own_calls.hpp"
#include "runtime/posix/c_library.hpp"
#include "runtime/posix/libraries.hpp"
#include "runtime/posix/processors.hpp"
#include "runtime/posix/signals.hpp"
#include "runtime/posix/thread_misuse.hpp"
#include "runtime/scheduling/donors.hpp"
#include "runtime/scheduling/scheduling.hpp"
#include "runtime/scheduling/sections.hpp"
#include "runtime/scheduling/thread_table.hpp"
#include "runtime/states/states.hpp"
#include "runtime/waiting/waits.hpp"
#include "runtime/worker/alone.hpp"
#include "runtime/worker/channel.hpp"
#include "runtime/worker/closure.hpp"
#include "runtime/worker/crash.hpp"
#include "runtime/worker/execution.hpp"
#include "runtime/worker/image.hpp"
#include "runtime/worker/outcome.hpp"
#include "runtime/worker/output.hpp"
#include "runtime/worker/processes.hpp"
#include "runtime/worker/worker.hpp"

/// Defined by the program, or not.
extern "C" __attribute__((weak)) const char* __tsan_default_suppressions();

namespace mazurka::runtime {
namespace {

constexpr std::uint32_t kFirstDonors = 12;
constexpr int kRestartStatus = 99;  // exit status of a forked child that lacked a donor

int (*program_main)(int, char**, char**);  // fixed before the snapshot is taken

/// Copies the arguments into memory that the snapshot covers: programs rearrange them.
char** copy_arguments(int argc, char** argv) {
  auto* copy = static_cast<char**>(allocate((static_cast<std::size_t>(argc) + 1) * sizeof(char*)));
  for (int i = 0; i < argc; ++i) {
    const std::size_t bytes = length_of(argv[i]) + 1;
    copy[i] = static_cast<char*>(allocate(bytes));
    copy_bytes(copy[i], argv[i], bytes);
  }
  copy[argc] = nullptr;
  return copy;
}

void set_up(const ProgramStart& program) {
  scheduling.fast_thread_pointer = has_wrfsbase();
  scheduling.has_bmi2 = has_bmi2();
  scheduling.main_thread_pointer = read_thread_pointer();
  if (!worker.standalone) load_libraries();
  find_image();
  worker.channel->load_base = image.base;
  find_section_functions();
  find_thread_functions();
  prepare_executions(program);
  const std::uint32_t known = worker.process_count + 1;
  memory.rseq_left = leave_rseq();
  // Before the donors: the kernel takes milliseconds to grow a table of descriptors that threads share.
  prepare_files();
  create_donors(known > kFirstDonors ? known : kFirstDonors);
  note_processors();
  note_first_signal_mask();
  catch_crashes();
  prepare_waits();
  leave_boot_heap();
  worker.ready = true;
  const protocol::Settings& settings = worker.channel->settings;
  if (!settings.once && settings.isolation == protocol::Isolation::Memory) {
    take_snapshot();
    if (settings.checkpoints != 0) prepare_checkpoints();
    if (settings.keeps_states) prepare_states();
  }
  if (detector.detecting) prepare_detector();
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
      if (child < 0) fail(FailureKind::Fork, "fork() fails: no process can be created for the execution", 0);
      if (child == 0) {
        raw_syscall(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL);  // the explorer does the same for its worker
        worker.channel->runner = static_cast<std::int32_t>(raw_syscall(SYS_getpid));
        execute_to_the_end();
        if (!worker.restart) send_answer();
        for (;;) raw_syscall(SYS_exit_group, worker.restart ? kRestartStatus : 0);
      }
      int status = 0;
      raw_syscall(SYS_wait4, child, reinterpret_cast<long>(&status), 0, 0);
      if (WIFSIGNALED(status)) {
        // The explorer treats it like the death of a worker that runs the program itself.
        for (;;) raw_syscall(SYS_exit_group, 128 + WTERMSIG(status));
      }
      adopt_processes();
      if (WEXITSTATUS(status) != kRestartStatus) break;
      if (threads.donors < worker.process_count) create_donors(worker.process_count);
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

/// Prints the program's own suppressions for the explorer, which resolves them to addresses.
[[noreturn]] void print_suppressions() {
  const char* text = &__tsan_default_suppressions == nullptr ? "" : __tsan_default_suppressions();
  for (std::size_t left = text == nullptr ? 0 : length_of(text); left > 0;) {
    const long written = raw_syscall(SYS_write, 1, reinterpret_cast<long>(text), static_cast<long>(left));
    if (written <= 0) break;
    text += written;
    left -= static_cast<std::size_t>(written);
  }
  for (;;) raw_syscall(SYS_exit_group, 0);
}

bool is_asked_for_suppressions(char** environment) {
  const std::size_t length = length_of(protocol::kSuppressionsVariable);
  for (; *environment != nullptr; ++environment)
    if (begins_with(*environment, protocol::kSuppressionsVariable) && (*environment)[length] == '=') return true;
  return false;
}

int driver(int argc, char** argv, char** environment) {
  if (worker.standalone && is_asked_for_suppressions(environment)) print_suppressions();
  const ProgramStart program{program_main, argc, copy_arguments(argc, argv), environment, nullptr, nullptr};
  if (worker.standalone) run_alone(program);
  serve(program);
}

}  // namespace

void serve(const ProgramStart& program) {
  worker.channel->runner = static_cast<std::int32_t>(raw_syscall(SYS_getpid));
  set_up(program);
  if (worker.channel->settings.once) serve_once();
  if (worker.channel->settings.isolation == protocol::Isolation::Fork) serve_by_fork();
  serve_by_memory();
}

}  // namespace mazurka::runtime

using namespace mazurka::runtime;

MAZURKA_EXPORT int __libc_start_main(int (*main)(int, char**, char**), int argc, char** argv, void (*init)(),
                                     void (*fini)(), void (*rtld_fini)(), void* stack_end) {
  program_main = main;
  open_channel();
  if (worker.standalone) fix_addresses(argv);
  if (!worker.standalone) trap_system_calls();
  capture_output();
  const auto start = reinterpret_cast<decltype(&__libc_start_main)>(next_function("__libc_start_main"));
  return start(driver, argc, argv, init, fini, rtld_fini, stack_end);
}
