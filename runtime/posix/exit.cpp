#include "runtime/posix/exit.hpp"

#include <typeinfo>

#include <cxxabi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>

#include "runtime/arch.hpp"
#include "runtime/detector/detector.hpp"
#include "runtime/export.hpp"
#include "runtime/memory/heap.hpp"
#include "runtime/memory/memory.hpp"
#include "runtime/posix/exception.hpp"
#include "runtime/posix/shared_state.hpp"
#include "runtime/scheduling/scheduler.hpp"
#include "runtime/scheduling/scheduling.hpp"
#include "runtime/scheduling/sections.hpp"
#include "runtime/scheduling/site.hpp"
#include "runtime/waiting/trial.hpp"
#include "runtime/worker/outcome.hpp"
#include "runtime/worker/worker.hpp"

// Only present in C++ programs.
extern "C" __attribute__((weak)) std::type_info* __cxa_current_exception_type();
extern "C" __attribute__((weak)) char* __cxa_demangle(const char*, char*, std::size_t*, int*);

namespace mazurka::runtime {

/// In the program's memory: handlers registered in an execution disappear with it. The list begins in `memory`, whose
/// page is not restored: nearly every C++ program has a handler, and running it would make a page hot.
struct ExitHandler {
  ExitHandler* next;
  void (*call)(void*);
  void* argument;
};

namespace {

ExitHandler* quick_exit_handlers;  // in the program's memory, since few programs have any

/// The order of registration is that of the handlers.
int add_handler(ExitHandler*& list, void (*call)(void*), void* argument, std::uint64_t site) {
  change_shared(&list, site);
  auto* handler = static_cast<ExitHandler*>(allocate(sizeof(ExitHandler)));
  if (handler == nullptr) return -1;
  *handler = {list, call, argument};
  list = handler;
  return 0;
}

void run_handlers(ExitHandler*& list) {
  while (list != nullptr) {
    const ExitHandler* handler = list;
    list = handler->next;
    handler->call(handler->argument);
  }
}

/// A handler of on_exit().
struct StatusHandler {
  void (*call)(int, void*);
  void* argument;
};
void call_with_status(void* handler) {
  const auto& [call, argument] = *static_cast<const StatusHandler*>(handler);
  call(worker.channel->exit_status, argument);
}

enum class Handlers { None, OfExit, OfQuickExit };

/// The parent process only sees the low eight bits of the status.
bool is_failure(int status) { return (status & 0xff) != 0 && !worker.channel->settings.ignore_exit_status; }

/// `exit` and its kin: a step that ends the program.
[[noreturn]] void end_program(int status, Handlers handlers, std::uint64_t site) {
  if (!worker.ready || (worker.standalone && handlers == Handlers::None))
    for (;;) raw_syscall(SYS_exit_group, status);
  if (scheduling.exploring) perform(operation(OperationKind::Exit), site);
  if (scheduling.in_section) close_section(false);
  protocol::Channel& channel = *worker.channel;
  // A failing status that main returned before is kept.
  if (status != 0 || !is_failure(channel.exit_status)) channel.exit_status = status;
  scheduling.exploring = false;
  detector.checking = detector.guarding = false;
  worker.ending = true;
  if (handlers == Handlers::OfExit) run_exit_handlers();
  if (handlers == Handlers::OfQuickExit) run_handlers(quick_exit_handlers);
  self().pending = {};
  // In a closure, exit would end the test, whatever the status.
  if (is_failure(status) || worker.closure) fail(FailureKind::ExitStatus, "", site);
  finish(Outcome::Finished);
}

}  // namespace

void abort_at(std::uint64_t site) {
  no_trial();
  std::type_info* type = __cxa_current_exception_type == nullptr ? nullptr : __cxa_current_exception_type();
  worker.channel->exit_status = 134;
  worker.channel->raised = {};
  worker.channel->crash.depth = 0;
  worker.channel->crash_library[0] = 0;
  if (type == nullptr) fail(FailureKind::Abort, "", site);
  int status = 0;
  char* name = __cxa_demangle == nullptr ? nullptr : __cxa_demangle(type->name(), nullptr, nullptr, &status);
  // what() is code of the program, whose accesses must not become scheduling points.
  scheduling.exploring = false;
  detector.checking = detector.guarding = false;
  worker.ending = true;
  const char* const words = current_exception_text(*type);
  Text text = message();
  text << "an exception of type " << (name == nullptr ? type->name() : name) << " is not caught";
  if (words != nullptr) text << ": " << words;
  if (self().misuse != nullptr) text << " (" << self().misuse << ")";
  fail(FailureKind::Exception, worker.channel->message, site);
}

void forget_exit_handlers() { memory.exit_handlers = nullptr; }
void note_first_exit_handlers() { memory.first_exit_handlers = memory.exit_handlers; }

bool has_exit_handlers() { return memory.exit_handlers != nullptr; }

void check_returned_status() {
  protocol::Channel& channel = *worker.channel;
  if (channel.outcome != Outcome::Finished || !is_failure(channel.exit_status)) return;
  channel.error_kind = FailureKind::ExitStatus;
  channel.running = kNoProcess;  // no step failed: the execution is complete
  channel.outcome = Outcome::Error;
}

void run_exit_handlers() { run_handlers(memory.exit_handlers); }

}  // namespace mazurka::runtime

