#include "runtime/worker/outcome.hpp"

#include <sys/syscall.h>

#include "runtime/arch.hpp"
#include "runtime/scheduling/offers.hpp"
#include "runtime/scheduling/sections.hpp"
#include "runtime/worker/driver.hpp"

// Where debuggers stop: the program has failed, and its stack is still there.
extern "C" __attribute__((noinline, visibility("default"))) void mazurka_failed() { __asm__ volatile(""); }

namespace mazurka::runtime {
namespace {

void set_kind(const char* kind) { Text(g.channel->error_kind, sizeof g.channel->error_kind) << kind; }

/// Before main there is no execution to end, and without an explorer nobody to tell: say it and leave.
[[noreturn]] void die(const char* kind, const char* message) {
  char buffer[1024];
  Text text(buffer, sizeof buffer);
  text << "mazurka: " << kind << ": " << message << "\n";
  raw_syscall(SYS_write, 2, reinterpret_cast<long>(buffer), static_cast<long>(text.size()));
  if (g.channel != nullptr) {
    set_kind(kind);
    if (message != g.channel->message) Text(g.channel->message, protocol::kMessageBytes) << message;
  }
  for (;;) raw_syscall(SYS_exit_group, 1);
}

}  // namespace

void finish(Outcome outcome) {
  if (g.section) close_section(true);
  g.channel->outcome = outcome;
  if (outcome == Outcome::Error || outcome == Outcome::Deadlock || outcome == Outcome::Unsupported) mazurka_failed();
  back_to_driver();
}

void fail(const char* kind, const char* message, std::uint64_t site) {
  if (!g.ready || (!g.exploring && !g.ending)) die(kind, message);
  set_kind(kind);
  if (message != g.channel->message) Text(g.channel->message, protocol::kMessageBytes) << message;
  g.channel->error_site = site;
  self().pending = {};  // it failed inside a step: what it would do next is not known
  finish(Outcome::Error);
}

void unsupported(const char* what, std::uint64_t site) {
  if (!g.ready || (!g.exploring && !g.ending)) die("unsupported", what);
  set_kind("unsupported");
  Text(g.channel->message, protocol::kMessageBytes) << what << " cannot be controlled";
  g.channel->error_site = site;
  self().pending = {};
  finish(Outcome::Unsupported);
}

}  // namespace mazurka::runtime
