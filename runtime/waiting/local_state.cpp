#include "runtime/waiting/local_state.hpp"

#include "runtime/arch.hpp"
#include "runtime/memory/memory.hpp"
#include "runtime/posix/unwind.h"
#include "runtime/scheduling/scheduling.hpp"
#include "runtime/scheduling/site.hpp"
#include "runtime/waiting/dead_values.hpp"
#include "runtime/waiting/private_stacks.hpp"
#include "runtime/waiting/waits.hpp"
#include "runtime/worker/image.hpp"
#include "runtime/worker/outcome.hpp"

namespace mazurka::runtime {
namespace {

/// The header of a stored state. The stack and the thread-local storage follow.
struct Head {
  unsigned long registers[MAZURKA_REGISTERS];
  std::uint64_t access;   ///< its return address in the program
  std::uint64_t address;  ///< its return address, perhaps in a library
  std::uint64_t object;
  std::uint64_t kind;
  std::uint64_t operand;
  std::uint64_t condition;
  std::uint64_t expected;  ///< of a compare-exchange
  std::uint64_t clock;
  std::uint64_t deadline;  ///< of a timed wait
  std::uint64_t random;
  std::uint64_t heap_top;
  std::uint64_t signal_mask;
  std::uint64_t floating_point;
  std::uint64_t at_exit;   ///< what its end calls: destructors
  std::uint64_t cleanups;  ///< and handlers of pthread_cleanup_push()
  std::uint64_t process;
};

struct Kept {
  std::uint64_t hash;
  std::uint64_t begin;
  std::uint32_t bytes;
  StateNumber next;  ///< in the same hash bucket
};

constexpr std::uint32_t kMaxStates = 1U << 16;
constexpr std::uint32_t kBuckets = 1U << 14;
constexpr std::uint64_t kLargest = 1U << 18;

struct States {
  std::uint64_t room;
  std::uint64_t used;
  std::uint32_t count;
  StateNumber buckets[kBuckets];
  Kept all[kMaxStates];
  alignas(8) std::uint8_t bytes[];
};
States* states;

std::uint64_t stack_pointer(const Head& head) { return head.registers[MAZURKA_STACK_POINTER]; }

/// Clears dead values in the state and on the stack itself. Another thread that still reads such a slot would race with
/// the coming store, so nobody misses the old value. If plain accesses are scheduling points, a hook precedes every
/// store to a slot that others can reach, and hooks end the search.
void clear_dead_values(const Thread& thread, Head& head) {
  const DeadValues dead = clear_dead_slots(thread, head.registers, head.address);
  for (std::uint32_t i = 0; i < MAZURKA_REGISTERS; ++i)
    if ((dead.registers & 1U << i) != 0) head.registers[i] = 0;
}

/// The size of the program's TLS in whole words.
std::uint64_t local_storage_bytes() { return (memory.static_tls_bytes + 7) & ~7ULL; }
const std::uint8_t* local_storage(const Thread& thread) {
  return reinterpret_cast<const std::uint8_t*>(thread.thread_pointer - local_storage_bytes());
}

/// Appends the state to the stored ones, tentatively. Returns its length; 0 if it is too large.
std::uint32_t write_down(const Thread& thread, const Head& head) {
  const std::uint64_t stack = stack_pointer(head);
  if (stack < stack_bottom(thread.index) || stack > stack_top(thread.index) || stack % 8 != 0) return 0;
  const std::uint64_t stack_bytes = stack_top(thread.index) - stack;
  const std::uint64_t bytes = sizeof head + stack_bytes + local_storage_bytes();
  if (bytes > kLargest) return 0;
  if (bytes > states->room - states->used || states->count + 1 == kMaxStates)
    unsupported("a program whose waiting loops have too many local states (try --waiting=explore)", 0);
  std::uint8_t* to = states->bytes + states->used;
  copy_bytes(to, &head, sizeof head);
  copy_bytes(to + sizeof head, reinterpret_cast<const void*>(stack), stack_bytes);
  copy_bytes(to + sizeof head + stack_bytes, local_storage(thread), local_storage_bytes());
  return static_cast<std::uint32_t>(bytes);
}

std::uint64_t word_at(const std::uint8_t* place) {
  std::uint64_t word;
  __builtin_memcpy(&word, place, sizeof word);
  return word;
}

/// \pre `count` is a multiple of eight.
bool same_bytes(const std::uint8_t* a, const std::uint8_t* b, std::uint64_t count) {
  std::uint64_t difference = 0;
  for (std::uint64_t i = 0; i < count; i += 8) difference |= word_at(a + i) ^ word_at(b + i);
  return difference == 0;
}

std::uint64_t hash_of(const std::uint8_t* bytes, std::uint32_t count) {
  std::uint64_t hash = count;
  for (std::uint32_t i = 0; i < count; i += 8) {
    hash = (hash ^ word_at(bytes + i)) * 0x9e3779b97f4a7c15ULL;
    hash ^= hash >> 29;
  }
  return hash;
}

/// Returns the number of the state just written, an existing one if it is known.
StateNumber keep(std::uint32_t bytes) {
  if (bytes == 0) return 0;
  const std::uint8_t* written = states->bytes + states->used;
  const std::uint64_t hash = hash_of(written, bytes);
  StateNumber& bucket = states->buckets[hash % kBuckets];
  for (StateNumber i = bucket; i != 0; i = states->all[i].next)
    if (const Kept& kept = states->all[i];
        kept.hash == hash && kept.bytes == bytes && same_bytes(states->bytes + kept.begin, written, bytes))
      return i;
  const StateNumber number = ++states->count;
  states->all[number] = {hash, states->used, bytes, bucket};
  bucket = number;
  states->used += (bytes + 7ULL) & ~7ULL;
  return number;
}

}  // namespace

/// The unwinder performs operations of its own (kInvisible).
std::uint64_t find_registers(Thread& thread, unsigned long* registers) {
  const Operation pending = thread.pending;
  const std::uint64_t site = thread.site;
  const std::uint64_t address = mazurka_registers_at(thread.access, image.text_begin, image.text_end, registers);
  thread.site = site;
  thread.pending = pending;
  return address;
}

DeadValues clear_dead_slots(const Thread& thread, const unsigned long* registers, std::uint64_t address) {
  if (!image.has_code(address)) return {};  // the program may have told a library where its variables are
  // While it waits in a queue, others may read what it overwrites after that. Such a store comes after a hook.
  const bool is_left_alone =
      thread.pending.kind != OperationKind::ConditionWait && thread.pending.kind != OperationKind::FutexWait;
  const bool passes_hooks = is_left_alone && (!plain_accesses_are_steps() || has_private_stack(thread));
  const DeadValues dead = find_dead_values(reinterpret_cast<const std::uint8_t*>(address), passes_hooks);
  for (std::uint32_t i = 0; i < dead.count; ++i) {
    const std::uint64_t place = registers[dead.base] + static_cast<std::uint64_t>(dead.slots[i].offset);
    if (place >= registers[MAZURKA_STACK_POINTER] && place < stack_top(thread.index))
      zero_bytes(reinterpret_cast<void*>(place), dead.slots[i].bytes);
  }
  return dead;
}

StateNumber local_state(Thread& thread) {
  Head head = {};
  head.address = find_registers(thread, head.registers);
  if (head.address == 0) return 0;
  if (!scheduling.in_trial) need_clean_stack(stack_pointer(head));
  clear_dead_values(thread, head);
  head.access = thread.access;
  head.object = thread.pending.object;
  head.kind = static_cast<std::uint64_t>(thread.pending.kind) << 8 | thread.pending.size;
  head.operand = thread.operand;
  head.condition = thread.condition;
  head.expected = thread.pending.kind == OperationKind::CompareExchange ? thread.expected[0] : 0;
  head.clock = time_matters() ? thread.clock : thread.passed;
  head.deadline = thread.deadline;
  head.random = thread.random;
  head.heap_top = reinterpret_cast<std::uint64_t>(thread.heap_top);
  head.signal_mask = thread.signal_mask;
  head.floating_point = floating_point_control();
  head.at_exit = reinterpret_cast<std::uint64_t>(thread.destructors);
  head.cleanups = reinterpret_cast<std::uint64_t>(thread.cleanups);
  head.process = thread.index;
  return keep(write_down(thread, head));
}

StateNumber local_state_now(const Thread& thread, StateNumber before) {
  const Kept& kept = states->all[before];
  Head head;
  copy_bytes(&head, states->bytes + kept.begin, sizeof head);
  const std::uint8_t* stack = states->bytes + kept.begin + sizeof head;
  const std::uint64_t stack_bytes = stack_top(thread.index) - stack_pointer(head);
  if (same_bytes(reinterpret_cast<const std::uint8_t*>(stack_pointer(head)), stack, stack_bytes) &&
      same_bytes(local_storage(thread), stack + stack_bytes, local_storage_bytes()))
    return before;
  return keep(write_down(thread, head));
}

void keep_states_at(void* place, std::uint64_t bytes) {
  states = static_cast<States*>(place);
  states->room = bytes - sizeof(States);
}

}  // namespace mazurka::runtime
