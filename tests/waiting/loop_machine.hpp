// Programs with waiting loops as instructions for a machine with a few registers, of which the oracle visits all
// states.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "waiting/loop_program.hpp"

namespace mazurka::waiting {

/// Of a thread. The first four are part of the final state.
enum Register : std::uint8_t { A, B, K, Rounds, Hidden, T, E, I, J, Registers };

constexpr int kPlain = 3;  // the variable that is not atomic

struct Instruction {
  enum class Op : std::uint8_t {
    // Seen by others; each is one step.
    Load,            ///< x = v
    Store,           ///< v = n
    Add,             ///< x = v, v += 1
    Exchange,        ///< x = v, v = y
    ExchangeUnless,  ///< x = v, v = y if v != n
    Compare,         ///< if v == x: v = y, t = 1; else x = v, t = 0
    Lock,
    Unlock,
    TryLock,  ///< x = 0 if it is locked now, 1 otherwise
    Enqueue,  ///< unlocks, and waits for a signal
    Leave,    ///< x = 1 if there was none so far
    Signal,   ///< to one of those who wait
    Broadcast,
    Begin,  ///< all up to End is one step
    End,
    // Not seen.
    Set,        ///< x = n
    Copy,       ///< x = y
    Increase,   ///< if x < n: x += 1
    Note,       ///< x = (2 x + y) mod 8
    Jump,       ///< to n
    Equal,      ///< to `to`, if x == n
    Same,       ///< to `to`, if x == y
    Assume,     ///< never goes on unless x == n
    AssumeNot,  ///< never goes on if x == n
    Done,
  };
  Op op;
  int v = 0;
  Register x = A;
  Register y = A;
  int n = 0;
  std::size_t to = 0;
};
using Op = Instruction::Op;

/// The instructions of one thread.
std::vector<Instruction> translate(const Code& code);

}  // namespace mazurka::waiting
