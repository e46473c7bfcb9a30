// How long a side of the hand-over spins before it goes to sleep.
//
// Between two running processes a hand-over takes a fraction of a microsecond, through the kernel some eight on one
// processor, and up to fifty where an idle one must be woken. But where other work keeps the other side from its
// processor, spinning only takes that processor's place: so after a spin in vain the next waits sleep at once, twice as
// many each time, until spinning is worth its while again.
//
// Used by the runtime too: nothing of the C++ library.
#pragma once

#include <cstdint>

namespace mazurka::program {

class Patience {
 public:
  /// Spins until `ready()`; false where it is time to sleep.
  template <class Ready>
  bool spin(Ready&& ready) {
    if (naps_ > 0) {
      --naps_;
      return ready();
    }
    for (std::uint32_t i = 0; i < kSpins; ++i) {
      if (ready()) {
        penalty_ = 0;
        return true;
      }
      relax();
    }
    penalty_ = penalty_ == 0 ? 1 : penalty_ < kMaxPenalty ? penalty_ * 2 : kMaxPenalty;
    naps_ = penalty_;
    return false;
  }

 private:
  static constexpr std::uint32_t kSpins = 4000;  // more than most executions take
  static constexpr std::uint32_t kMaxPenalty = 64;

  static void relax() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
  }

  std::uint32_t penalty_ = 0;
  std::uint32_t naps_ = 0;
};

}  // namespace mazurka::program
