#include "program/watchdog.hpp"

#include <fstream>
#include <string>

#include <fmt/format.h>
#include <time.h>
#include <unistd.h>

namespace mazurka::program {

bool is_starting(const protocol::Channel& channel) {
  return channel.phase == protocol::Phase::Starting && __atomic_load_n(&channel.event_count, __ATOMIC_RELAXED) == 0;
}

pid_t runner_of(const protocol::Channel& channel, pid_t worker) {
  // The program may have overwritten it: only processes of the worker's group are valid.
  const pid_t runner = __atomic_load_n(&channel.runner, __ATOMIC_RELAXED);
  return runner > 0 && getpgid(runner) == worker ? runner : worker;
}

std::optional<Watchdog::Time> processor_time(pid_t process) {
  clockid_t clock{};
  timespec time{};
  if (process <= 0 || clock_getcpuclockid(process, &clock) != 0 || clock_gettime(clock, &time) != 0) return {};
  return std::chrono::seconds(time.tv_sec) + Watchdog::Time(time.tv_nsec);
}

char process_state(pid_t process) {
  std::ifstream file(fmt::format("/proc/{}/stat", process));
  std::string line;
  std::getline(file, line);
  // The program's name, which may contain anything, precedes it in parentheses.
  const std::size_t end = line.rfind(')');
  return end != std::string::npos && end + 2 < line.size() ? line[end + 2] : '\0';
}

Watchdog::Progress Watchdog::progress() const {
  const auto read = [](const auto& field) { return __atomic_load_n(&field, __ATOMIC_RELAXED); };
  Progress now;
  now.starting = may_be_starting_ && is_starting(channel_);
  now.given_way = read(channel_.given_way);
  now.steps = read(channel_.event_count) - now.given_way;
  now.touched = read(channel_.touched);
  now.runner = runner_of(channel_, process_);
  return now;
}

void Watchdog::note_progress() {
  looked_ = true;
  progress_ = progress();
  may_be_starting_ &= progress_.starting;
  started_at_ = processor_time(progress_.runner);
  last_ = started_at_.value_or(Time{});
  used_ = asleep_ = {};
}

bool Watchdog::expired(Time pause, Time limit, Time starting) {
  if (!looked_ || !progress().same(progress_)) note_progress();
  const std::optional<Time> now = processor_time(progress_.runner);
  if (!started_at_ || !now) {
    started_at_ = now;
    last_ = now.value_or(Time{});
  } else {
    used_ = *now - *started_at_;
    // A snapshot of the state, but it did not run during the pause: so it was asleep all the time, as far as one can
    // tell.
    if (*now == last_ && process_state(progress_.runner) == 'S') asleep_ += pause;
    last_ = *now;
  }
  const Time most = progress_.starting ? starting : limit;
  return used_ > most || asleep_ > most;
}

}  // namespace mazurka::program
