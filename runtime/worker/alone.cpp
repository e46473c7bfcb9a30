#include "runtime/worker/alone.hpp"

#include <sys/syscall.h>

#include "runtime/arch.hpp"
#include "runtime/memory/mapping.hpp"
#include "runtime/posix/exit.hpp"
#include "runtime/posix/processors.hpp"
#include "runtime/posix/signals.hpp"
#include "runtime/posix/threads.hpp"
#include "runtime/scheduling/donors.hpp"
#include "runtime/scheduling/scheduling.hpp"
#include "runtime/scheduling/sections.hpp"
#include "runtime/scheduling/thread_table.hpp"
#include "runtime/worker/channel.hpp"
#include "runtime/worker/crash.hpp"
#include "runtime/worker/image.hpp"
#include "runtime/worker/outcome.hpp"
#include "runtime/worker/worker.hpp"

namespace mazurka::runtime {
namespace {

constexpr std::uint64_t kEndStack = 8U << 20;  // exit handlers are arbitrary code

void* new_stack(void (*function)()) {
  auto* memory = static_cast<std::uint8_t*>(map_anywhere(kEndStack));
  if (memory == nullptr) fail(FailureKind::Memory, "no memory for a stack", 0);
  return first_stack(reinterpret_cast<std::uint64_t>(memory + kEndStack - 64), function);
}

[[noreturn]] void end_process() {
  const protocol::Channel& channel = *worker.channel;
  flush_streams();
  int status = channel.exit_status;
  if (channel.outcome != Outcome::Finished) {
    char buffer[protocol::kMessageBytes + 64];
    Text text(buffer, sizeof buffer);
    text << "mazurka: "
         << (channel.error_kind != FailureKind::None ? name(channel.error_kind) : "the program is blocked") << ": "
         << channel.message << "\n";
    raw_syscall(SYS_write, 2, reinterpret_cast<long>(buffer), static_cast<long>(text.size()));
    if (status == 0) status = 134;
  }
  for (;;) raw_syscall(SYS_exit_group, status);
}

void call_exit_handlers() {
  worker.ending = true;
  run_exit_handlers();
  worker.ending = false;
}

/// Runs when all threads are abandoned: after exit, after a failure, or when all have ended.
void after_threads() {
  scheduling.driver_stack = new_stack([] { end_process(); });  // for an exit handler that fails
  if (worker.channel->outcome == Outcome::Finished && !worker.ending) call_exit_handlers();
  end_process();
}

}  // namespace

void run_alone(const ProgramStart& program) {
  scheduling.fast_thread_pointer = has_wrfsbase();
  scheduling.main_thread_pointer = read_thread_pointer();
  find_image();
  worker.channel->load_base = image.base;
  find_section_functions();
  prepare_executions(program);
  create_donors(1);
  note_processors();
  note_first_signal_mask();
  catch_crashes();
  load_job();
  prepare_thread(0, nullptr, nullptr);  // only for its records: it runs on this stack
  scheduling.driver_stack = new_stack(after_threads);
  worker.channel->outcome = Outcome::Finished;
  worker.ready = true;
  const int status = program.main(program.argc, program.argv, program.environment);
  // A forked worker only executes the closure and never gets here, unless a longjmp leaves the closure.
  if (worker.closure) unsupported("leaving a closure by longjmp()", 0);
  if (scheduling.exploring) {
    self().status = status;
    end_thread(nullptr, 0);
  }
  worker.channel->exit_status = status;
  call_exit_handlers();
  end_process();
}

void begin_threads() {
  if (!worker.standalone || !worker.ready || worker.ending || scheduling.exploring) return;
  worker.channel->event_count = worker.channel->offer_count = 0;
  scheduling.step = 0;
  scheduling.record = nullptr;
  worker.channel->phase = protocol::Phase::Running;
  scheduling.exploring = true;
}

void end_threads() {
  if (!worker.standalone || scheduling.live != 1 || self().index != 0) return;
  scheduling.exploring = false;
  scheduling.record = nullptr;
}

void die_alone(int status) {
  flush_streams();
  for (;;) raw_syscall(SYS_exit_group, status);
}

}  // namespace mazurka::runtime
