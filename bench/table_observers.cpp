// Table 1 of *Optimal DPOR with Observers*, and the programs that other tools were timed on, with our counts, times and
// rates beside theirs.
//
//   table-observers [SECONDS]     gives up on a row after so long, 60 by default
//
// Their figures are those of the paper (Nidhugg on a 3.4 GHz core) and of runs of Nidhugg 0.4 and GenMC 0.11 on a 2.8
// GHz core; `-` where none is known. `own share` is what the explorer itself used of the time: finding races and
// planning.
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <sys/resource.h>

#include "dpor/explore.hpp"
#include "program/executor.hpp"

namespace {

using namespace mazurka;
using Clock = std::chrono::steady_clock;

struct Row {
  const char* name;
  const char* program;
  std::vector<std::string> arguments;
  const char* paper_optimal;    ///< executions and seconds
  const char* paper_observers;  ///< the same; nullptr: not run with observers here
  const char* others;           ///< Nidhugg optimal, GenMC: seconds
  double wanted = 0;            ///< executions per second with `optimal`
};

const std::vector<Row> kRows = {
    {"lastwrite(7)", "lastwrite", {"7"}, "5040, 0.5", "7, <0.1", "-, -"},
    {"lastwrite(8)", "lastwrite", {"8"}, "40320, 5.2", "8, <0.1", "-, -"},
    {"lastwrite(9)", "lastwrite", {"9"}, "362880, 52", "9, <0.1", "50.4, 5.5", 150'000},
    {"floating_read(6)", "floating_read", {"6"}, "5040, 0.5", "193, <0.1", "-, -"},
    {"floating_read(7)", "floating_read", {"7"}, "40320, 5.0", "449, <0.1", "-, -"},
    {"floating_read(8)", "floating_read", {"8"}, "362880, 53.3", "1025, 0.2", "49.3, 1.3"},
    {"fib(5)", "fib_bench", {"5"}, "218243, 18.9", "218243, 20.1", "21.7, 4.2", 150'000},
    {"fib(6) joined", "fib_bench", {"6", "1"}, "73789, -", "73789, -", "-, -"},
    {"lamport(2)", "lamport", {"2"}, "16+16, <0.1", "14+12, <0.1", "-, -"},
    {"lamport(3)", "lamport", {"3"}, "9216+11525, 4.0", "5466+6132, 2.7", "-, -"},
    {"counter_mutex(8)", "counter_mutex", {"8"}, "40320, -", nullptr, "-, 4.5"},
    {"indexer(15)", "indexer", {"15"}, "4096, -", nullptr, "-, 2.5"},
    {"mpat(6)", "mpat", {"6"}, "46080, -", nullptr, "11.6, 4.6", 80'000},
    {"POL(7,3)", "pol", {"7", "3"}, "2440, -", nullptr, "2.05, 1.3", 50'000},
    {"DISP(5,4)", "disp", {"5", "4"}, "15282, -", nullptr, "8.8, 4.9", 50'000},
};

/// Ends an exploration that takes too long.
class Limit final : public Listener {
 public:
  explicit Limit(double seconds) : end_(Clock::now() + std::chrono::milliseconds(std::lround(seconds * 1000))) {}
  bool on_error(const Execution&, std::uint64_t) override { return true; }
  bool on_progress(const Statistics& s) override { return s.executions % 1024 != 0 || Clock::now() < end_; }

 private:
  Clock::time_point end_;
};

void measure(const Row& row, dpor::Algorithm algorithm, double limit) {
  program::Configuration configuration;
  configuration.binary = fmt::format("{}/{}", MAZURKA_PAPER_PROGRAMS, row.program);
  configuration.arguments = row.arguments;
  if (row.program == std::string_view("lamport")) configuration.settings.reduce_waits = false;  // as in the papers
  program::ProgramExecutor executor(configuration);
  Limit listener(limit);
  dpor::Options options;
  options.algorithm = algorithm;
  const auto start = Clock::now();
  const dpor::Result result = dpor::explore(executor, options, listener);
  const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
  const bool optimal = algorithm == dpor::Algorithm::Optimal;
  const auto all = static_cast<double>(result.statistics.executions + result.statistics.cut);
  fmt::print(
      "{:<18}{:<11}{:>18}{:>9.2f}{:>11.0f}/s{:>9}{:>10.0f}%{:>20}{:>14}\n", row.name, optimal ? "optimal" : "observers",
      fmt::format("{}{}{}", result.statistics.executions,
                  result.statistics.cut == 0 ? "" : fmt::format("+{}", result.statistics.cut),
                  result.complete ? "" : " (limit)"),
      seconds, all / seconds, optimal && row.wanted > 0 ? fmt::format("{:.0f}k", row.wanted / 1000) : std::string("-"),
      100 * (result.seconds.races + result.seconds.insertion) / seconds,
      optimal ? row.paper_optimal : row.paper_observers, optimal ? row.others : "-");
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  const double limit = argc > 1 ? std::atof(argv[1]) : 60;
  fmt::print("{:<18}{:<11}{:>18}{:>9}{:>13}{:>9}{:>11}{:>20}{:>14}\n", "program", "algorithm", "executions", "seconds",
             "rate", "wanted", "own share", "paper: count, s", "Nidhugg, GenMC");
  for (const Row& row : kRows) {
    measure(row, dpor::Algorithm::Optimal, limit);
    if (row.paper_observers != nullptr) measure(row, dpor::Algorithm::Observers, limit);
  }
  rusage self{};
  rusage workers{};
  getrusage(RUSAGE_SELF, &self);
  getrusage(RUSAGE_CHILDREN, &workers);
  fmt::print("peak memory: explorer {} MiB, largest worker {} MiB\n", self.ru_maxrss / 1024, workers.ru_maxrss / 1024);
}
