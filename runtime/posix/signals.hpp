// The program's view of blocked and ignored signals. In reality nothing changes: the runtime needs SIGSEGV
// (snapshot.hpp) and reports crashes, so these signals must not be blocked, and a real mask per thread would take a
// system call per switch. The program cannot tell: signals only come from the program itself (signal_delivery.hpp).
#pragma once

#include <cstdint>

#include <signal.h>

#include "runtime/hooks/buffers.hpp"

namespace mazurka::runtime {

/// Signals that the runtime must receive whatever the program does.
inline constexpr int kOwnSignals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGABRT};

/// Copies the mask that the process was started with into the main thread's view, unless it has one already.
void adopt_signal_mask();
/// Fixes the mask with which the main thread starts every execution: the current one.
void note_first_signal_mask();
std::uint64_t first_signal_mask();
/// Sets the real action of the process for a signal, independent of the program's view.
void set_real_handler(int number, const struct sigaction& action);
/// sigprocmask() with masks of the kernel's size; returns an errno value.
int change_mask(int how, const void* set, void* old, const Caller& caller);
/// The mask of a set, as the kernel would use it.
std::uint64_t mask_of(const sigset_t& set);

}  // namespace mazurka::runtime
