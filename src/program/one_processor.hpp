// Keeps the explorer and its worker on one processor, where they work in turns.
//
// Handing over between two processors is quick only while the side that waits spins, which takes a processor for
// nothing. On one processor it takes two changes of process. But there, any other work has to be waited for as well: so
// now and then we look whether the two got what they could have used, and move, or stay apart for a while.
#pragma once

#include <chrono>
#include <cstdint>
#include <vector>

#include <sched.h>
#include <sys/types.h>

namespace mazurka::program {

class OneProcessor {
 public:
  /// `number` of those that there are, from 1 on; 0: the one where we are.
  explicit OneProcessor(std::uint32_t number);
  ~OneProcessor();
  OneProcessor(const OneProcessor&) = delete;
  OneProcessor& operator=(const OneProcessor&) = delete;

  /// Lets this thread and the process run wherever they could before.
  void part(pid_t worker);
  /// To be called often, with the process that is the worker now; it costs little where nothing is to be done. Whether
  /// the two are on one processor.
  bool look(pid_t worker);
  /// In a child process: as if this had never been.
  void forget() const;

 private:
  using Clock = std::chrono::steady_clock;
  void join(pid_t worker);
  double used(pid_t worker) const;

  cpu_set_t allowed_;
  std::vector<int> processors_;
  std::size_t next_ = 0;     ///< of them, to be tried
  std::size_t crowded_ = 0;  ///< how many in a row had other work
  bool together_ = false;
  pid_t worker_ = 0;
  Clock::time_point since_;  ///< the last look
  double used_ = 0;          ///< seconds, until then
};

}  // namespace mazurka::program
