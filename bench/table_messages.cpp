// Table 2 of *Optimal DPOR with Observers*: programs that pass messages, with our counts and times beside Concuerror's.
//
//   table-messages
//
// Their times are those of the paper (a 3.4 GHz core) and, in the last column, of runs on a 2.8 GHz core where one is
// known. Ours are CPU seconds of the explorer and its worker together.
#include <cstdio>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <sys/resource.h>

#include "dpor/explore.hpp"
#include "program/executor.hpp"
#include "unfolding/explorer.hpp"

namespace {

using namespace mazurka;

struct Row {
  const char* program;
  const char* size;
  std::uint64_t optimal;  ///< executions
  std::uint64_t observers;
  const char* paper_optimal;  ///< seconds
  const char* paper_observers;
};

constexpr Row kRows[] = {
    {"not_selective", "2", 2, 2, "<1.0", "<1.0"},
    {"not_selective", "6", 720, 720, "1.7", "1.8"},
    {"not_selective", "7", 5040, 5040, "6.0", "6.8"},
    {"not_selective", "8", 40320, 40320, "48", "56"},
    {"selective", "2", 2, 1, "<1.0", "<1.0"},
    {"selective", "6", 720, 1, "1.8", "<1.0"},
    {"selective", "7", 5040, 1, "6.3", "<1.0"},
    {"selective", "8", 40320, 1, "51", "<1.0"},
    {"lock", "3", 30, 6, "0.9", "0.9"},
    {"lock", "4", 336, 24, "1.4", "0.9"},
    {"lock", "5", 5040, 120, "9.0", "1.3"},
    {"lock", "6", 95040, 720, "207 (163)", "2.6"},
};

struct UntilAnError final : Listener {
  bool on_error(const Execution&, std::uint64_t) override { return false; }
  bool on_progress(const Statistics&) override { return true; }
};

double seconds(const rusage& usage) {
  const auto of = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
  };
  return of(usage.ru_utime) + of(usage.ru_stime);
}

/// Of this process and of those it has waited for.
double used_so_far() {
  rusage own{};
  rusage workers{};
  getrusage(RUSAGE_SELF, &own);
  getrusage(RUSAGE_CHILDREN, &workers);
  return seconds(own) + seconds(workers);
}

/// By the DPOR algorithms or, if there is none of them, by the unfolding. Whether the count is right.
bool measure(const Row& row, const char* name, const dpor::Algorithm* algorithm) {
  const bool observers = algorithm != nullptr && *algorithm == dpor::Algorithm::Observers;
  const double start = used_so_far();
  Statistics statistics;
  bool complete = false;
  {
    program::Configuration configuration;
    configuration.binary = fmt::format("{}/{}", MAZURKA_PAPER_PROGRAMS, row.program);
    configuration.arguments = {row.size};
    configuration.lockstep = algorithm == nullptr;
    program::ProgramExecutor executor(configuration);
    UntilAnError listener;
    if (algorithm != nullptr) {
      dpor::Options options;
      options.algorithm = *algorithm;
      const dpor::Result result = dpor::explore(executor, options, listener);
      statistics = result.statistics;
      complete = result.complete;
    } else {
      const unfolding::Result result = unfolding::Explorer(executor, {}).run(listener);
      statistics = result.statistics;
      complete = result.complete;
    }
  }
  const std::uint64_t expected = observers ? row.observers : row.optimal;
  const bool may_block = algorithm != nullptr && *algorithm == dpor::Algorithm::Source;
  const bool right =
      complete && statistics.executions == expected && statistics.errors == 0 && (may_block || statistics.blocked == 0);
  const bool in_paper = algorithm != nullptr && *algorithm != dpor::Algorithm::Source;
  fmt::print("{:<18}{:<11}{:>11}{:>9}{:>10.2f}{:>11}{:>16}{}\n", fmt::format("{}({})", row.program, row.size), name,
             statistics.executions, statistics.blocked, used_so_far() - start,
             in_paper ? std::to_string(expected) : "-",
             !in_paper   ? "-"
             : observers ? row.paper_observers
                         : row.paper_optimal,
             right ? "" : "  WRONG");
  std::fflush(stdout);
  return right;
}

}  // namespace

int main() {
  fmt::print("{:<18}{:<11}{:>11}{:>9}{:>10}{:>11}{:>16}\n", "program", "algorithm", "executions", "blocked", "CPU s",
             "Concuerror", "its seconds");
  bool right = true;
  for (const Row& row : kRows) {
    using enum dpor::Algorithm;
    constexpr dpor::Algorithm kAlgorithms[] = {Optimal, Observers, Source};
    constexpr const char* kNames[] = {"optimal", "observers", "source"};
    for (std::size_t i = 0; i < std::size(kAlgorithms); ++i) right &= measure(row, kNames[i], &kAlgorithms[i]);
    right &= measure(row, "unfolding", nullptr);
  }
  return right ? 0 : 1;
}
