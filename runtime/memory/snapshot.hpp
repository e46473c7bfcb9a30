// Getting back to the state before main without fork: every writable page is write-protected once; the first write to
// it faults, the page is copied aside and stays writable ("hot"). Between executions the hot pages are copied back:
// no faults and no system calls once every page that the program writes is hot.
#pragma once

#include <cstdint>

namespace mazurka::runtime {

/// Protects every writable mapping except the runtime's own, the stacks and the heaps of threads.
void take_snapshot();
/// Before that: the stack of the process from this page on belongs to the program. Below it the driver runs.
void keep_stack_from(std::uint64_t page);
/// Before that too: nothing is to be kept so far.
void forget_snapshot();
/// Adds pages that came later, for instance a new donor's.
void add_to_snapshot(std::uint64_t begin, std::uint64_t end);
/// Copies the hot pages back, from the one with this number on.
void restore_snapshot(std::uint32_t first = 0);
/// Makes the present contents of all pages those of the snapshot; what was written so far need not be written again.
void renew_snapshot();
/// Whether the write to `address` hit a protected page, which is now writable.
bool page_written(std::uint64_t address);
/// Makes the pages of a buffer writable before a system call writes to it, which would fail instead of faulting.
void touch(void* buffer, std::uint64_t bytes);

/// A page that the program writes, and which part of it: the rest of a donor's last page is the stack it sleeps on.
struct HotPage {
  std::uint64_t address;
  std::uint32_t begin;
  std::uint32_t bytes;
};
std::uint32_t hot_pages();
const HotPage& hot_page(std::uint32_t number);
/// What was there before the program wrote to it.
const std::uint8_t* saved_page(std::uint32_t number);

}  // namespace mazurka::runtime
