// The messages of a search by several processes (ranks). Rank 0 has the frontier; the others exchange messages with
// rank 0 only. The first byte of a message is its kind. What is sent to rank 0 is a list of messages: those that nobody
// waits for are sent together.
#pragma once

#include <cstdint>

#include "core/bytes.hpp"

namespace mazurka::dpor {

enum class Message : std::uint8_t {
  // To rank 0: the calls of Coordinator. Those marked * are answered.
  Take,       ///< *: how many prefixes
  GiveBack,   ///< the number of the first of those taken that others are to explore, and of the first after them
  Finish,     ///< what was counted
  Insert,     ///< *: the last ticket whose answer is known, one on which it depends, whether an answer is wanted, a
              ///< reversal
  HandOver,   ///< prefixes with what is planned after them
  Executed,   ///< length, fatal
  Rest,       ///< *: which one, what was counted, a note
  BeginAnew,  ///< Awaited
  Stop,       ///< the search is to end
  Count,      ///< *: asks for executions to begin
  // The calls of Listener.
  Error,     ///< an execution and its number
  Cut,       ///< an execution
  Progress,  ///< statistics
  // Others.
  Ask,     ///< *: a question for TeamNotes
  Done,    ///< the explorer's result, a note
  Failed,  ///< what was thrown

  // From rank 0.
  Begin,     ///< another search: options, Awaited, a note
  Taken,     ///< to Take: executions of all explorers so far, prefixes
  Over,      ///< to Take: nothing is left
  Inserted,  ///< to Insert: Planned, for each ticket that has not been answered
  Wanted,    ///< some explorer is idle
  RestDue,   ///< a number: all explorers are to rest
  RestOver,  ///< a number: that rest is over
  Granted,   ///< to Count: how many
  Answer,    ///< to Ask
  Stops,     ///< the search stops
  End,       ///< there will be no other search
};
inline constexpr Message kLastMessage = Message::End;

inline ByteWriter message(Message kind) {
  ByteWriter writer;
  writer.choice(kind);
  return writer;
}

}  // namespace mazurka::dpor
