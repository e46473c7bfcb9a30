#include "runtime/worker/outcome.hpp"

#include <sys/syscall.h>

#include "runtime/arch.hpp"
#include "runtime/scheduling/frames.hpp"
#include "runtime/scheduling/offers.hpp"
#include "runtime/scheduling/scheduling.hpp"
#include "runtime/scheduling/sections.hpp"
#include "runtime/waiting/trial.hpp"
#include "runtime/worker/alone.hpp"
#include "runtime/worker/execution.hpp"
#include "runtime/worker/worker.hpp"

// A breakpoint for debuggers: the program has failed, and its stack is still there.
extern "C" __attribute__((noinline, visibility("default"))) void mazurka_failed() { __asm__ volatile(""); }

namespace mazurka::runtime {
namespace {

constexpr int kAbortStatus = 134;

/// Before main there is no execution to end, and standalone there is no explorer: print the failure and exit.
[[noreturn]] void die(FailureKind kind, const char* message) {
  char buffer[1024];
  Text text(buffer, sizeof buffer);
  text << "mazurka: " << name(kind) << (*message == '\0' ? "" : ": ") << message << "\n";
  raw_syscall(SYS_write, 2, reinterpret_cast<long>(buffer), static_cast<long>(text.size()));
  if (worker.channel != nullptr) {
    worker.channel->error_kind = kind;
    if (message != worker.channel->message) Text(worker.channel->message, protocol::kMessageBytes) << message;
  }
  if (worker.standalone && worker.ready)
    die_alone(worker.channel->exit_status != 0 ? worker.channel->exit_status : kAbortStatus);
  for (;;) raw_syscall(SYS_exit_group, 1);
}

}  // namespace

void finish(Outcome outcome) {
  no_trial();
  if (scheduling.in_section) close_section(true);
  worker.channel->outcome = outcome;
  if (outcome == Outcome::Error || outcome == Outcome::Deadlock || outcome == Outcome::Unsupported) mazurka_failed();
  back_to_driver();
}

void fail(FailureKind kind, const char* message, std::uint64_t site) {
  no_trial();  // a trial shares the channel with its parent process
  if (!worker.ready || (!scheduling.exploring && !worker.ending)) die(kind, message);
  if (scheduling.reporting) note_frames();
  worker.channel->error_kind = kind;
  if (message != worker.channel->message) Text(worker.channel->message, protocol::kMessageBytes) << message;
  worker.channel->error_site = site;
  self().pending = {};  // it failed during a step: its next operation is unknown
  finish(Outcome::Error);
}

void fail(FailureKind kind, const ObjectMisuse& misuse, std::uint64_t site) {
  no_trial();
  worker.channel->misuse = misuse;
  message() << "object " << reinterpret_cast<void*>(misuse.object);
  fail(kind, worker.channel->message, site);
}

void unsupported(const char* what, std::uint64_t site) {
  no_trial();
  if (!worker.ready || (!scheduling.exploring && !worker.ending)) die(FailureKind::Unsupported, what);
  worker.channel->error_kind = FailureKind::Unsupported;
  Text(worker.channel->message, protocol::kMessageBytes) << what << " cannot be controlled";
  worker.channel->error_site = site;
  self().pending = {};
  finish(Outcome::Unsupported);
}

}  // namespace mazurka::runtime
