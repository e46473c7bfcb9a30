// table-unfolding-por: Tables 1 and 2 of *Unfolding-based POR*, ours beside POET and Nidhugg. Each cell is explored in
// a process of its own, so that CPU time (of the explorer and its worker together) and peak memory are its alone and a
// time limit can end it. Configurations beyond the paper's are marked, and make the exit code 1.
#include <cstdio>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/core.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "program/executor.hpp"
#include "unfolding/explorer.hpp"

namespace {

using namespace mazurka;

/// What the paper reports; 0: nothing.
struct Row {
  const char* name;
  const char* program;
  std::vector<std::string> arguments;
  bool bug = false;
  std::uint64_t configurations = 0;  ///< without cutoffs; 0: there are infinitely many
  std::uint64_t with_cutoffs = 0;
  std::uint64_t events = 0;
  std::uint64_t cutoffs = 0;
  std::uint64_t traces = 0;  ///< of Nidhugg
  std::uint64_t blocked = 0;
  unsigned bound = 0;   ///< of its loops
  bool plain = true;    ///< its accesses to memory are steps
  bool bounded = true;  ///< no more configurations are expected
};

const Row kRows[] = {
    {"STF", "stf", {"0"}, false, 6, 6, 121, 0, 6},
    {"STF*", "stf", {"1"}, true},
    {"SPIN08", "spin08", {}, false, 84, 84, 2974, 0, 84},
    {"FIB", "fib", {"5"}, false, 8953, 8953, 185269, 0, 8953},
    {"FIB*", "fib", {"5", "1"}, true},
    {"CCNF(9)", "ccnf", {"9"}, false, 16, 16, 49, 0, 16},
    {"CCNF(17)", "ccnf", {"17"}, false, 256, 256, 97, 0, 256},
    {"CCNF(19)", "ccnf", {"19"}, false, 512, 512, 109, 0, 512},
    {"SSB", "ssb", {"0"}, false, 4, 4, 47, 1, 4, 2},
    {"SSB(1)", "ssb", {"1"}, false, 22, 23, 238, 4, 22, 14},
    {"SSB(3)", "ssb", {"3"}, false, 169, 90, 1190, 48, 169, 67},
    {"SSB(4)", "ssb", {"4"}, false, 336, 142, 2195, 74, 336, 103},
    {"SSB(8)", "ssb", {"8"}, false, 2014, 470, 11747, 240, 2014, 327},
    {"SZYMANSKI", "szymanski", {}, false, 0, 159, 1121, 313, 103},
    {"DEKKER", "dekker", {}, false, 0, 21, 217, 14, 199, 0, 10},
    {"LAMPORT", "lamport_fast", {}, false, 0, 30, 375, 28, 32, 0, 10},
    {"PETERSON", "peterson", {}, false, 0, 20, 175, 15, 266, 0, 10},
    {"PGSQL", "pgsql", {}, false, 0, 4, 51, 8, 20, 0, 10},
    {"RWLOCK", "rwlock", {}, false, 0, 770, 7317, 531, 2174, 14, 10},
    {"RWLOCK2*", "rwlock", {"1"}, true},
    {"PRODCONS", "prodcons", {}, false, 0, 386, 3111, 568, 756756, 0, 5, false},
    {"PRODCONS2", "prodcons", {"3"}, false, 0, 15, 640, 25, 63504, 0, 5, false},
    // Its threads created one after the other: more states, see docs/unfolding.md.
    {"created", "prodcons", {"2"}, false, 0, 15, 640, 25, 63504, 0, 5, false, false},
};

struct Options {
  std::string only;
  unsigned seconds = 60;
  std::uint64_t cache = 0;
  bool exact = false;
};

struct Cell {
  bool finished = false;
  bool bug = false;
  std::uint64_t configurations = 0;
  std::uint64_t blocked = 0;
  std::uint64_t events = 0;
  std::uint64_t cutoffs = 0;
  std::uint64_t steps = 0;
  double cpu = 0;
  long kib = 0;
};

struct Finder final : Listener {
  bool on_error(const Execution&, std::uint64_t) override {
    found = true;
    return false;
  }
  /// The paper looks for failed assertions only. SZYMANSKI and RWLOCK can wait for ever.
  bool deadlocks_fail() const override { return false; }
  bool on_progress(const Statistics&) override { return true; }
  void on_new_beginning() override { found = false; }
  bool found = false;
};

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}

