#include "runtime/memory/mapping.hpp"

#include <sys/mman.h>
#include <sys/syscall.h>

#include "runtime/arch.hpp"
#include "runtime/worker/outcome.hpp"

namespace mazurka::runtime {
namespace {

long map(std::uint64_t address, std::uint64_t bytes, int flags) {
  return raw_syscall(SYS_mmap, static_cast<long>(address), static_cast<long>(bytes), PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | flags, -1, 0);
}

}  // namespace

bool try_map(std::uint64_t address, std::uint64_t bytes) {
  return map(address, bytes, MAP_FIXED_NOREPLACE) == static_cast<long>(address);
}

void map_at(std::uint64_t address, std::uint64_t bytes) {
  if (!try_map(address, bytes)) fail(FailureKind::Memory, "the address space for the race detector is not free", 0);
}

void* map_anywhere(std::uint64_t bytes) {
  const long result = map(0, bytes, 0);
  return result < 0 && result > -4096 ? nullptr : reinterpret_cast<void*>(result);
}

}  // namespace mazurka::runtime
