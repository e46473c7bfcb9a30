#include "cli/own_stack.hpp"

#include <cstddef>

#include <sys/mman.h>
#include <sys/resource.h>
#include <ucontext.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define MAZURKA_ADDRESS_SANITIZER
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define MAZURKA_ADDRESS_SANITIZER
#endif
#ifdef MAZURKA_ADDRESS_SANITIZER
#include <sanitizer/common_interface_defs.h>
#endif

namespace mazurka::cli {
namespace {

constexpr std::size_t kEnough = std::size_t{8} << 20U;

/// What makecontext cannot pass on.
struct Call {
  Main main;
  int argc;
  char** argv;
  int result;
  ucontext_t caller;
  ucontext_t callee;
};
Call call;

void enter() {
#ifdef MAZURKA_ADDRESS_SANITIZER
  const void* bottom = nullptr;
  std::size_t size = 0;
  __sanitizer_finish_switch_fiber(nullptr, &bottom, &size);
#endif
  call.result = call.main(call.argc, call.argv);
#ifdef MAZURKA_ADDRESS_SANITIZER
  __sanitizer_start_switch_fiber(nullptr, bottom, size);
#endif
}

}  // namespace

int call_with_enough_stack(Main main, int argc, char** argv) {
  rlimit limit = {};
  if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur >= kEnough) return main(argc, argv);
  void* const stack =
      mmap(nullptr, kEnough, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (stack == MAP_FAILED || getcontext(&call.callee) != 0) return main(argc, argv);
  call.main = main;
  call.argc = argc;
  call.argv = argv;
  call.callee.uc_stack.ss_sp = stack;
  call.callee.uc_stack.ss_size = kEnough;
  call.callee.uc_link = &call.caller;
  makecontext(&call.callee, enter, 0);
#ifdef MAZURKA_ADDRESS_SANITIZER
  void* fake_stack = nullptr;
  __sanitizer_start_switch_fiber(&fake_stack, stack, kEnough);
#endif
  const bool switched = swapcontext(&call.caller, &call.callee) == 0;
#ifdef MAZURKA_ADDRESS_SANITIZER
  __sanitizer_finish_switch_fiber(fake_stack, nullptr, nullptr);
#endif
  return switched ? call.result : main(argc, argv);
}

}  // namespace mazurka::cli
