// The state of a mailbox. In the program's memory, so that the snapshot restores it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/heap_block.hpp"
#include "core/operation.hpp"

namespace mazurka::runtime {

/// The bytes of the message follow.
struct Message {
  Message* next;
  std::uint32_t number;  ///< Operation::message()
  std::uint32_t tag;
  std::size_t size;
};

struct MessageQueue {
  Message* first;
  Message* last;
};

struct Mailbox {
  std::uint32_t mark;   ///< kDestroyed after its destruction
  std::uint32_t owner;  ///< the receiver, as owner_mark(); 0 before the first receive
  MessageQueue arrived;
  /// Messages that receives with a predicate have taken and rejected: older than everything in `arrived`.
  MessageQueue rejected;
  std::uint64_t holder;  ///< the object that names it in reports; 0 if none
};

inline constexpr std::uint64_t kMailboxBytes = sizeof(Mailbox);

/// The message that a receive would take now; null if there is none.
Message* wanted_message(const Operation& receive);

/// Whether a receive by this thread is enabled: there is a message, or the mailbox belongs to another thread, which is
/// an error to report.
bool can_receive(const Operation& receive, std::uint32_t thread);

/// The object that names a heap-allocated mailbox in reports; 0 if none.
std::uint64_t holder_of_mailbox(const HeapBlock& block);

}  // namespace mazurka::runtime
