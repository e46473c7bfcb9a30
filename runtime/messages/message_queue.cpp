// POSIX message queues. Their names are private to the program: queues of other programs are not visible, and nothing
// remains for the next execution.
#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
#include <stdarg.h>
#include <string.h>
#include <sys/epoll.h>

#include "runtime/arch.hpp"
#include "runtime/detector/clocks.hpp"
#include "runtime/export.hpp"
#include "runtime/hooks/buffers.hpp"
#include "runtime/messages/descriptor_calls.hpp"
#include "runtime/messages/descriptors.hpp"
#include "runtime/posix/c_library.hpp"
#include "runtime/posix/time.hpp"
#include "runtime/scheduling/scheduling.hpp"
#include "runtime/scheduling/site.hpp"
#include "runtime/worker/outcome.hpp"

namespace mazurka::runtime {
namespace {

constexpr unsigned kPriorities = 32'768;
constexpr long kMostMessages = 10;  // defaults
constexpr long kMostBytes = 8192;
constexpr long kLimitOfMessages = 65'536;
constexpr long kLimitOfBytes = 16'777'216;
constexpr std::size_t kNameBytes = 255;

/// The bytes follow.
struct QueuedMessage {
  QueuedMessage* next;
  unsigned priority;
  std::size_t bytes;
};

struct MessageQueue {
  MessageQueue* next;    ///< list of named queues
  QueuedMessage* first;  ///< sorted by priority, then by age
  long count;
  long most;
  long most_bytes;
  char name[kNameBytes + 1];
};

/// An open description of a queue.
struct Opened {
  MessageQueue* queue;
  Channel* channel;
  Opened* next;  ///< list of all
};

// In the program's memory.
MessageQueue* queues;
Opened* descriptions;

MessageQueue& queue_of(const Channel& channel) { return *static_cast<Opened*>(channel.state)->queue; }

void notify(const MessageQueue& queue, std::uint32_t events) {
  for (const Opened* one = descriptions; one != nullptr; one = one->next)
    if (one->queue == &queue && one->channel != nullptr) notify_pollers(*one->channel, events);
}

std::uint32_t events(const Channel& channel, std::uint64_t) {
  const MessageQueue& queue = queue_of(channel);
  return (queue.count > 0 ? std::uint32_t{EPOLLIN | EPOLLRDNORM} : 0U) |
         (queue.count < queue.most ? std::uint32_t{EPOLLOUT | EPOLLWRNORM} : 0U);
}
// Linux would return the state of the queue as text.
long read(Channel&, void*, std::size_t) { unsupported("read() of a message queue", self().site); }
long write(Channel&, const void*, std::size_t) { return -EINVAL; }
bool can_read(const Channel&, std::size_t, std::uint64_t) { return true; }
bool has_room(const Channel&, const void*, std::size_t) { return true; }
void close(Channel& channel) { static_cast<Opened*>(channel.state)->channel = nullptr; }

constexpr ChannelKind kQueue = {events, read, write, can_read, has_room, close};

/// A name starts with a slash and has no other.
long error_of_name(const char* name) {
  if (name[0] != '/') return -EINVAL;
  std::size_t length = 0;
  for (const char* c = name + 1; *c != 0; ++c, ++length)
    if (*c == '/') return -EACCES;
  return length == 0 ? -ENOENT : length > kNameBytes ? -ENAMETOOLONG : 0;
}

bool is_equal(const char* a, const char* b) {
  while (*a != 0 && *a == *b) ++a, ++b;
  return *a == *b;
}

/// The link to the queue of that name, or the end of the list.
MessageQueue** find(const char* name) {
  MessageQueue** place = &queues;
  while (*place != nullptr && !is_equal((*place)->name, name + 1)) place = &(*place)->next;
  return place;
}

long open_queue(const char* name, int flags, const mq_attr* wanted, std::uint64_t site) {
  if (const long error = error_of_name(name); error != 0) return error;
  if ((flags & ~(O_ACCMODE | O_CREAT | O_EXCL | O_NONBLOCK | O_CLOEXEC)) != 0)
    unsupported("mq_open() with unknown flags", site);
  MessageQueue** const place = find(name);
  if (*place == nullptr) {
    if ((flags & O_CREAT) == 0) return -ENOENT;
    const long most = wanted == nullptr ? kMostMessages : wanted->mq_maxmsg;
    const long bytes = wanted == nullptr ? kMostBytes : wanted->mq_msgsize;
    if (most <= 0 || bytes <= 0 || most > kLimitOfMessages || bytes > kLimitOfBytes) return -EINVAL;
    *place = static_cast<MessageQueue*>(new_state(sizeof(MessageQueue), site));
    (*place)->most = most;
    (*place)->most_bytes = bytes;
    char* to = (*place)->name;
    for (const char* from = name + 1; *from != 0;) *to++ = *from++;
  } else if ((flags & (O_CREAT | O_EXCL)) == (O_CREAT | O_EXCL)) {
    return -EEXIST;
  }
  auto* const opened = static_cast<Opened*>(new_state(sizeof(Opened), site));
  const int file = add_channel(kQueue, opened, 0, flags & (O_ACCMODE | O_NONBLOCK | O_CLOEXEC));
  if (file < 0) return file;
  *opened = {*place, channel_of(file), descriptions};
  descriptions = opened;
  return file;
}

long unlink_queue(const char* name) {
  if (const long error = error_of_name(name); error != 0) return error == -EINVAL ? error : -ENOENT;
  MessageQueue** const place = find(name);
  if (*place == nullptr) return -ENOENT;
  *place = (*place)->next;  // open descriptions keep it
  return 0;
}

/// A send or receive that blocks.
struct Exchange {
  bool sends;
  std::size_t bytes;       ///< of the message or the buffer
  std::uint64_t deadline;  ///< Prospect::kNever if none
  Channel* channel = nullptr;
  bool nonblocking = false;

