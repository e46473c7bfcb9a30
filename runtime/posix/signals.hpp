// Which signals the program has blocked and ignored, as it believes. In truth nothing changes: the runtime lives on
// SIGSEGV (snapshot.hpp) and reports crashes, so neither it nor its kind may be blocked, and a mask per thread would
// take a system call per switch. Nobody can tell: signals come from the program itself only (signal_delivery.hpp).
#pragma once

#include <cstdint>

#include <signal.h>

namespace mazurka::runtime {

/// The signals of which the runtime must hear whatever the program wants.
inline constexpr int kOwnSignals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGABRT};

/// The mask that the process was started with becomes the view of the main thread, unless it has one already.
void adopt_signal_mask();
/// Fixes the mask with which the main thread begins every execution: the one it has now.
void note_first_signal_mask();
std::uint64_t first_signal_mask();
/// What the process really does about a signal, whatever the program believes.
void set_real_handler(int number, const struct sigaction& action);
/// The mask of a set, as the kernel would have it.
std::uint64_t mask_of(const sigset_t& set);

}  // namespace mazurka::runtime
