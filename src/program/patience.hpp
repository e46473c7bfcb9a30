// Adaptive spinning: how long a side of the hand-over spins before it sleeps.
//
// Between two running processes a hand-over takes a fraction of a microsecond, through the kernel about eight on the
// same CPU, and up to fifty if an idle CPU must be woken. But if other work keeps the other side off its CPU, spinning
// is useless. So after a failed spin the next waits sleep at once, twice as many each time, until spinning pays off
// again. The spins in between become longer: if waking takes longer than a spin, two sides would otherwise keep
// sleeping forever.
//
// The runtime uses this too, so it uses nothing of the C++ library.
#pragma once

#include <cstdint>

namespace mazurka::program {

class Patience {
 public:
  /// Spins until `ready()`; false if it is time to sleep.
  template <class Ready>
  bool spin(Ready&& ready) {
    return try_often(kSpins, ready, relax);
  }

  /// The same for two sides on one CPU: `yield()` gives it to the other side.
  template <class Ready, class Yield>
  bool yield_until(Ready&& ready, Yield&& yield) {
    return try_often(kYields, ready, yield);
  }

 private:
  static constexpr std::uint32_t kSpins = 4000;  // more than most executions take
  static constexpr std::uint32_t kYields = 30;
  static constexpr std::uint32_t kMaxPenalty = 64;

  template <class Ready, class Pause>
  bool try_often(std::uint32_t times, Ready& ready, Pause& pause) {
    if (naps_ > 0) {
      --naps_;
      return ready();
    }
    for (std::uint32_t i = 0; i < times * (1 + penalty_ / 8); ++i) {
      if (ready()) {
        penalty_ = 0;
        return true;
      }
      pause();
    }
    penalty_ = penalty_ == 0 ? 1 : penalty_ < kMaxPenalty ? penalty_ * 2 : kMaxPenalty;
    naps_ = penalty_;
    return false;
  }

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
