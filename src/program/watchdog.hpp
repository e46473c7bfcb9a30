// Tells a worker that will never answer from one that is slow, stopped or kept from the processor.
//
// The clock on the wall says nothing: the machine may be busy or suspended, the process stopped. What counts is what
// the worker itself did since it last made progress: the processor time it used, which a loop without end uses, and the
// time it was found asleep in a system call that nobody will answer. Progress is a visible step, unless it only let
// others go first and nobody did, or the access of memory that was not accessed before, as in a long memset.
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

  /// Of the worker with this process.
  Watchdog(const protocol::Channel& channel, pid_t process) : channel_(channel), process_(process) {}

  /// To be called every `pause` or so. Whether the worker has gone on without progress for longer than the limit, of
  /// which `starting` is for the time until it runs the program.
  bool expired(Time pause, Time limit, Time starting);

  /// How it spent that time: asleep in a system call, or else running.
  bool asleep() const { return asleep_ > used_; }
  /// Whether it went through loops of plain accesses meanwhile.
  bool in_plain_loop() const { return channel_.given_way != progress_.given_way; }

 private:
  struct Progress {
    bool starting = true;
    std::uint32_t steps = 0;
    std::uint32_t touched = 0;
    std::uint32_t records = 0;  // executions since it was asked
    std::int32_t runner = 0;
    std::uint32_t given_way = 0;
    bool same(const Progress& other) const {
      return starting == other.starting && steps == other.steps && touched == other.touched &&
             records == other.records && runner == other.runner;
    }
  };

  Progress progress() const;
  void note_progress();

  const protocol::Channel& channel_;
  pid_t process_;
  Progress progress_;  // the last, from the first look on
  bool looked_ = false;
  std::optional<Time> started_at_;  // processor time at the last progress
  Time last_{};                     // and when it was last looked at
  Time used_{};
  Time asleep_{};
};

/// The process that runs the program: the worker itself or, for isolation, a child of it.
pid_t runner_of(const protocol::Channel& channel, pid_t worker);
/// The processor time that a process has used.
std::optional<Watchdog::Time> processor_time(pid_t process);
/// Its state as the kernel calls it: R, S, D, T, …; 0 where that is not known.
char process_state(pid_t process);

}  // namespace mazurka::program