  long error() const {
    if (channel == nullptr || channel->kind != &kQueue) return -EBADF;
    if ((channel->flags & O_ACCMODE) == (sends ? O_RDONLY : O_WRONLY)) return -EBADF;
    const auto most = static_cast<std::size_t>(queue_of(*channel).most_bytes);
    return (sends ? bytes > most : bytes < most) ? -EMSGSIZE : 0;
  }
  bool has_to_wait() const {
    const MessageQueue& queue = queue_of(*channel);
    return sends ? queue.count == queue.most : queue.count == 0;
  }
};

Prospect prospect_of(const void* what) {
  const auto& exchange = *static_cast<const Exchange*>(what);
  if (exchange.nonblocking) return {true};
  return {!exchange.has_to_wait(), exchange.deadline, false, false};
}

/// Waits until the transfer is possible; returns the error if it is not. Holds the description until let_go().
long begin(Exchange& exchange, int file, std::uint64_t site) {
  const DescriptorCall call = exchange.sends ? DescriptorCall::Send : DescriptorCall::Receive;
  exchange.channel = look_up(call, file, site);
  if (const long error = exchange.error(); error != 0) return error;
  exchange.nonblocking = (exchange.channel->flags & O_NONBLOCK) != 0;
  returned(exchange.nonblocking ? 1 : 0);
  const unsigned passed = wait_for_descriptors(prospect_of, &exchange, call, file, site);
  if (passed > 0) {
    if (exchange.deadline > self().clock) self().clock = exchange.deadline;
    return -ETIMEDOUT;
  }
  return exchange.has_to_wait() ? -EAGAIN : 0;
}

/// The last thing in the step that ends a call.
long end(const Exchange& exchange, long result) {
  if (exchange.channel != nullptr) let_go(exchange.channel);
  return returned(result);
}

long send(int file, const char* from, std::size_t bytes, unsigned priority, std::uint64_t deadline,
          std::uint64_t site) {
  if (priority >= kPriorities) return -EINVAL;
  const Input text(from, bytes, site);
  Exchange exchange{true, bytes, deadline};
  if (const long error = begin(exchange, file, site); error != 0) return end(exchange, error);
  MessageQueue& queue = queue_of(*exchange.channel);
  auto* const message = static_cast<QueuedMessage*>(new_state(sizeof(QueuedMessage) + bytes, site));
  QueuedMessage** place = &queue.first;
  while (*place != nullptr && (*place)->priority >= priority) place = &(*place)->next;
  *message = {*place, priority, bytes};
  copy_bytes(message + 1, text.address(), bytes);
  *place = message;
  release(message);
  if (queue.count++ == 0) notify(queue, EPOLLIN | EPOLLRDNORM);
  return end(exchange, 0);
}

long receive(int file, char* to, std::size_t bytes, unsigned* priority, std::uint64_t deadline, std::uint64_t site) {
  Exchange exchange{false, bytes, deadline};
  if (const long error = begin(exchange, file, site); error != 0) return end(exchange, error);
  MessageQueue& queue = queue_of(*exchange.channel);
  const QueuedMessage* const message = queue.first;
  queue.first = message->next;
  acquire(message);
  if (queue.count-- == queue.most) notify(queue, EPOLLOUT | EPOLLWRNORM);
  end(exchange, static_cast<long>(message->bytes));
  use_buffer(true, to, message->bytes, site);
  copy_bytes(to, message + 1, message->bytes);
  if (priority != nullptr) {
    use_buffer(true, priority, sizeof *priority, site);
    *priority = message->priority;
  }
  return static_cast<long>(message->bytes);
}

long control(int file, const mq_attr* attributes, mq_attr* before, const Caller& caller) {
  const Input input(attributes, sizeof *attributes, caller);
  const auto* const wanted = static_cast<const mq_attr*>(input.address());
  const std::uint64_t site = caller.site();
  use_descriptors(wanted != nullptr ? DescriptorCall::SetFlags : DescriptorCall::Control, file, site);
  Channel* const channel = channel_of(file);
  if (channel == nullptr || channel->kind != &kQueue) return returned(-EBADF);
  if (wanted != nullptr && (wanted->mq_flags & ~O_NONBLOCK) != 0) return returned(-EINVAL);
  const MessageQueue& queue = queue_of(*channel);
  mq_attr found{};
  found.mq_flags = channel->flags & O_NONBLOCK;
  found.mq_maxmsg = queue.most;
  found.mq_msgsize = queue.most_bytes;
  found.mq_curmsgs = queue.count;
  if (wanted != nullptr) channel->flags = (channel->flags & ~O_NONBLOCK) | static_cast<int>(wanted->mq_flags);
  returned(0);
  if (before == nullptr) return 0;
  use_argument(true, before, sizeof *before, caller);
  *before = found;
  return 0;
}

/// For mq_timedsend and mq_timedreceive, which only check it if they have to wait.
std::uint64_t deadline_of(const timespec* date) {
  return date == nullptr ? Prospect::kNever : since_start(CLOCK_REALTIME, date);
}

}  // namespace
}  // namespace mazurka::runtime

