// Cache of stacks without clean-up code, for pthread_exit; see thread_exit.cpp.
#pragma once

#include <cstdint>

#include "program/protocol.hpp"
#include "runtime/export.hpp"
#include "runtime/memory/layout.hpp"

namespace mazurka::runtime {

/// A stack without anything to clean up.
struct PlainStack {
  static constexpr std::uint64_t kMost = 62;
  const std::uint64_t* begin;
  std::uint64_t links;  ///< bit set of the words that are return addresses
  std::uint64_t words[kMost];
};

/// The last such stack of each thread. On pages of their own, which the snapshot excludes.
struct alignas(kPage) PlainStacks {
  PlainStack of[protocol::kMaxProcesses];
};
MAZURKA_SHARED PlainStacks plain_stacks;

}  // namespace mazurka::runtime
