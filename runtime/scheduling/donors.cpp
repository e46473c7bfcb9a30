#include "runtime/scheduling/donors.hpp"

#include <linux/futex.h>
#include <pthread.h>
#include <sys/rseq.h>
#include <sys/syscall.h>

#include "runtime/arch.hpp"
#include "runtime/memory/heap.hpp"
#include "runtime/memory/layout.hpp"
#include "runtime/memory/mapping.hpp"
#include "runtime/memory/snapshot.hpp"
#include "runtime/posix/c_library.hpp"
#include "runtime/scheduling/scheduling.hpp"
#include "runtime/scheduling/thread_table.hpp"
#include "runtime/worker/outcome.hpp"
#include "runtime/worker/worker.hpp"

namespace mazurka::runtime {
namespace {

using CreateThread = int (*)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);

std::uint32_t parked_for_ever = 0;

void* donate(void* slot) {
  leave_rseq();
  static_cast<Slot*>(slot)->thread_pointer = read_thread_pointer();
  __atomic_add_fetch(&threads.donors_begun, 1, __ATOMIC_RELEASE);
  // From here on the donor's stack is part of the snapshot: the main thread protects and overwrites it.
  stackless_syscall(SYS_futex, reinterpret_cast<long>(&threads.donors_begun), FUTEX_WAKE_PRIVATE, 1, 0);
  for (;;) stackless_syscall(SYS_futex, reinterpret_cast<long>(&parked_for_ever), FUTEX_WAIT_PRIVATE, 0, 0);
}

void map_slot(std::uint32_t index) {
  Slot& slot = threads.slots[index];
  if (slot.mapped) return;
  if (!try_map(slot_base(index), kDonorBytes) || !try_map(stack_bottom(index), kStackBytes) ||
      !try_map(slot_base(index) + kHeapOffset, heap_end(index) - slot_base(index) - kHeapOffset))
    fail(FailureKind::Memory, "the address space for a thread cannot be reserved", 0);
  slot.mapped = true;
  threads.all[index].index = index;
  threads.all[index].heap_top = reinterpret_cast<std::uint8_t*>(heap_bottom(index));
}

void create_donor(std::uint32_t index, CreateThread create_thread) {
  Slot& slot = threads.slots[index];
  map_slot(index);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  // The thread control block at the end is hardly ever written. It gets a page of its own, so that restoring only
  // copies the thread_local variables of the program and its libraries.
  pthread_attr_setstack(&attributes, reinterpret_cast<void*>(slot_base(index)), kDonorBytes - kPage + kControlBlock);
  pthread_t handle;
  if (create_thread(&handle, &attributes, donate, &slot) != 0)
    fail(FailureKind::Memory, "the system refuses to create another thread (see ulimit -u)", 0);
  pthread_attr_destroy(&attributes);
  // One at a time: the interposed functions called at their start assume that only one thread runs.
  while (__atomic_load_n(&threads.donors_begun, __ATOMIC_ACQUIRE) < index)
    raw_syscall(SYS_futex, reinterpret_cast<long>(&threads.donors_begun), FUTEX_WAIT_PRIVATE, index - 1, 0);
  add_to_snapshot(slot_base(index), slot_base(index) + kDonorBytes);
}

}  // namespace

bool leave_rseq() {
  if (__rseq_size == 0) return true;
  constexpr long kRegistered = 32;  // the size that the C library registers, whatever part it uses
  constexpr long kUnregister = 1;
  return raw_syscall(SYS_rseq, static_cast<long>(read_thread_pointer()) + __rseq_offset, kRegistered, kUnregister,
                     static_cast<long>(RSEQ_SIG)) == 0;
}

void create_donors(std::uint32_t count) {
  if (threads.donors >= count) return;
  const auto create_thread = reinterpret_cast<CreateThread>(next_function("pthread_create"));
  if (create_thread == nullptr)
    fail(FailureKind::Link, "the C library's pthread_create is not found (static linking?)", 0);
  const std::uint64_t boot_top = boot_heap_top();
  if (worker.ready && !worker.standalone) return_to_boot_heap();
  for (; threads.donors < count; ++threads.donors) {
    if (threads.donors == 0) {
      // The main thread ran before there were fibers, and keeps its own TLS.
      map_slot(0);
      threads.slots[0].thread_pointer = scheduling.main_thread_pointer;
      continue;
    }
    create_donor(threads.donors, create_thread);
  }
  if (!worker.ready || worker.standalone) return;
  leave_boot_heap();
  if (boot_heap_top() > boot_top) add_to_snapshot(boot_top, boot_heap_top());
}

std::uint32_t index_of_pthread(std::uint64_t handle) {
  if (handle == scheduling.main_thread_pointer) return 0;
  if (!is_in_arena(handle)) return kNoProcess;
  const std::uint32_t index = slot_of(handle);
  return index < scheduling.thread_end && threads.slots[index].thread_pointer == handle ? index : kNoProcess;
}

}  // namespace mazurka::runtime
