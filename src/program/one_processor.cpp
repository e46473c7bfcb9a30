#include "program/one_processor.hpp"

#include <time.h>

namespace mazurka::program {
namespace {

constexpr auto kBetweenLooks = std::chrono::milliseconds(50);
constexpr auto kApart = std::chrono::milliseconds(1000);
constexpr double kEnough = 0.75;  // of a CPU

double seconds(clockid_t clock) {
  timespec time{};
  if (clock_gettime(clock, &time) != 0) return 0;
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

void place(pid_t process, int processor) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(processor, &set);
  sched_setaffinity(process, sizeof set, &set);
}

}  // namespace

OneProcessor::OneProcessor(std::uint32_t number) {
  CPU_ZERO(&allowed_);
  if (sched_getaffinity(0, sizeof allowed_, &allowed_) != 0) return;
  for (int i = 0; i < CPU_SETSIZE; ++i)
    if (CPU_ISSET(i, &allowed_)) processors_.push_back(i);
  // Start with the current CPU, whose cache is warm.
  const int here = sched_getcpu();
  for (std::size_t i = 0; i < processors_.size(); ++i)
    if (processors_[i] == here) next_ = i;
  if (number > 0 && !processors_.empty()) next_ = number % processors_.size();
}

OneProcessor::~OneProcessor() { forget(); }

void OneProcessor::forget() const {
  if (!processors_.empty()) sched_setaffinity(0, sizeof allowed_, &allowed_);
}

void OneProcessor::part(pid_t worker) {
  forget();
  if (worker > 0) sched_setaffinity(worker, sizeof allowed_, &allowed_);
  together_ = false;
}

void OneProcessor::join(pid_t worker) {
  const int processor = processors_[next_];
  place(0, processor);
  place(worker, processor);
  together_ = true;
}

double OneProcessor::used(pid_t worker) const {
  clockid_t clock{};
  return seconds(CLOCK_THREAD_CPUTIME_ID) + (clock_getcpuclockid(worker, &clock) == 0 ? seconds(clock) : 0);
}

bool OneProcessor::look(pid_t worker) {
  if (processors_.empty() || worker <= 0) return false;
  const Clock::time_point now = Clock::now();
  if (worker == worker_ && now - since_ < (together_ ? kBetweenLooks : kApart)) return together_;
  const double used_now = used(worker);
  if (worker != worker_ || !together_) {
    join(worker);
  } else if (used_now - used_ < kEnough * std::chrono::duration<double>(now - since_).count()) {
    next_ = (next_ + 1) % processors_.size();
    if (++crowded_ % processors_.size() == 0)
      part(worker);
    else
      join(worker);
  } else {
    crowded_ = 0;
  }
  worker_ = worker;
  since_ = now;
  used_ = used_now;
  return together_;
}

}  // namespace mazurka::program
