// table-quasi-optimal: Table 1 of *Quasi-Optimal POR*, ours beside DPU, Nidhugg and GenMC. Each cell is explored in a
// process of its own, so that CPU time (of the explorer and its worker together) and peak memory are its alone and a
// time limit can end it. Counts that are not the paper's are marked, and make the exit code 1.
#include <algorithm>
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

/// What is known of a program: CPU seconds of the other tools on a 2.8 GHz core, "-" where they did not finish.
struct Row {
  const char* program;
  std::vector<std::string> arguments;
  std::uint64_t configurations;
  std::uint64_t events;  // 0: not known
  const char* dpu;
  const char* nidhugg;
  const char* genmc;
  bool large = false;
};

const Row kRows[] = {
    {"disp", {"5", "2"}, 137, 1603, "0.26", "0.05", "0.06"},
    {"disp", {"5", "3"}, 1482, 17594, "0.59", "0.55", "0.48"},
    {"disp", {"5", "4"}, 15282, 185330, "4.6", "8.8", "4.9"},
    {"disp", {"5", "5"}, 151032, 1869116, "227", "-", "-", true},
    {"mpat", {"4"}, 384, 3822, "0.24", "0.06", "0.05"},
    {"mpat", {"5"}, 3840, 38017, "1.45", "0.67", "0.39"},
    {"mpat", {"6"}, 46080, 455876, "73", "11.6", "4.6"},
    {"mpat", {"7"}, 645120, 0, "-", "-", "-", true},
    {"mpc", {"2", "5"}, 60, 397, "0.16", "0.03", "0.08"},
    {"mpc", {"3", "5"}, 2958, 7832, "0.76", "1.0", "0.65"},
    {"mpc", {"4", "5"}, 314064, 578835, "227", "-", "-", true},
    {"pi", {"5"}, 120, 1623, "0.19", "2.9", "-"},
    {"pi", {"6"}, 720, 10221, "0.32", "19", "-"},
    {"pi", {"7"}, 5040, 75113, "1.5", "-", "-"},
    {"pi", {"8"}, 40320, 629787, "36", "-", "-"},
    {"pol", {"7", "3"}, 2440, 51317, "1.27", "2.05", "1.3"},
    {"pol", {"8", "3"}, 3700, 82819, "1.7", "2.2", "2.3"},
    {"pol", {"9", "3"}, 5332, 126755, "2.3", "-", "-"},
    {"pol", {"10", "3"}, 7384, 185975, "7.1", "-", "-"},
    {"pol", {"11", "3"}, 9904, 263617, "10.6", "-", "-"},
    {"pol", {"12", "3"}, 12940, 363107, "12.6", "-", "23"},
};

struct Options {
  std::string only;
  std::vector<std::size_t> k{1, 2, 3};
  unsigned seconds = 60;
  bool large = false;
  bool events = false;
};

struct Cell {
  bool finished = false;
  std::uint64_t configurations = 0;
  std::uint64_t blocked = 0;
  std::uint64_t events = 0;
  double cpu = 0;
  long kib = 0;
};

struct Silent final : Listener {
  bool on_error(const Execution&, std::uint64_t) override { return false; }
  bool on_progress(const Statistics&) override { return true; }
};

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}

Cell run(const Row& row, std::size_t k, bool keep_events, unsigned limit) {
  int ends[2];
  if (pipe(ends) != 0) return {};
  const pid_t child = fork();
  if (child == 0) {
    alarm(limit);
    Cell cell;
    {
      program::Configuration configuration;
      configuration.binary = fmt::format("{}/{}", MAZURKA_PAPER_PROGRAMS, row.program);
      configuration.arguments = row.arguments;
      configuration.lockstep = true;
      program::ProgramExecutor executor(configuration);
      unfolding::Options options;
      options.alternatives = k;
      options.keep_events = keep_events;
      Silent listener;
      const unfolding::Result result = unfolding::Explorer(executor, options).run(listener);
      cell.finished = result.complete;
      cell.configurations = result.statistics.executions;
      cell.blocked = result.statistics.blocked;
      cell.events = result.events_added + 1 + result.silent_ends;  // as the paper counts
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

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Table 1 of Quasi-Optimal POR: ours beside DPU, Nidhugg and GenMC"};
  Options options;
  app.add_option("--only", options.only, "One program: disp, mpat, mpc, pi or pol");
  app.add_option("--k", options.k, "Which k-partial alternatives to try besides optimal ones")->expected(0, 9);
  app.add_option("--seconds", options.seconds, "Time limit of a cell")->capture_default_str();
  app.add_flag("--large", options.large, "Also the programs with more than 100,000 configurations");
  app.add_flag("--events", options.events, "Also count the events of the unfoldings");
  CLI11_PARSE(app, argc, argv);

  bool right = true;
  fmt::print("{:<10} {:>8} {:>9}", "program", "conf", "events");
  for (const std::size_t k : options.k) fmt::print(" {:>9} {:>8}", fmt::format("k={} s", k), "blocked");
  fmt::print(" {:>9} {:>6} | {:>5} {:>7} {:>5}\n", "optimal s", "MiB", "DPU", "Nidhugg", "GenMC");
  for (const Row& row : kRows) {
    if ((!options.only.empty() && options.only != row.program) || (row.large && !options.large)) continue;
    std::string name = row.program;
    for (std::size_t i = 0; i < row.arguments.size(); ++i) name += (i == 0 ? "(" : ",") + row.arguments[i];
    fmt::print("{:<10} {:>8}", name + ")", row.configurations);
    std::string events = "-";
    if (options.events) {
      const Cell cell = run(row, unfolding::Alternatives::kOptimal, true, options.seconds);
      const bool differs = cell.finished && row.events != 0 && cell.events != row.events;
      if (cell.finished) events = fmt::format("{}{}", cell.events, differs ? "!" : "");
      right &= !differs;
    }
    fmt::print(" {:>9}", events);
    std::vector<std::size_t> columns = options.k;
    columns.push_back(unfolding::Alternatives::kOptimal);
    for (const std::size_t k : columns) {
      const bool optimal = k == unfolding::Alternatives::kOptimal;
      const Cell cell = run(row, k, false, options.seconds);
      const bool differs =
          cell.finished && (cell.configurations != row.configurations || (optimal && cell.blocked != 0));
      right &= !differs;
      const std::string time = cell.finished ? fmt::format("{:.2f}{}", cell.cpu, differs ? "!" : "") : "-";
      if (optimal) {
        fmt::print(" {:>9} {:>6} | {:>5} {:>7} {:>5}\n", time, cell.kib / 1024, row.dpu, row.nidhugg, row.genmc);
      } else {
        fmt::print(" {:>9} {:>8}", time, cell.finished ? std::to_string(cell.blocked) : "-");
      }
      std::fflush(stdout);
    }
  }
  return right ? 0 : 1;
}
