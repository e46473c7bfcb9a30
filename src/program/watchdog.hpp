// Distinguishes a worker that will never answer from one that is slow, stopped or starved.
//
// Wall-clock time says nothing: the machine may be busy or suspended, the process stopped. What counts is what the
// worker itself did since its last progress: the CPU time it used, as an endless loop does, and the time it was seen
// asleep in a system call that nobody will answer. Progress is a visible step, unless it only gave way to others and
// nobody went, or an access to memory that was not accessed before, as in a long memset.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include <sys/types.h>

#include "program/protocol.hpp"

namespace mazurka::program {

class Watchdog {
 public:
  using Time = std::chrono::nanoseconds;

  /// For the worker with this pid. If it may still be starting, the channel tells whether it is. Once it is not, or has
  /// answered before, that field is ignored, since the program may have overwritten it.
  Watchdog(const protocol::Channel& channel, pid_t process, bool may_be_starting)
      : channel_(channel), process_(process), may_be_starting_(may_be_starting) {}

  /// Call about every `pause`. Whether the worker has made no progress for longer than `limit`, or `starting` until it
  /// runs the program.
  bool expired(Time pause, Time limit, Time starting);

  /// Whether it spent most of that time asleep in a system call, rather than running.
  bool asleep() const { return asleep_ > used_; }
  /// Whether it was in loops of plain accesses meanwhile.
  bool in_plain_loop() const { return channel_.given_way != progress_.given_way; }

 private:
  struct Progress {
    bool starting = true;
    std::uint32_t steps = 0;
    std::uint32_t touched = 0;
    std::int32_t runner = 0;
    std::uint32_t given_way = 0;
    bool same(const Progress& other) const {
      return starting == other.starting && steps == other.steps && touched == other.touched && runner == other.runner;
    }
  };

  Progress progress() const;
  void note_progress();

  const protocol::Channel& channel_;
  pid_t process_;
  bool may_be_starting_;
  Progress progress_;  // the last one, since the first check
  bool looked_ = false;
  std::optional<Time> started_at_;  // CPU time at the last progress
  Time last_{};                     // and at the last check
  Time used_{};
  Time asleep_{};
};

/// Whether a worker that has never answered has not yet run its first step, as far as the channel can be trusted.
bool is_starting(const protocol::Channel& channel);
/// The pid of the process that runs the program: the worker itself or, with Isolation::Fork, its child.
pid_t runner_of(const protocol::Channel& channel, pid_t worker);
/// The CPU time that a process has used.
std::optional<Watchdog::Time> processor_time(pid_t process);
/// The kernel's state letter of a process: R, S, D, T, …; 0 if unknown.
char process_state(pid_t process);

}  // namespace mazurka::program