using namespace mazurka::runtime;

MAZURKA_REPLACEABLE int __cxa_atexit(void (*call)(void*), void* argument, void*) {
  return add_handler(memory.exit_handlers, call, argument, MAZURKA_SITE);
}
MAZURKA_REPLACEABLE int atexit(void (*call)()) {
  return add_handler(memory.exit_handlers, reinterpret_cast<void (*)(void*)>(call), nullptr, MAZURKA_SITE);
}
MAZURKA_REPLACEABLE int on_exit(void (*call)(int, void*), void* argument) {
  auto* const handler = static_cast<StatusHandler*>(allocate(sizeof(StatusHandler)));
  if (handler == nullptr) return -1;
  *handler = {call, argument};
  return add_handler(memory.exit_handlers, call_with_status, handler, MAZURKA_SITE);
}
MAZURKA_REPLACEABLE int __cxa_at_quick_exit(void (*call)(void*), void*) {
  return add_handler(quick_exit_handlers, call, nullptr, MAZURKA_SITE);
}
// The headers of C++ declare a function of that name without C linkage.
MAZURKA_REPLACEABLE int mazurka_at_quick_exit(void (*call)()) __asm__("at_quick_exit");
MAZURKA_REPLACEABLE int mazurka_at_quick_exit(void (*call)()) {
  return add_handler(quick_exit_handlers, reinterpret_cast<void (*)(void*)>(call), nullptr, MAZURKA_SITE);
}

MAZURKA_REPLACEABLE void exit(int status) { end_program(status, Handlers::OfExit, MAZURKA_SITE); }
MAZURKA_REPLACEABLE void _exit(int status) { end_program(status, Handlers::None, MAZURKA_SITE); }
MAZURKA_REPLACEABLE void _Exit(int status) { end_program(status, Handlers::None, MAZURKA_SITE); }
MAZURKA_REPLACEABLE void quick_exit(int status) { end_program(status, Handlers::OfQuickExit, MAZURKA_SITE); }

MAZURKA_REPLACEABLE void abort() { abort_at(MAZURKA_SITE); }

MAZURKA_REPLACEABLE void __assert_fail(const char* assertion, const char* file, unsigned line, const char* function) {
  message() << file << ":" << line << ": " << (function == nullptr ? "" : function) << ": assertion `" << assertion
            << "` failed";
  worker.channel->exit_status = 134;
  fail(FailureKind::Assertion, worker.channel->message, MAZURKA_SITE);
}
