// How an execution ends. None of these return: the driver takes over, and the threads are abandoned where they stand.
#pragma once

#include "runtime/text.hpp"
#include "runtime/waiting/trial.hpp"
#include "runtime/worker/worker.hpp"

namespace mazurka::runtime {

using mazurka::FailureKind, mazurka::ObjectKind;  // for functions of the C library, which are outside of all namespaces

/// Ends the execution; the channel's `error_kind` and `message` say the rest, if there is something wrong.
[[noreturn]] void finish(Outcome outcome);

/// Ends it as an error of the program at `site`.
[[noreturn]] void fail(FailureKind kind, const char* message, std::uint64_t site);

/// Ends it because the running thread uses an object of the threads library wrongly.
[[noreturn]] void fail(FailureKind kind, const ObjectMisuse& misuse, std::uint64_t site);

/// Ends it because the program calls `what`, which cannot be controlled.
[[noreturn]] void unsupported(const char* what, std::uint64_t site);

/// The text of the message under construction.
inline Text message() {
  no_trial();
  return Text(worker.channel->message, protocol::kMessageBytes);
}

}  // namespace mazurka::runtime
