// Returns to the state before main without fork. Every writable page is write-protected once; the first write to a page
// faults, and the handler saves a copy and leaves the page writable ("hot"). Between executions only the hot pages are
// copied back. Once every page that the program writes is hot, there are no more faults and system calls.
#pragma once

#include <cstdint>

namespace mazurka::runtime {

/// Protects every writable private mapping except for the runtime's own state and the stacks and heaps of threads.
void take_snapshot();
/// \pre take_snapshot() has not run. The process stack belongs to the program from this page up; the driver runs below
/// it.
void keep_stack_from(std::uint64_t page);
/// \pre take_snapshot() has not run. Drops the ranges added so far.
void forget_snapshot();
/// Adds pages that were mapped later, such as a new donor's.
void add_to_snapshot(std::uint64_t begin, std::uint64_t end);
/// Copies the hot pages back, from number `first` on.
void restore_snapshot(std::uint32_t first = 0);
/// Makes the current contents the snapshot: all pages but the permanently hot ones are protected again.
void renew_snapshot();
/// Handles a write fault: if `address` is on a protected page, makes the page hot and returns true.
bool page_written(std::uint64_t address);
/// Makes the pages of a buffer hot before a system call writes to it: the kernel would return EFAULT instead of
/// faulting.
void touch(void* buffer, std::uint64_t bytes);

/// A hot page, and the part of it that is restored: the page on which a donor's TLS starts also holds the end of the
/// stack that the donor is parked on.
struct HotPage {
  std::uint64_t address;
  std::uint32_t begin;
  std::uint32_t bytes;
};
std::uint32_t hot_pages();
const HotPage& hot_page(std::uint32_t number);
/// The contents of the page in the snapshot.
const std::uint8_t* saved_page(std::uint32_t number);

}  // namespace mazurka::runtime
