#include "runtime/waiting/timed_code.hpp"

#include "runtime/worker/image.hpp"
#include "runtime/worker/worker.hpp"

namespace mazurka::runtime {

protocol::TimeQuestion question_at(const void* caller) {
  const protocol::Channel& channel = *worker.channel;
  const std::uint64_t call = reinterpret_cast<std::uint64_t>(caller) - image.base - 1;
  std::uint32_t low = 0;
  std::uint32_t high = channel.timed_code_count;
  while (low < high) {  // find the first range that ends behind the call
    const std::uint32_t middle = (low + high) / 2;
    if (channel.timed_code[middle].code.end <= call)
      low = middle + 1;
    else
      high = middle;
  }
  if (low == channel.timed_code_count || call < channel.timed_code[low].code.begin)
    return protocol::TimeQuestion::Other;
  return channel.timed_code[low].question;
}

}  // namespace mazurka::runtime
