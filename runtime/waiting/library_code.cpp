#include "runtime/waiting/library_code.hpp"

#include "runtime/scheduling/scheduling.hpp"
#include "runtime/waiting/answers.hpp"
#include "runtime/worker/image.hpp"
#include "runtime/worker/worker.hpp"

namespace mazurka::runtime {
namespace {

/// Whether a call that returns to `address` is in one of the ranges.
bool returns_into(const protocol::LibraryCode& code, std::uint64_t address) {
  const std::uint64_t call = address - image.base - 1;
  std::uint32_t low = 0;
  std::uint32_t high = code.count;
  while (low < high) {  // find the first range that ends behind the call
    const std::uint32_t middle = (low + high) / 2;
    if (code.ranges[middle].end <= call)
      low = middle + 1;
    else
      high = middle;
  }
  return low < code.count && call >= code.ranges[low].begin;
}

}  // namespace

void enter_from(const void* caller) {
  if (!scheduling.exploring) return;
  Thread& thread = self();
  const auto address = reinterpret_cast<std::uint64_t>(caller);
  const protocol::Channel& channel = *worker.channel;
  if (scheduling.knows_bounded_spins && (thread.spin_calls > 0 || returns_into(channel.bounded_spins, address)))
    ++thread.spin_calls;
  if (scheduling.has_back_offs && (thread.back_off_calls > 0 || returns_into(channel.back_offs, address)))
    ++thread.back_off_calls;
}

void leave_callee() {
  Thread& thread = self();
  if (thread.spin_calls > 0) --thread.spin_calls;
  if (thread.back_off_calls > 0) --thread.back_off_calls;
}

bool in_bounded_spin(std::uint64_t site) {
  return self().spin_calls > 0 || returns_into(worker.channel->bounded_spins, return_address(site));
}

bool in_back_off(std::uint64_t site) {
  return self().back_off_calls > 0 || returns_into(worker.channel->back_offs, return_address(site));
}

}  // namespace mazurka::runtime
