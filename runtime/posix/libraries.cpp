// dlopen() after the start of main. A library loaded by one execution would remain in the next, at an address of the
// kernel's choice and with modified variables. So when an execution first loads one, the worker records its name and
// dies, and the next worker loads it before main: its pages are part of the snapshot, and dlopen() finds it there. Its
// constructors then run before main. A library that does not exist is searched for every time. With Isolation::Fork
// none of this is needed.
#include "runtime/posix/libraries.hpp"

#include <dlfcn.h>
#include <signal.h>
#include <sys/syscall.h>

#include "runtime/arch.hpp"
#include "runtime/export.hpp"
#include "runtime/own_calls.hpp"
#include "runtime/posix/c_library.hpp"
#include "runtime/scheduling/scheduling.hpp"
#include "runtime/scheduling/site.hpp"
#include "runtime/worker/outcome.hpp"
#include "runtime/worker/worker.hpp"

namespace mazurka::runtime {
namespace {

using Dlopen = void* (*)(const char*, int);

Dlopen real_dlopen() {
  static const auto real = reinterpret_cast<Dlopen>(next_function("dlopen"));
  return real;
}

bool is_known(const char* name, int flags) {
  const protocol::Channel& channel = *worker.channel;
  for (std::uint32_t i = 0; i < channel.library_count; ++i)
    if (is_equal(channel.libraries[i].name, name) && channel.libraries[i].flags == flags) return true;
  return false;
}

/// Dies by SIGKILL: the explorer then starts another worker with the same job.
[[noreturn]] void start_anew_with(const char* name, int flags, std::uint64_t site) {
  protocol::Channel& channel = *worker.channel;
  if (length_of(name) >= sizeof channel.libraries->name || channel.library_count == protocol::kMaxLibraries)
    unsupported("dlopen() of more than 16 libraries, or of one with a long name,", site);
  protocol::Library& library = channel.libraries[channel.library_count];
  library.flags = flags;
  copy_bytes(library.name, name, length_of(name) + 1);
  ++channel.library_count;
  const long process = raw_syscall(SYS_getpid);
  for (;;) raw_syscall(SYS_kill, process, SIGKILL);
}

}  // namespace

void load_libraries() {
  const protocol::Channel& channel = *worker.channel;
  for (std::uint32_t i = 0; i < channel.library_count && i < protocol::kMaxLibraries; ++i)
    real_dlopen()(channel.libraries[i].name, channel.libraries[i].flags);
}

}  // namespace mazurka::runtime

using namespace mazurka::runtime;

MAZURKA_REPLACEABLE void* dlopen(const char* name, int flags) {
  const bool is_restored = scheduling.exploring && !worker.standalone && !worker.channel->settings.once &&
                           worker.channel->settings.isolation == mazurka::protocol::Isolation::Memory;
  if (is_restored && name != nullptr && (flags & RTLD_NOLOAD) == 0 && !is_known(name, flags))
    start_anew_with(name, flags, MAZURKA_SITE);
  return real_dlopen()(name, flags);
}
