// Executions per second of native programs: with a fixed and with random schedules, restoring memory and forking.
//
//   executions [SECONDS [NAME]]     time spent on each measurement, 1 by default; the programs whose names begin so
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "program/executor.hpp"

namespace {

using namespace mazurka;
using Clock = std::chrono::steady_clock;

struct Program {
  const char* name;
  const char* binary;
  std::vector<std::string> arguments;
  double target;  ///< executions per second in memory isolation, 0 where none is set
};

const Program kPrograms[] = {{"lastwrite(9)", "lastwrite", {"9"}, 250'000},
                             {"counter_mutex(8)", "counter_mutex", {"8"}, 0},
                             {"mpat(6)", "mpat", {"6"}, 0},
                             {"pol(7,3)", "pol", {"7", "3"}, 0},
                             {"std::thread (9)", "std_thread", {}, 200'000}};

struct Rate {
  double executions_per_second = 0;
  double events = 0;        ///< per execution
  double microseconds = 0;  ///< of the worker: the median, which other programs on the machine do not disturb much
};

Rate measure(const Program& program, protocol::Isolation isolation, Continuation continuation, double seconds) {
  program::Configuration configuration;
  configuration.binary = fmt::format("{}/{}", MAZURKA_BENCH_PROGRAMS, program.binary);
  configuration.arguments = program.arguments;
  configuration.settings.isolation = isolation;
  configuration.settings.measure = isolation == protocol::Isolation::Memory;
  program::ProgramExecutor executor(configuration);
  Job job;
  // A fixed schedule is the whole of an earlier execution, followed step by step.
  Execution execution = executor.run(job);
  std::vector<Step> schedule;
  for (const Event& event : execution.events) schedule.push_back(event.step());
  if (continuation == Continuation::First) job.prefix = schedule;
  job.continuation = continuation;
  for (job.seed = 0; job.seed < 200; ++job.seed) executor.run(job, execution);  // until every page it writes is known

  std::vector<std::uint64_t> ticks;
  std::uint64_t executions = 0;
  std::uint64_t events = 0;
  const std::uint64_t first = __builtin_ia32_rdtsc();
  const auto start = Clock::now();
  std::chrono::duration<double> elapsed{};
  while (elapsed.count() < seconds) {
    for (int i = 0; i < 100; ++i, ++job.seed, ++executions) {
      executor.run(job, execution);
      events += execution.events.size();
      ticks.push_back(executor.worker().channel().ticks);
      if (execution.outcome != Outcome::Finished) {
        fmt::print(stderr, "{}: {} {}\n", program.name, name(execution.outcome), name(execution.failure.kind));
        std::exit(1);
      }
    }
    elapsed = Clock::now() - start;
  }
  const double per_microsecond = static_cast<double>(__builtin_ia32_rdtsc() - first) / elapsed.count() / 1e6;
  std::nth_element(ticks.begin(), ticks.begin() + static_cast<std::ptrdiff_t>(ticks.size() / 2), ticks.end());
  return {static_cast<double>(executions) / elapsed.count(),
          static_cast<double>(events) / static_cast<double>(executions),
          static_cast<double>(ticks[ticks.size() / 2]) / per_microsecond};
}

}  // namespace

int main(int argc, char** argv) {
  const double seconds = argc > 1 ? std::atof(argv[1]) : 1.0;
  fmt::print("{:<18}{:>8}{:>16}{:>16}{:>12}{:>14}{:>14}{:>10}{:>12}\n", "program", "events", "memory, fixed",
             "memory, random", "its worker", "fork, fixed", "fork, random", "ratio", "wanted");
  const std::string begin = argc > 2 ? argv[2] : "";
  for (const Program& program : kPrograms) {
    if (!std::string(program.name).starts_with(begin)) continue;
    const Rate fixed = measure(program, protocol::Isolation::Memory, Continuation::First, seconds);
    const Rate random = measure(program, protocol::Isolation::Memory, Continuation::Random, seconds);
    const Rate forked = measure(program, protocol::Isolation::Fork, Continuation::First, seconds);
    const Rate forked_random = measure(program, protocol::Isolation::Fork, Continuation::Random, seconds);
    fmt::print("{:<18}{:>8.0f}{:>14.0f}/s{:>14.0f}/s{:>9.2f} us{:>12.0f}/s{:>12.0f}/s{:>9.0f}x{:>12}\n", program.name,
               fixed.events, fixed.executions_per_second, random.executions_per_second, random.microseconds,
               forked.executions_per_second, forked_random.executions_per_second,
               fixed.executions_per_second / forked.executions_per_second,
               program.target == 0 ? std::string("-") : fmt::format("{:.0f}/s", program.target));
    std::fflush(stdout);
  }
}
