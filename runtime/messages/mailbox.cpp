// Mailboxes (mazurka/mailbox.h). A send is one step, and so is a receive that selects by tag. A receive with a
// predicate takes messages in order of arrival, one step each, and keeps rejected ones for later receives: the
// receiving thread calls the predicate itself, between its steps.
#include "runtime/messages/mailbox.hpp"

#include <initializer_list>

#include <mazurka/mailbox.h>

#include "runtime/arch.hpp"
#include "runtime/detector/clocks.hpp"
#include "runtime/detector/object_use.hpp"
#include "runtime/export.hpp"
#include "runtime/memory/heap.hpp"
#include "runtime/posix/time.hpp"
#include "runtime/scheduling/offers.hpp"
#include "runtime/scheduling/scheduler.hpp"
#include "runtime/scheduling/scheduling.hpp"
#include "runtime/scheduling/site.hpp"
#include "runtime/states/states.hpp"
#include "runtime/worker/outcome.hpp"
#include "runtime/worker/worker.hpp"

namespace mazurka::runtime {
namespace {

using enum OperationKind;

static_assert(protocol::kMaxProcesses <= 1U << (32 - Operation::kSenderShift));

/// The main thread is the same before and inside a closure. All other threads have ended by then, and threads of the
/// closure reuse their indices.
constexpr std::uint32_t kOfClosure = 1U << 31;
std::uint32_t owner_mark(std::uint32_t thread) {
  return (thread + 1) | (thread != 0 && worker.closure ? kOfClosure : 0);
}
ProcessIndex owner_of(const Mailbox& mailbox) {
  const bool has_ended = worker.closure && mailbox.owner > 1 && (mailbox.owner & kOfClosure) == 0;
  return has_ended ? kNoProcess : (mailbox.owner & ~kOfClosure) - 1;
}

Mailbox& view(mazurka_mailbox* mailbox) { return *reinterpret_cast<Mailbox*>(mailbox); }

void append(MessageQueue& queue, Message* message) {
  message->next = nullptr;
  (queue.last == nullptr ? queue.first : queue.last->next) = message;
  queue.last = message;
}

void remove(MessageQueue& queue, Message* message) {
  Message* before = nullptr;
  for (Message* each = queue.first; each != message; each = each->next) before = each;
  (before == nullptr ? queue.first : before->next) = message->next;
  if (queue.last == message) queue.last = before;
}

mazurka_message shown(const Message& message) { return {message.tag, message.size, &message + 1}; }

bool is_wanted(const Message& message, const mazurka_selection& wanted) {
  if ((message.tag & wanted.mask) != (wanted.tag & wanted.mask)) return false;
  if (wanted.accepts == nullptr) return true;
  const mazurka_message one = shown(message);
  return wanted.accepts(&one, wanted.context) != 0;
}

void refuse_sections(std::uint64_t site) {
  if (self().atomic_depth > 0) unsupported("a mailbox inside an atomic section", site);
}

/// A step that takes the oldest message with such a tag; null if there is none and it gives up.
Message* receive(mazurka_mailbox* from, unsigned mask, unsigned tag, bool gives_up, std::uint64_t site) {
  Mailbox& mailbox = view(from);
  use_object(from, mailbox.mark, ObjectKind::Mailbox, site);
  Operation next = operation(gives_up ? MailboxTryReceive : MailboxReceive, from);
  next.set_pattern(mask, tag & mask);
  perform(next, site);
  object_used(from, mailbox.mark, ObjectKind::Mailbox, site);
  const std::uint32_t me = owner_mark(self().index);
  if (mailbox.owner != 0 && mailbox.owner != me)
    fail(FailureKind::ForeignReceive, {reinterpret_cast<std::uint64_t>(from), ObjectKind::Mailbox, owner_of(mailbox)},
         site);
  mailbox.owner = me;
  if (self().failed) return nullptr;
  Message* const message = wanted_message(next);
  remove(mailbox.arrived, message);
  observe(message->number);
  acquire(message);
  return message;
}

void pass_time(long long nanoseconds) {
  constexpr long long kSecond = 1'000'000'000;
  const timespec distance{nanoseconds / kSecond, nanoseconds % kSecond};
  const timespec deadline = deadline_after(CLOCK_MONOTONIC, distance);
  reach(CLOCK_MONOTONIC, &deadline);
}

Message* receive_wanted(mazurka_mailbox* from, const mazurka_selection& wanted, bool gives_up, std::uint64_t site) {
  Mailbox& mailbox = view(from);
  if (mailbox.owner == owner_mark(self().index))
    for (Message* message = mailbox.rejected.first; message != nullptr; message = message->next)
      if (is_wanted(*message, wanted)) {
        remove(mailbox.rejected, message);
        return message;
      }
  if (wanted.accepts == nullptr) return receive(from, wanted.mask, wanted.tag, gives_up, site);
  for (;;) {
    Message* const message = receive(from, 0, 0, gives_up, site);
    if (message == nullptr || is_wanted(*message, wanted)) return message;
    append(mailbox.rejected, message);
  }
}

}  // namespace

Message* wanted_message(const Operation& receive) {
  Message* message = reinterpret_cast<const Mailbox*>(receive.object)->arrived.first;
  while (message != nullptr && !receive.matches(message->tag)) message = message->next;
  return message;
}

bool can_receive(const Operation& receive, std::uint32_t thread) {
  const auto& mailbox = *reinterpret_cast<const Mailbox*>(receive.object);
  const bool is_mine = mailbox.owner == 0 || mailbox.owner == owner_mark(thread);
  return !is_mine || mailbox.mark == kDestroyed || wanted_message(receive) != nullptr;
}

std::uint64_t holder_of_mailbox(const HeapBlock& block) {
  return block.bytes == sizeof(Mailbox) ? reinterpret_cast<const Mailbox*>(block.address)->holder : 0;
}

}  // namespace mazurka::runtime