Cell run(const Row& row, bool cutoffs, bool reduce_waits, const Options& chosen) {
  int ends[2];
  if (pipe(ends) != 0) return {};
  const pid_t child = fork();
  if (child == 0) {
    alarm(chosen.seconds);
    Cell cell;
    {
      program::Configuration configuration;
      configuration.binary = fmt::format("{}/{}", MAZURKA_PAPER_PROGRAMS, row.program);
      configuration.arguments = row.arguments;
      configuration.lockstep = true;
      configuration.settings.plain = row.plain ? protocol::Plain::Explore : protocol::Plain::Check;
      configuration.settings.keeps_states = cutoffs;
      configuration.settings.keeps_bytes = cutoffs && chosen.exact;
      configuration.settings.reduce_waits = reduce_waits;
      program::ProgramExecutor executor(configuration);
      unfolding::Options options;
      options.cutoffs = cutoffs;
      options.states.exact = chosen.exact;
      if (chosen.cache != 0) options.states.cache = chosen.cache;
      Finder listener;
      const unfolding::Result result = unfolding::Explorer(executor, options).run(listener);
      cell.finished = result.complete || listener.found;
      cell.bug = listener.found;
      cell.configurations = result.statistics.executions + result.statistics.cut;
      cell.blocked = result.statistics.blocked;
      cell.events = result.events_added;
      cell.cutoffs = result.cutoffs.cutoffs;
      cell.steps = result.statistics.events;
    }
    const bool written = write(ends[1], &cell, sizeof cell) == sizeof cell;
    _exit(written ? 0 : 1);
  }
  close(ends[1]);
  Cell cell;
  if (read(ends[0], &cell, sizeof cell) != sizeof cell) cell = {};
  close(ends[0]);
  rusage usage{};
  wait4(child, nullptr, 0, &usage);
  cell.cpu = seconds(usage.ru_utime) + seconds(usage.ru_stime);
  cell.kib = usage.ru_maxrss;
  return cell;
}

std::string number(bool known, std::uint64_t value) { return known ? std::to_string(value) : "-"; }

/// Configurations, events, cutoffs and seconds of one exploration. False where it is not what it should be.
bool print_cell(const Row& row, const Cell& cell) {
  bool right = cell.finished && cell.bug == row.bug;
  if (row.bug) {
    fmt::print(" | {:>7} {:>7} {:>5}", cell.bug ? "bug" : "no bug!", "", "");
  } else {
    const bool more = cell.finished && row.with_cutoffs != 0 && cell.configurations > row.with_cutoffs;
    right &= !more || !row.bounded;
    fmt::print(" | {:>7} {:>7} {:>5}", number(cell.finished, cell.configurations) + (more ? "!" : ""),
               number(cell.finished, cell.events), number(cell.finished, cell.cutoffs));
  }
  fmt::print(" {:>6}", cell.finished ? fmt::format("{:.2f}", cell.cpu) : "-");
  std::fflush(stdout);
  return right;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Tables 1 and 2 of Unfolding-based POR: ours beside POET"};
  Options options;
  app.add_option("--only", options.only, "One row by its name, as DEKKER");
  app.add_option("--seconds", options.seconds, "Time limit of a cell")->capture_default_str();
  app.add_option("--cache", options.cache, "States that are remembered of forgotten events; all of them");
  app.add_flag("--exact", options.exact, "Compare states byte by byte");
  CLI11_PARSE(app, argc, argv);

  bool right = true;
  fmt::print("configurations, events, cutoffs, CPU seconds{:>25} loops reduced{:>15} all rounds\n", "", "");
  fmt::print("{:<10} | {:>7} {:>7} {:>5} {:>6} | {:>7} {:>7} {:>5} {:>6} | {:>7} {:>7} {:>5} | {:>7} {:>7} {:>5}\n",
             "program", "conf", "events", "cut", "s", "conf", "events", "cut", "s", "POET", "events", "cut", "Nidhugg",
             "blocked", "bound");
  for (const Row& row : kRows) {
    if (!options.only.empty() && options.only != row.name) continue;
    fmt::print("{:<10}", row.name);
    right &= print_cell(row, run(row, true, true, options));
    right &= print_cell(row, run(row, true, false, options));
    if (row.bug)
      fmt::print(" | {:>7} {:>7} {:>5} | {:>7}\n", "bug", "", "", "bug");
    else
      fmt::print(" | {:>7} {:>7} {:>5} | {:>7} {:>7} {:>5}\n", row.with_cutoffs, row.events, row.cutoffs, row.traces,
                 row.blocked, number(row.bound != 0, row.bound));
  }
  return right ? 0 : 1;
}
