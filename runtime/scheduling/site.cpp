// Libraries have no frame pointers to follow, so the nearest word on the stack that is a code address of the program is
// taken for the return address. Remains of earlier calls may be mistaken for it. That must not depend on earlier
// executions, so the part of the stack that is ever scanned is zeroed first.
#include "runtime/scheduling/site.hpp"

#include "runtime/arch.hpp"
#include "runtime/memory/layout.hpp"
#include "runtime/posix/unwind.h"
#include "runtime/scheduling/frames.hpp"
#include "runtime/scheduling/scheduling.hpp"
#include "runtime/worker/execution.hpp"
#include "runtime/worker/image.hpp"
#include "runtime/worker/worker.hpp"

namespace mazurka::runtime {

std::uint64_t site_of(const void* address, const void* frame) {
  const auto value = reinterpret_cast<std::uint64_t>(address);
  if (scheduling.reporting) [[unlikely]] {
    const std::uint64_t site = own_site(value);
    const bool is_library = !image.has_code(value) && site != kInvisible;
    scheduling.return_address =
        is_library ? image.base + site_above(value, reinterpret_cast<std::uint64_t>(frame)) : value;
    return site;
  }
  if (image.has_code(value)) [[likely]]
    return value - image.base;
  return site_above(value, reinterpret_cast<std::uint64_t>(frame));
}

std::uint64_t site_above(std::uint64_t address, std::uint64_t frame) {
  if (image.is_unwinder(address)) return kInvisible;
  if (!scheduling.exploring) return 0;
  const std::uint32_t index = self().index;
  if (frame < stack_bottom(index) || frame >= stack_top(index)) return 0;
  // What is cleared after every operation is what lies between its frame and the lowest one that was ever searched, so
  // a margin would be cleared each time, also by operations that leave nothing there. Deep recursion would repeat the
  // execution for every level of it: deep stacks have one, so that their depth grows by a fraction each time.
  constexpr std::uint64_t kFraction = 32;
  need_clean_stack(frame, (stack_top(index) - frame) / kFraction & ~63ULL);
  constexpr std::uint64_t kWords = 512;
  const std::uint64_t end = stack_top(index) - frame < kWords * 8 ? stack_top(index) : frame + kWords * 8;
  for (std::uint64_t place = frame & ~7ULL; place < end; place += 8) {
    const std::uint64_t word = *reinterpret_cast<const std::uint64_t*>(place);
    if (image.has_code(word)) return word - image.base;
  }
  return 0;
}

namespace {

struct Search {
  std::uint64_t address;
  bool arrived;  ///< the walk has reached that frame
  std::uint64_t site;
};

bool is_skipped(std::uint64_t site) {
  for (std::uint32_t i = 0; i < worker.channel->skipped_range_count; ++i)
    if (site > worker.channel->skipped_ranges[i].begin && site <= worker.channel->skipped_ranges[i].end) return true;
  return false;
}

/// Visits a frame, innermost first. Returns whether to continue.
int look_at_frame(void* argument, std::uint64_t address, std::uint64_t) {
  auto& search = *static_cast<Search*>(argument);
  search.arrived = search.arrived || address == search.address;
  if (!search.arrived || !image.has_code(address)) return 1;
  const std::uint64_t site = address - image.base;
  if (search.site == 0 || !is_skipped(site)) search.site = site;
  return is_skipped(site) ? 1 : 0;
}

}  // namespace

std::uint64_t own_site(std::uint64_t address) {
  if (image.is_unwinder(address)) return kInvisible;
  if (scheduling.exploring) note_frames();
  Search search{address, false, 0};
  mazurka_for_each_frame(look_at_frame, &search);
  return search.site == 0 && image.has_code(address) ? address - image.base : search.site;
}

void need_clean_stack(std::uint64_t frame, std::uint64_t margin) {
  std::uint64_t& scanned = worker.channel->scanned[self().index];
  if (scanned != 0 && frame >= scanned) return;
  scanned = (frame & ~63ULL) - margin;
  repeat_execution();
}

bool is_any_stack_scanned() {
  for (std::uint32_t i = 0; i < worker.process_count; ++i)
    if (worker.channel->scanned[i] != 0) return true;
  return false;
}

void clear_scanned_stack(std::uint32_t index) {
  if (const std::uint64_t from = worker.channel->scanned[index]; from != 0)
    zero_bytes(reinterpret_cast<void*>(from), stack_top(index) - from);
}

}  // namespace mazurka::runtime
