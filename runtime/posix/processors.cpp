// The number of CPUs: programs create as many threads. The explorer may pin a worker to one CPU, which the program must
// not notice, so it sees the affinity that the process was started with.
#include "runtime/posix/processors.hpp"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include "runtime/arch.hpp"
#include "runtime/export.hpp"
#include "runtime/hooks/buffers.hpp"
#include "runtime/posix/c_library.hpp"

namespace mazurka::runtime {
namespace {

// Fixed before the snapshot.
std::uint8_t processors[128];
std::uint64_t processor_bytes;  // 0 before they are known

}  // namespace

long get_affinity(std::size_t bytes, void* mask) {
  if (processor_bytes == 0)
    return raw_syscall(SYS_sched_getaffinity, 0, static_cast<long>(bytes), reinterpret_cast<long>(mask));
  if (bytes < processor_bytes) return -EINVAL;
  copy_bytes(mask, processors, processor_bytes);
  return static_cast<long>(processor_bytes);
}

namespace {

/// As in the C library: fills the whole mask, and returns an errno value.
int get_whole_affinity(std::size_t bytes, cpu_set_t* mask) {
  const long result = get_affinity(bytes, mask);
  if (result < 0) return static_cast<int>(-result);
  zero_bytes(reinterpret_cast<std::uint8_t*>(mask) + result, bytes - static_cast<std::size_t>(result));
  return 0;
}

int count_processors() {
  std::uint64_t mask[sizeof processors / 8] = {};
  if (get_affinity(sizeof mask, mask) < 0) return 1;
  int count = 0;
  for (const std::uint64_t word : mask) count += __builtin_popcountll(word);
  return count;
}

}  // namespace

void note_processors() {
  const long bytes = get_affinity(sizeof processors, processors);
  if (bytes > 0) processor_bytes = static_cast<std::uint64_t>(bytes);
}

}  // namespace mazurka::runtime

using namespace mazurka::runtime;

MAZURKA_REPLACEABLE int sched_getaffinity(pid_t, std::size_t bytes, cpu_set_t* mask) {
  MAZURKA_WRITES(mask, bytes);
  const int error = get_whole_affinity(bytes, mask);
  return error == 0 ? 0 : fail_with(error);
}
MAZURKA_REPLACEABLE int pthread_getaffinity_np(pthread_t, std::size_t bytes, cpu_set_t* mask) {
  MAZURKA_WRITES(mask, bytes);
  return get_whole_affinity(bytes, mask);
}
MAZURKA_REPLACEABLE int sched_setaffinity(pid_t, std::size_t, const cpu_set_t*) { return 0; }
MAZURKA_REPLACEABLE int pthread_setaffinity_np(pthread_t, std::size_t, const cpu_set_t*) { return 0; }

MAZURKA_REPLACEABLE int get_nprocs() { return count_processors(); }
MAZURKA_REPLACEABLE long sysconf(int name) {
  if (name == _SC_NPROCESSORS_ONLN) return count_processors();
  static const auto real = reinterpret_cast<long (*)(int)>(next_function("sysconf"));
  return real(name);
}
