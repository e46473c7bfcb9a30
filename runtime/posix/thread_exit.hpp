// What is remembered of stacks for the ends of threads; see thread_exit.cpp.
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
  std::uint64_t links;  ///< as bits: the words that say which frames there are
  std::uint64_t words[kMost];
};

/// By thread: the last such stack. In pages of their own, which the snapshot leaves alone.
struct alignas(kPage) PlainStacks {
  PlainStack of[protocol::kMaxProcesses];
};
MAZURKA_SHARED PlainStacks plain_stacks;

}  // namespace mazurka::runtime
