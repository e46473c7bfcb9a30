// Randomness and identity: what differs from run to run elsewhere is the same here, per thread.
#include <sys/random.h>
#include <unistd.h>

#include "runtime/files.hpp"
#include "runtime/scheduler.hpp"
#include "runtime/state.hpp"

namespace mazurka::runtime {
namespace {

constexpr pid_t kProcess = 1000;

}  // namespace

std::uint64_t advance(std::uint64_t& state) {
  // splitmix64
  std::uint64_t value = state += 0x9e3779b97f4a7c15ULL;
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9ULL;
  value = (value ^ (value >> 27)) * 0x94d049bb133111ebULL;
  return value ^ (value >> 31);
}

namespace {

void fill(void* buffer, std::size_t bytes) {
  auto* byte = static_cast<std::uint8_t*>(buffer);
  for (std::size_t i = 0; i < bytes; ++i) byte[i] = static_cast<std::uint8_t>(advance(self().random));
}

}  // namespace
}  // namespace mazurka::runtime

using namespace mazurka::runtime;

MAZURKA_EXPORT ssize_t getrandom(void* buffer, std::size_t bytes, unsigned) {
  fill(buffer, bytes);
  return static_cast<ssize_t>(bytes);
}
MAZURKA_EXPORT int getentropy(void* buffer, std::size_t bytes) {
  fill(buffer, bytes);
  return 0;
}
MAZURKA_EXPORT std::uint32_t arc4random() { return static_cast<std::uint32_t>(advance(self().random)); }
MAZURKA_EXPORT void arc4random_buf(void* buffer, std::size_t bytes) { fill(buffer, bytes); }
MAZURKA_EXPORT std::uint32_t arc4random_uniform(std::uint32_t bound) {
  return bound == 0 ? 0 : static_cast<std::uint32_t>(advance(self().random) % bound);
}
/// std::random_device::_M_getval(), which would ask the processor.
MAZURKA_EXPORT unsigned _ZNSt13random_device9_M_getvalEv(void*) {
  return static_cast<unsigned>(advance(self().random));
}

MAZURKA_EXPORT pid_t getpid() { return kProcess; }
MAZURKA_EXPORT pid_t getppid() { return 1; }
MAZURKA_EXPORT pid_t gettid() { return kProcess + static_cast<pid_t>(self().index); }
MAZURKA_EXPORT int sched_getcpu() { return 0; }
