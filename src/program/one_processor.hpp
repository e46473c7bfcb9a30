// Pins the explorer and its worker to the same CPU if they run in lockstep.
//
// A hand-over between two CPUs is only fast while the waiting side spins, which wastes a CPU. On one CPU it takes two
// context switches, but then both compete with any other work there. So we check now and then whether the two got the
// CPU time that they could have used, and otherwise move to another CPU, or stay apart for a while.
#pragma once

#include <chrono>
#include <cstdint>
#include <vector>

#include <sched.h>
#include <sys/types.h>

namespace mazurka::program {

class OneProcessor {
 public:
  /// `number`: of the worker; where there are several, each has another processor as far as there are enough.
  explicit OneProcessor(std::uint32_t number = 0);
  ~OneProcessor();
  OneProcessor(const OneProcessor&) = delete;
  OneProcessor& operator=(const OneProcessor&) = delete;

  /// Restores the original CPU affinity of this thread and the process.
  void part(pid_t worker);
  /// Call often, with the worker's current pid; cheap if there is nothing to do. Returns whether the two share a CPU.
  bool look(pid_t worker);
  /// In a child process: restores the original affinity.
  void forget() const;

 private:
  using Clock = std::chrono::steady_clock;
  void join(pid_t worker);
  double used(pid_t worker) const;

  cpu_set_t allowed_;
  std::vector<int> processors_;
  std::size_t next_ = 0;     ///< index of the next CPU to try
  std::size_t crowded_ = 0;  ///< number of consecutive CPUs that had other work
  bool together_ = false;
  pid_t worker_ = 0;
  Clock::time_point since_;  ///< time of the last check
  double used_ = 0;          ///< CPU seconds used until then
};

}  // namespace mazurka::program
