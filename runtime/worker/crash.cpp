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

/// The call stack of a fault inside a library: the library's frames by name, the program's as sites.
struct Calls {
  std::uint64_t place;  ///< of the fault
  bool arrived;         ///< the walk has reached its frame
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
  if (!calls.arrived) return 1;  // skip the frames of the handler
  if (image.has_code(address)) {
    if (stack.depth < protocol::kMaxFrames) stack.sites[stack.depth++] = address - image.base;
  } else if (stack.depth == 0) {
    add_library_call(calls.inside, address);
  }
  return 1;
}

/// Fills in Channel::crash. Returns the site of the program's innermost frame, 0 if there is none.
std::uint64_t note_calls(std::uint64_t place) {
  static bool noting;  // a corrupt stack may crash the unwinder too
  protocol::Channel& channel = *worker.channel;
  if (noting) {
    noting = false;
    return 0;
  }
  noting = true;
  Calls calls{place, false, Text(channel.crash_library, sizeof channel.crash_library)};
  mazurka_for_each_frame(add_call, &calls);
  noting = false;
  // The outermost frames are the runtime's: the thread's entry, and the caller of main.
  const std::uint32_t own = self().index == 0 ? 2 : 1;
  if (channel.crash.depth > own && channel.crash.depth < protocol::kMaxFrames) channel.crash.depth -= own;
  return channel.crash.depth == 0 ? 0 : channel.crash.sites[0];
}

/// The runtime's code is part of the program's image. A fault in it that the program has not caused must not be handled
/// by running more of it.
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
    // Before main, or not the program's fault: die of the signal as usual.
    struct sigaction standard = {};
    standard.sa_handler = SIG_DFL;
    set_real_handler(number, standard);
    return;
  }
  worker.channel->crash.depth = 0;
  worker.channel->crash_library[0] = 0;
  std::uint64_t site = in_program ? place - image.base : note_calls(place);
  // Interposed C functions are part of the image too: a report names their caller.
  if (in_program && scheduling.reporting && !in_a_guard(address)) note_calls(place);
  if (site == 0) site = self().site;
  if (number == SIGSEGV && in_a_guard(address)) fail(FailureKind::StackOverflow, "", in_program ? site : 0);
  worker.channel->raised = {number, number == SIGSEGV || number == SIGBUS ? address : 0};
  fail(number == SIGABRT ? FailureKind::Abort : FailureKind::Signal, "", site);
}

}  // namespace

void catch_crashes() {
  const long stack = raw_syscall(SYS_mmap, 0, kHandlerStack, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
                                 0);  // shared: excluded from the snapshot
  stack_t alternative = {};
  alternative.ss_sp = reinterpret_cast<void*>(stack);
  alternative.ss_size = kHandlerStack;
  raw_syscall(SYS_sigaltstack, reinterpret_cast<long>(&alternative), 0);
  struct sigaction action = {};
  action.sa_sigaction = on_signal;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  std::uint64_t own = 0;
  for (const int number : kOwnSignals) {
    if (number != SIGSYS) set_real_handler(number, action);  // SIGSYS belongs to system_call_trap.cpp
    own |= 1ULL << (number - 1);
  }
  // The parent process may have blocked them.
  raw_syscall(SYS_rt_sigprocmask, SIG_UNBLOCK, reinterpret_cast<long>(&own), 0, sizeof own);
}

}  // namespace mazurka::runtime
