// What the runtime keeps of a mailbox. It lies in the program's memory, so the snapshot restores it.
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
  std::uint32_t mark;   ///< kDestroyed would stand here
  std::uint32_t owner;  ///< who receives from it, owner_mark() of the thread; 0 before the first receive
  MessageQueue arrived;
  /// Taken by receives that call a function to decide, which did not want them: older than all that have arrived since.
  MessageQueue passed_over;
  std::uint64_t holder;  ///< the object that reports call it by; 0 if there is none
};

inline constexpr std::uint64_t kMailboxBytes = sizeof(Mailbox);

/// The message that a receive would take now; null if there is none.
Message* wanted_message(const Operation& receive);

/// Whether a receive by this thread can take place now: there is a message, or the mailbox belongs to another thread,
/// which the thread is to be told.
bool can_receive(const Operation& receive, std::uint32_t thread);

/// The object that a mailbox, which is a block of the heap, is called by in reports; 0 if there is none.
std::uint64_t holder_of_mailbox(const HeapBlock& block);

}  // namespace mazurka::runtime
