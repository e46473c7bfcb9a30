// How an execution ends. None of these functions returns: the driver takes over, and threads are abandoned where they
// are.
#pragma once

#include "runtime/text.hpp"
#include "runtime/waiting/trial.hpp"
#include "runtime/worker/worker.hpp"

namespace mazurka::runtime {

using mazurka::FailureKind, mazurka::ObjectKind;  // for interposed C functions, which are in no namespace

/// Ends the execution. If it failed, the channel's `error_kind` and `message` describe it.
[[noreturn]] void finish(Outcome outcome);

/// Ends it with an error of the program at `site`.
[[noreturn]] void fail(FailureKind kind, const char* message, std::uint64_t site);

/// Ends it because the running thread misuses an object of the threads library.
[[noreturn]] void fail(FailureKind kind, const ObjectMisuse& misuse, std::uint64_t site);

/// Ends it because the program calls `what`, which Mazurka cannot control.
[[noreturn]] void unsupported(const char* what, std::uint64_t site);

/// A buffer for the message.
inline Text message() {
  no_trial();
  return Text(worker.channel->message, protocol::kMessageBytes);
}

}  // namespace mazurka::runtime
