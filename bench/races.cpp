// What the race detector costs: time per execution of the same random schedules with --plain=check and with
// --plain=ignore. The papers' reference is about a tenth more.
//
//   races [EXECUTIONS [PROGRAM [ARGUMENT...]]]     of each program and each mode, 20000 by default; the heavy ones a
//                                                  tenth of it and less; of a program of one's own, as many as asked
//                                                  for
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <time.h>

#include "program/executor.hpp"

namespace {

using namespace mazurka;

struct Program {
  const char* name;
  const char* binary;
  std::vector<std::string> arguments;
  unsigned share;  ///< of the executions: one in so many
};

const Program kPrograms[] = {{"mpat(6)", "mpat", {"6"}, 1},
                             {"pol(7,3)", "pol", {"7", "3"}, 1},
                             {"pi(6)", "pi", {"6"}, 10},
                             {"heavy plain access", "heavy", {}, 10},
                             {"1 MB of state", "large_state", {"1"}, 10},
                             {"500 MB of state", "large_state", {"500"}, 10},
                             {"50 MB of plain data", "large_data", {}, 1000}};

double now() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

/// Microseconds of an execution and of getting back to its start, by the worker's own clock; the median, which does not
/// mind that other programs interrupt some of them.
double measure(const Program& program, protocol::Plain plain, unsigned executions) {
  program::Configuration configuration;
  configuration.binary =
      program.binary[0] == '/' ? program.binary : fmt::format("{}/{}", MAZURKA_BENCH_PROGRAMS, program.binary);
  configuration.arguments = program.arguments;
  configuration.settings.plain = plain;
  configuration.settings.measure = true;
  program::ProgramExecutor executor(configuration);
  Job job;
  job.continuation = Continuation::Random;
  Execution execution;
  const unsigned first_ones = program.share > 100 ? 5 : 200;
  for (job.seed = 0; job.seed < first_ones; ++job.seed)
    executor.run(job, execution);  // until every page it writes is known
  std::vector<std::uint64_t> ticks;
  const double start = now();
  const std::uint64_t first = __builtin_ia32_rdtsc();
  for (unsigned i = 0; i < executions / program.share; ++i, ++job.seed) {
    executor.run(job, execution);
    ticks.push_back(executor.worker().channel().ticks);
    if (execution.outcome == Outcome::Finished || program.binary[0] == '/') continue;
    fmt::print(stderr, "{}: {} {}\n", program.name, name(execution.outcome), name(execution.failure.kind));
    std::exit(1);
  }
  const double per_microsecond = static_cast<double>(__builtin_ia32_rdtsc() - first) / (now() - start) / 1e6;
  std::nth_element(ticks.begin(), ticks.begin() + static_cast<std::ptrdiff_t>(ticks.size() / 2), ticks.end());
  return static_cast<double>(ticks[ticks.size() / 2]) / per_microsecond;
}

}  // namespace

int main(int argc, char** argv) {
  const unsigned executions = argc > 1 ? static_cast<unsigned>(std::atoi(argv[1])) : 20'000;
  fmt::print("{:<20}{:>16}{:>16}{:>12}\n", "program", "ignore", "check", "slowdown");
  std::vector<Program> programs(std::begin(kPrograms), std::end(kPrograms));
  if (argc > 2) programs = {{"given program", argv[2], {argv + 3, argv + argc}, 1}};
  for (const Program& program : programs) {
    const double ignored = measure(program, protocol::Plain::Ignore, executions);
    const double checked = measure(program, protocol::Plain::Check, executions);
    fmt::print("{:<20}{:>13.2f} us{:>13.2f} us{:>11.2f}x\n", program.name, ignored, checked, checked / ignored);
    std::fflush(stdout);
  }
}
