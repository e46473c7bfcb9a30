// Randomness: deterministic here, per thread, though it varies from run to run elsewhere.
#include "runtime/posix/random.hpp"

#include <stdlib.h>
#include <sys/random.h>

#include "runtime/export.hpp"
#include "runtime/hooks/buffers.hpp"
#include "runtime/posix/shared_state.hpp"
#include "runtime/scheduling/scheduler.hpp"
#include "runtime/scheduling/scheduling.hpp"
#include "runtime/scheduling/site.hpp"

namespace mazurka::runtime {

std::uint64_t advance(std::uint64_t& state) {
  // splitmix64
  std::uint64_t value = state += 0x9e3779b97f4a7c15ULL;
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9ULL;
  value = (value ^ (value >> 27)) * 0x94d049bb133111ebULL;
  return value ^ (value >> 31);
}

void fill_at_random(void* buffer, std::size_t bytes) {
  auto* byte = static_cast<std::uint8_t*>(buffer);
  for (std::size_t i = 0; i < bytes; ++i) byte[i] = static_cast<std::uint8_t>(advance(self().random));
}

namespace {

/// The generators shared by all threads, in the program's memory. The order of calls determines who gets which number,
/// so a call is a scheduling point like a read-modify-write.
random_data shared_random;
char shared_random_state[128];  // as in the C library, so that the numbers are the same
drand48_data shared_drand48;

drand48_data& use_drand48(std::uint64_t site) {
  use_shared(&shared_drand48, site);
  return shared_drand48;
}

random_data* use_random(std::uint64_t site) {
  use_shared(&shared_random, site);
  if (shared_random.state == nullptr) initstate_r(1, shared_random_state, sizeof shared_random_state, &shared_random);
  return &shared_random;
}

long next_random_number(std::uint64_t site) {
  std::int32_t number = 0;
  random_r(use_random(site), &number);
  observe(static_cast<std::uint32_t>(number));
  return number;
}

}  // namespace
}  // namespace mazurka::runtime

using namespace mazurka::runtime;

MAZURKA_REPLACEABLE int rand() { return static_cast<int>(next_random_number(MAZURKA_SITE)); }
MAZURKA_REPLACEABLE long random() { return next_random_number(MAZURKA_SITE); }
MAZURKA_REPLACEABLE void srand(unsigned seed) { srandom_r(seed, use_random(MAZURKA_SITE)); }
MAZURKA_REPLACEABLE void srandom(unsigned seed) { srandom_r(seed, use_random(MAZURKA_SITE)); }
MAZURKA_REPLACEABLE char* initstate(unsigned seed, char* state, std::size_t bytes) {
  random_data* data = use_random(MAZURKA_SITE);
  char* before = reinterpret_cast<char*>(&data->state[-1]);
  return initstate_r(seed, state, bytes, data) == 0 ? before : nullptr;
}
MAZURKA_REPLACEABLE char* setstate(char* state) {
  random_data* data = use_random(MAZURKA_SITE);
  char* before = reinterpret_cast<char*>(&data->state[-1]);
  return setstate_r(state, data) == 0 ? before : nullptr;
}
MAZURKA_REPLACEABLE double drand48() {
  double number = 0;
  drand48_r(&use_drand48(MAZURKA_SITE), &number);
  return number;
}
MAZURKA_REPLACEABLE long lrand48() {
  long number = 0;
  lrand48_r(&use_drand48(MAZURKA_SITE), &number);
  return number;
}
MAZURKA_REPLACEABLE long mrand48() {
  long number = 0;
  mrand48_r(&use_drand48(MAZURKA_SITE), &number);
  return number;
}
MAZURKA_REPLACEABLE void srand48(long seed) { srand48_r(seed, &use_drand48(MAZURKA_SITE)); }

MAZURKA_REPLACEABLE ssize_t getrandom(void* buffer, std::size_t bytes, unsigned) {
  MAZURKA_WRITES(buffer, bytes);
  fill_at_random(buffer, bytes);
  return static_cast<ssize_t>(bytes);
}
MAZURKA_REPLACEABLE int getentropy(void* buffer, std::size_t bytes) {
  MAZURKA_WRITES(buffer, bytes);
  fill_at_random(buffer, bytes);
  return 0;
}
MAZURKA_REPLACEABLE std::uint32_t arc4random() { return static_cast<std::uint32_t>(advance(self().random)); }
MAZURKA_REPLACEABLE void arc4random_buf(void* buffer, std::size_t bytes) {
  MAZURKA_WRITES(buffer, bytes);
  fill_at_random(buffer, bytes);
}
MAZURKA_REPLACEABLE std::uint32_t arc4random_uniform(std::uint32_t bound) {
  return bound == 0 ? 0 : static_cast<std::uint32_t>(advance(self().random) % bound);
}
/// std::random_device::_M_getval(), which would use the CPU's generator.
MAZURKA_REPLACEABLE unsigned _ZNSt13random_device9_M_getvalEv(void*) {
  return static_cast<unsigned>(advance(self().random));
}