using namespace mazurka::runtime;
using mazurka::DescriptorCall, mazurka::Operation;

// Standalone programs use the kernel's queues.
#define MAZURKA_QUEUE_CALL(RESULT, NAME, PARAMETERS, ARGUMENTS, ...)                                      \
  MAZURKA_REPLACEABLE RESULT NAME PARAMETERS {                                                            \
    if (worker.standalone) return reinterpret_cast<RESULT(*) PARAMETERS>(next_function(#NAME)) ARGUMENTS; \
    [[maybe_unused]] const std::uint64_t site = MAZURKA_SITE;                                             \
    return static_cast<RESULT>(or_errno(__VA_ARGS__));                                                    \
  }

MAZURKA_QUEUE_CALL(int, mq_send, (mqd_t file, const char* from, std::size_t bytes, unsigned priority),
                   (file, from, bytes, priority), send(file, from, bytes, priority, Prospect::kNever, site))
MAZURKA_QUEUE_CALL(int, mq_timedsend,
                   (mqd_t file, const char* from, std::size_t bytes, unsigned priority, const timespec* date),
                   (file, from, bytes, priority, date),
                   (MAZURKA_READS(date, sizeof *date), send(file, from, bytes, priority, deadline_of(date), site)))
MAZURKA_QUEUE_CALL(ssize_t, mq_receive, (mqd_t file, char* to, std::size_t bytes, unsigned* priority),
                   (file, to, bytes, priority), receive(file, to, bytes, priority, Prospect::kNever, site))
MAZURKA_QUEUE_CALL(ssize_t, mq_timedreceive,
                   (mqd_t file, char* to, std::size_t bytes, unsigned* priority, const timespec* date),
                   (file, to, bytes, priority, date),
                   (MAZURKA_READS(date, sizeof *date), receive(file, to, bytes, priority, deadline_of(date), site)))
MAZURKA_QUEUE_CALL(int, mq_close, (mqd_t file), (file), is_channel(file) ? close_channel(file, site) : -EBADF)
MAZURKA_QUEUE_CALL(int, mq_unlink, (const char* name), (name),
                   (use_descriptors(DescriptorCall::Unlink, static_cast<int>(Operation::kNoDescriptor), site),
                    returned(unlink_queue(name))))

MAZURKA_QUEUE_CALL(int, mq_getattr, (mqd_t file, mq_attr* found), (file, found),
                   control(file, nullptr, found, MAZURKA_CALLER))
MAZURKA_QUEUE_CALL(int, mq_setattr, (mqd_t file, const mq_attr* wanted, mq_attr* before), (file, wanted, before),
                   control(file, wanted, before, MAZURKA_CALLER))

MAZURKA_REPLACEABLE mqd_t mq_open(const char* name, int flags, ...) noexcept {
  va_list list;
  va_start(list, flags);
  const mode_t mode = (flags & O_CREAT) != 0 ? va_arg(list, mode_t) : 0;
  const mq_attr* const wanted = (flags & O_CREAT) != 0 ? va_arg(list, const mq_attr*) : nullptr;
  va_end(list);
  if (worker.standalone)
    return reinterpret_cast<mqd_t (*)(const char*, int, ...)>(next_function("mq_open"))(name, flags, mode, wanted);
  const Input copy(wanted, sizeof *wanted, MAZURKA_CALLER);
  begin_making(MAZURKA_SITE);
  const auto* const attributes = static_cast<const mq_attr*>(copy.address());
  return static_cast<mqd_t>(or_errno(returned(open_queue(name, flags, attributes, MAZURKA_SITE))));
}

MAZURKA_REPLACEABLE int mq_notify(mqd_t file, const sigevent* how) noexcept {
  if (worker.standalone)
    return reinterpret_cast<int (*)(mqd_t, const sigevent*)>(next_function("mq_notify"))(file, how);
  unsupported("mq_notify()", MAZURKA_SITE);
}
