// The result of a run, its name in JSON and its exit code. Scripts rely on both, so they are defined only here.
#pragma once

#include <string_view>

namespace mazurka {

enum class Result {
  Ok,              ///< everything was explored and nothing fails
  Bug,             ///< a bug was found; a schedule reproduces it
  Incomplete,      ///< a limit or the user stopped the exploration: nothing is proved
  Nondeterminism,  ///< a replay behaved differently
  Unsupported,     ///< the system does something that Mazurka cannot control
  Error,           ///< bad usage or bad input
};

constexpr std::string_view name(Result result) {
  switch (result) {
    case Result::Ok: return "ok";
    case Result::Bug: return "bug";
    case Result::Incomplete: return "incomplete";
    case Result::Nondeterminism: return "nondeterminism";
    case Result::Unsupported: return "unsupported";
    case Result::Error: return "error";
  }
  return "error";
}

constexpr int exit_code(Result result) {
  switch (result) {
    case Result::Ok: return 0;
    case Result::Bug: return 1;
    case Result::Error: return 2;
    case Result::Incomplete: return 3;
    case Result::Nondeterminism:
    case Result::Unsupported: return 4;
  }
  return 2;
}

inline constexpr int kInternalErrorExitCode = 70;

}  // namespace mazurka
