#include "runtime/worker/crash.hpp"

#include <dlfcn.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <ucontext.h>

#include "runtime/arch.hpp"
#include "runtime/memory/layout.hpp"
#include "runtime/memory/snapshot.hpp"
#include "runtime/posix/signals.hpp"
#include "runtime/posix/unwind.h"
#include "runtime/scheduling/scheduling.hpp"
#include "runtime/waiting/trial.hpp"
#include "runtime/worker/image.hpp"
#include "runtime/worker/outcome.hpp"
#include "runtime/worker/worker.hpp"

namespace mazurka::runtime {
namespace {

constexpr unsigned long kHandlerStack = 1U << 16;

bool in_a_guard(std::uint64_t address) {
  if (!is_in_arena(address)) return false;
  const std::uint64_t offset = offset_in_slot(address);
  return offset >= kDonorBytes && offset < kDonorBytes + kStackGuard;
}

/// The calls that led to a fault inside a library: those of libraries by name, those of the program as sites.
struct Calls {
  std::uint64_t place;  ///< of the fault
  bool arrived;         ///< there
  Text inside;
};

void add_library_call(Text& text, std::uint64_t address) {
  Dl_info found;
  if (dladdr(reinterpret_cast<void*>(address - 1), &found) == 0 || found.dli_fname == nullptr) {
    text << "an unknown place\n";
    return;
  }
  const char* file = found.dli_fname;
  for (const char* c = file; *c != 0; ++c)
    if (*c == '/') file = c + 1;
  if (found.dli_sname != nullptr)
    text << found.dli_sname << " (" << file << ")\n";
  else
    text << file << "+" << reinterpret_cast<void*>(address - reinterpret_cast<std::uint64_t>(found.dli_fbase)) << "\n";
}

int add_call(void* argument, std::uint64_t address, std::uint64_t) {
  auto& calls = *static_cast<Calls*>(argument);
  protocol::CallStack& stack = worker.channel->crash;
  calls.arrived = calls.arrived || address == calls.place;
  if (!calls.arrived) return 1;  // the frames of the handler
  if (image.has_code(address)) {
    if (stack.depth < protocol::kMaxFrames) stack.sites[stack.depth++] = address - image.base;
  } else if (stack.depth == 0) {
    add_library_call(calls.inside, address);
  }
  return 1;
}

/// Fills `crash` of the channel. Returns the site of the innermost call of the program, 0 if there is none.
std::uint64_t note_calls(std::uint64_t place) {
  static bool noting;  // a damaged stack may make unwinding crash as well
  protocol::Channel& channel = *worker.channel;
  if (noting) {
    noting = false;
    return 0;
  }
  noting = true;
  Calls calls{place, false, Text(channel.crash_library, sizeof channel.crash_library)};
  mazurka_for_each_frame(add_call, &calls);
  noting = false;
  // The outermost are the runtime's: what runs a thread, and what calls main.
  const std::uint32_t own = self().index == 0 ? 2 : 1;
  if (channel.crash.depth > own && channel.crash.depth < protocol::kMaxFrames) channel.crash.depth -= own;
  return channel.crash.depth == 0 ? 0 : channel.crash.sites[0];
}

/// The code of the runtime itself lies in the program; a fault there that is not the program's doing must not be
/// answered by running more of it.
void on_signal(int number, siginfo_t* info, void* context) {
  const auto* user = static_cast<const ucontext_t*>(context);
  const auto address = reinterpret_cast<std::uint64_t>(info->si_addr);
  constexpr long kWrite = 2;
  const bool is_write = number == SIGSEGV && (user->uc_mcontext.gregs[REG_ERR] & kWrite) != 0;
  if (scheduling.in_trial) return signal_in_trial(number, address, is_write, *static_cast<ucontext_t*>(context));
  if (is_write && page_written(address)) return;
  const auto place = static_cast<std::uint64_t>(user->uc_mcontext.gregs[REG_RIP]);
  const bool in_program = image.has_code(place);
  if (!scheduling.exploring && !worker.ending) {
    // Not the program's doing, or before main: die of it, as everybody expects.
    struct sigaction standard = {};
    standard.sa_handler = SIG_DFL;
    set_real_handler(number, standard);
    return;
  }
  worker.channel->crash.depth = 0;
  worker.channel->crash_library[0] = 0;
  std::uint64_t site = in_program ? place - image.base : note_calls(place);
  // What takes the place of a function of the C library lies in the program, too: a report names its caller.
  if (in_program && scheduling.reporting && !in_a_guard(address)) note_calls(place);
  if (site == 0) site = self().site;
  if (number == SIGSEGV && in_a_guard(address)) fail(FailureKind::StackOverflow, "", in_program ? site : 0);
  worker.channel->raised = {number, number == SIGSEGV || number == SIGBUS ? address : 0};
  fail(number == SIGABRT ? FailureKind::Abort : FailureKind::Signal, "", site);
}

}  // namespace

void catch_crashes() {
  const long stack = raw_syscall(SYS_mmap, 0, kHandlerStack, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
                                 0);  // shared: no part of the snapshot
  stack_t alternative = {};
  alternative.ss_sp = reinterpret_cast<void*>(stack);
  alternative.ss_size = kHandlerStack;
  raw_syscall(SYS_sigaltstack, reinterpret_cast<long>(&alternative), 0);
  struct sigaction action = {};
  action.sa_sigaction = on_signal;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  std::uint64_t own = 0;
  for (const int number : kOwnSignals) {
    if (number != SIGSYS) set_real_handler(number, action);  // that one is system_call_trap.cpp's
    own |= 1ULL << (number - 1);
  }
  // Whoever started this process may have blocked them.
  raw_syscall(SYS_rt_sigprocmask, SIG_UNBLOCK, reinterpret_cast<long>(&own), 0, sizeof own);
}

}  // namespace mazurka::runtime
