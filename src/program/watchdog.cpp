#include "program/watchdog.hpp"

#include <fstream>
#include <string>

#include <fmt/format.h>
#include <time.h>
#include <unistd.h>

namespace mazurka::program {

pid_t runner_of(const protocol::Channel& channel, pid_t worker) {
  // The program may have overwritten it: nobody outside the worker's group is meant.
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
  // The name of the program, which may contain anything, stands in brackets before it.
  const std::size_t end = line.rfind(')');
  return end != std::string::npos && end + 2 < line.size() ? line[end + 2] : '\0';
}

Watchdog::Progress Watchdog::progress() const {
  const auto read = [](const auto& field) { return __atomic_load_n(&field, __ATOMIC_RELAXED); };
  Progress now;
  now.starting = channel_.phase == protocol::Phase::Starting;
  now.given_way = read(channel_.given_way);
  now.steps = read(channel_.event_count) - now.given_way;
  now.touched = read(channel_.touched);
  now.records = read(channel_.record_count);
  now.runner = runner_of(channel_, process_);
  return now;
}

void Watchdog::note_progress() {
  looked_ = true;
  progress_ = progress();
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
    // The state of a moment, but a moment in which it did not run: asleep for the whole pause, as far as one can tell.
    if (*now == last_ && process_state(progress_.runner) == 'S') asleep_ += pause;
    last_ = *now;
  }
  const Time most = progress_.starting ? starting : limit;
  return used_ > most || asleep_ > most;
}

}  // namespace mazurka::program