using namespace mazurka::runtime;
using mazurka::Operation;

// Blocks of the program's heap, so that reports name them by their allocation site.
MAZURKA_EXPORT mazurka_mailbox* mazurka_mailbox_create() {
  refuse_without_state("a mailbox", MAZURKA_SITE);  // messages have serial numbers, which are not part of states
  void* const mailbox = allocate_at(sizeof(Mailbox), alignof(Mailbox), __builtin_return_address(0));
  if (mailbox == nullptr) unsupported("a mailbox for which there is no memory", MAZURKA_SITE);
  zero_bytes(mailbox, sizeof(Mailbox));
  return static_cast<mazurka_mailbox*>(mailbox);
}

MAZURKA_EXPORT void mazurka_mailbox_name_after(mazurka_mailbox* mailbox, const void* holder) {
  view(mailbox).holder = reinterpret_cast<std::uint64_t>(holder);
}

MAZURKA_EXPORT void mazurka_mailbox_destroy(mazurka_mailbox* mailbox, void (*discard)(const mazurka_message*)) {
  Mailbox& own = *reinterpret_cast<Mailbox*>(mailbox);
  const void* const place = __builtin_return_address(0);
  use_object(mailbox, own.mark, ObjectKind::Mailbox, MAZURKA_SITE);
  announce_release(mailbox, place, __builtin_frame_address(0));
  object_used(mailbox, own.mark, ObjectKind::Mailbox, MAZURKA_SITE);
  if (waits_for(mailbox))
    fail(FailureKind::DestroyInUse, {reinterpret_cast<std::uint64_t>(mailbox), ObjectKind::Mailbox}, MAZURKA_SITE);
  own.mark = kDestroyed;
  for (const MessageQueue* queue : {&own.rejected, &own.arrived})
    for (const Message* message = queue->first; message != nullptr && discard != nullptr; message = message->next) {
      acquire(message);
      const mazurka_message left = shown(*message);
      discard(&left);
    }
  release_announced(mailbox, place, __builtin_frame_address(0));
}

MAZURKA_EXPORT void mazurka_mailbox_send(mazurka_mailbox* to, unsigned tag, const void* data, std::size_t size) {
  refuse_sections(MAZURKA_SITE);
  Mailbox& mailbox = *reinterpret_cast<Mailbox*>(to);
  Thread& thread = self();
  if (thread.messages == Operation::kMostMessages) unsupported("a million messages of one thread", MAZURKA_SITE);
  auto* const message = static_cast<Message*>(allocate(sizeof(Message) + size));
  if (message == nullptr) unsupported("a message for which there is no memory", MAZURKA_SITE);
  const std::uint32_t number =
      worker.standalone ? Operation::kSentBefore : Operation::message_of(thread.index, thread.messages++);
  *message = {nullptr, number, tag, size};
  copy_bytes(message + 1, data, size);
  use_object(to, mailbox.mark, ObjectKind::Mailbox, MAZURKA_SITE);
  Operation send = operation(mazurka::OperationKind::MailboxSend, to);
  send.set_message(message->number);
  send.set_tag(tag);
  perform(send, MAZURKA_SITE);
  object_used(to, mailbox.mark, ObjectKind::Mailbox, MAZURKA_SITE);
  observe(message->number);
  release(message);
  append(mailbox.arrived, message);
}

MAZURKA_EXPORT int mazurka_mailbox_receive(mazurka_mailbox* from, const mazurka_selection* wanted,
                                           long long nanoseconds, mazurka_message* message) {
  refuse_sections(MAZURKA_SITE);
  const mazurka_selection all{};
  const mazurka_selection selection = wanted == nullptr ? all : *wanted;
  const Message* const found = receive_wanted(from, selection, nanoseconds >= 0, MAZURKA_SITE);
  if (found == nullptr) {
    if (nanoseconds > 0) pass_time(nanoseconds);
    return 0;
  }
  *message = shown(*found);
  return 1;
}
