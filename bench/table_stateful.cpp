// Table 1 and Figures 10 and 11 of *Revisiting Stateful Partial-Order Reduction*: ours beside the paper's.
//
//   table-stateful [--seconds S] [--gib G] [--only FAMILY] [--figures DIR] [--no-table]
//
// A cell is `ours` if it equals the paper's number, else `ours (paper)`; `to` is a timeout, `mo` the memory limit, `-`
// a cell the paper leaves empty. Each cell runs in a process of its own, with S seconds of processor time.
#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "stateful_run.hpp"
#include "svg_plot.hpp"

namespace {

using mazurka::bench::Plot;
using mazurka::bench::run_model;
using mazurka::bench::RunLimits;
using mazurka::bench::RunResult;
using mazurka::bench::Series;
using mazurka::bench::to_svg;

/// 0: empty; kTimeout: a timeout of the paper, 5 minutes on its machine.
constexpr std::uint64_t kTimeout = UINT64_MAX;

constexpr std::array kColumns = {"reach", "pset+sleep", "full+sleep", "full-sleep", "minclosure+sleep", "apifs+sleep"};

struct Row {
  const char* family;
  unsigned size;
  std::array<std::uint64_t, 6> nodes;  ///< in the order of kColumns
  const char* paths;                   ///< of full+sleep; the paper rounds large ones down
};

constexpr std::uint64_t to = kTimeout;

const std::vector<Row> kTable = {
    {"bg", 3, {163217, 95991, 131, 131, 131, 329}, "256"},
    {"bg", 4, {to, to, 401, 401, 401, 5945}, "65536"},
    {"bg", 5, {0, 0, 1211, 1211, 1211, to}, ">4.2e9"},
    {"bg", 8, {0, 0, 32801, 32801, 32801, 0}, ">1.7e19"},
    {"bg", 9, {0, 0, to, to, to, 0}, ""},
    {"qo", 15, {6995968, 3489810, 407, 407, 407, 422}, "32"},
    {"qo", 50, {to, to, 3977, 3977, 3977, 4027}, "102"},
    {"qo", 100, {0, 0, 15452, 15452, 15452, 15552}, "202"},
    {"qo", 200, {0, 0, to, to, to, to}, ""},
    {"mpat", 5, {59616, 11264, 672, 672, 672, 3202}, "3840"},
    {"mpat", 10, {to, to, 41984, 41984, 41984, 1446066}, ">3.7e9"},
    {"mpat", 15, {0, 0, 1998848, 1998848, 1998848, to}, ">4.2e16"},
    {"mpat", 20, {0, 0, to, to, to, 0}, ""},
    {"disp", 5, {95744, 75786, 176, 176, 176, 224}, "12"},
    {"disp", 10, {to, to, 526, 526, 526, 769}, "22"},
    {"disp", 50, {0, 0, 9626, 9626, 9626, 16829}, "102"},
    {"disp", 100, {0, 0, 36751, 36751, 36751, 66154}, "202"},
    {"disp", 200, {0, 0, to, to, to, to}, ""},
    {"pet", 4, {19029, 23824, 19584, 17648, 21209, 20009}, ">5.7e10"},
    {"pet", 5, {932573, 1435970, 1174715, 877567, 1295320, 1201401}, ">1.6e19"},
    {"pet", 6, {to, to, to, to, to, to}, ""},
    {"fs", 6, {531441, 274374, 481, 106, 605, 132}, "32"},
    {"fs", 7, {to, to, 1107, 177, 1359, 234}, "64"},
    {"fs", 13, {0, 0, 131103, 8283, 147483, 12366}, "4096"},
    {"fs", 14, {0, 0, 311339, 86174, 364574, 69770}, "8192"},
    {"fs", 15, {0, 0, to, to, to, to}, ""},
    {"lz", 12, {16054352, 11990059, 1113570, 2030705, 2654133, 1113570}, "190459"},
    {"lz", 13, {to, to, to, to, 8319765, to}, ""},
    {"lz", 14, {0, 0, to, to, to, to}, ""},
    {"dp", 10, {9765624, 5706432, 145494, 734806, 2165172, 792072}, ">4.5e8"},
    {"dp", 11, {to, to, 344511, 2122108, 7370149, 2695491}, ">3.5e9"},
    {"dp", 12, {0, 0, 799032, 5936405, to, to}, ">2.8e10"},
    {"dp", 13, {0, 0, 1822134, to, to, to}, ">2.2e11"},
    {"dp", 14, {0, 0, 4097822, to, to, to}, ">1.8e12"},
    {"dp", 15, {0, 0, to, to, to, to}, ""},
};

std::string text(const RunResult& result) {
  switch (result.outcome) {
    case RunResult::Outcome::Done: return fmt::format("{}", result.nodes);
    case RunResult::Outcome::Time: return "to";
    case RunResult::Outcome::Memory: return "mo";
    case RunResult::Outcome::Nodes: return fmt::format("> {}", result.nodes);
    case RunResult::Outcome::Failed: break;
  }
  return "failed";
}

struct Tally {
  int equal = 0;
  int different = 0;
  int beaten = 0;      ///< finished where the paper timed out
  int unfinished = 0;  ///< the paper has a number and we ran into a limit
};

void print_table(RunLimits limits, const std::string& only) {
  fmt::print("{:<9}", "model");
  for (const char* column : kColumns) fmt::print(" {:>27}", column);
  fmt::print(" {:>26} {:>9} {:>7}\n", "paths (full+sleep)", "cpu s", "MiB");
  Tally tally;
  for (const Row& row : kTable) {
    if (!only.empty() && only != row.family) continue;
    fmt::print("{:<9}", fmt::format("{} {}", row.family, row.size));
    RunResult full;
    for (std::size_t c = 0; c < kColumns.size(); ++c) {
      const std::uint64_t paper = row.nodes[c];
      if (paper == 0) {
        fmt::print(" {:>27}", "-");
        continue;
      }
      const bool is_full = c == 2;
      const RunResult result = run_model(row.family, {row.size}, kColumns[c], is_full, limits);
      if (is_full) full = result;
      const bool done = result.outcome == RunResult::Outcome::Done;
      if (paper == kTimeout) {
        tally.beaten += done ? 1 : 0;
        fmt::print(" {:>27}", text(result) + " (to)");
      } else if (done && result.nodes == paper) {
        ++tally.equal;
        fmt::print(" {:>27}", text(result));
      } else {
        ++(done ? tally.different : tally.unfinished);
        fmt::print(" {:>27}", fmt::format("{} ({})", text(result), paper));
      }
      std::fflush(stdout);
    }
    fmt::print(" {:>26} {:>9.2f} {:>7}\n", fmt::format("{} ({})", full.paths, row.paths), full.cpu_seconds,
               full.peak_kib / 1024);
    std::fflush(stdout);
  }
  fmt::print("cells equal to the paper's {}, different {}, not finished {}; its timeouts that finish here {}\n",
             tally.equal, tally.different, tally.unfinished, tally.beaten);
}

void write(const std::string& file, const std::string& content) {
  std::ofstream(file) << content;
  fmt::print("wrote {}\n", file);
}

/// Nodes by number of philosophers, who eat once and twice.
void figure10(RunLimits limits, const std::string& directory) {
  std::vector<Plot> plots;
  for (const std::string family : {"dp", "dp2"}) {
    Plot plot{
        family == "dp" ? "dining philosophers, once" : "dining philosophers, twice",
        {"philosophers", false},
        {"nodes", true},
        {{"reach", "#c0392b", {}, true}, {"pset+sleep", "#2980b9", {}, true}, {"full+sleep", "#27ae60", {}, true}},
        false};
    for (Series& series : plot.series)
      for (unsigned n = 2; n <= 15; ++n) {
        const RunResult result = run_model(family, {n}, series.name, false, limits);
        fmt::print("figure 10: {} {} {}: {}, {:.2f} s\n", family, n, series.name, text(result), result.cpu_seconds);
        if (result.outcome != RunResult::Outcome::Done) break;
        series.points.emplace_back(n, static_cast<double>(result.nodes));
      }
    plots.push_back(std::move(plot));
  }
  write(directory + "/figure10.svg", to_svg(plots));
}

/// full+sleep against pset+sleep on the 765 models with random locks; also reports where it is not smaller, and whether
/// all three searches find the same deadlocks.
void figure11(RunLimits limits, const std::string& directory) {
  Series all{"", "#27ae60", {}, false};
  Series small = all;
  int models = 0;
  int larger = 0;
  int unfinished = 0;
  int undecided = 0;
  int tenfold = 0;
  int compared = 0;
  int disagree = 0;
  for (unsigned taken : {1U, 2U, 3U})
    for (unsigned clients : {4U, 6U, 8U, 10U, 12U})
      for (unsigned seed = 0; seed < 51; ++seed) {
        ++models;
        const std::vector<unsigned> model{seed, clients, taken};
        const RunResult full = run_model("locks", model, "full+sleep", false, limits);
        const RunResult pset = run_model("locks", model, "pset+sleep", false, limits);
        const bool both = full.outcome == RunResult::Outcome::Done && pset.outcome == RunResult::Outcome::Done;
        if (!both) {
          ++unfinished;
          // With as many nodes as full+sleep needs it does not end, which is enough to know.
          RunLimits same = limits;
          same.nodes = full.nodes;
          const bool more = full.outcome == RunResult::Outcome::Done &&
                            run_model("locks", model, "pset+sleep", false, same).outcome == RunResult::Outcome::Nodes;
          undecided += more ? 0 : 1;
          fmt::print("figure 11: locks {} {} {}: full+sleep {}, pset+sleep {}{}\n", seed, clients, taken, text(full),
                     text(pset), more ? ", after more nodes than that" : "");
          continue;
        }
        all.points.emplace_back(static_cast<double>(pset.nodes), static_cast<double>(full.nodes));
        if (pset.nodes <= 1000) small.points.push_back(all.points.back());
        if (full.nodes * 10 <= pset.nodes) ++tenfold;
        if (full.nodes > pset.nodes) {
          ++larger;
          fmt::print("figure 11: locks {} {} {}: full+sleep {} is larger than pset+sleep {}\n", seed, clients, taken,
                     full.nodes, pset.nodes);
        }
        if (full.deadlocks != pset.deadlocks || full.states_hash != pset.states_hash) ++disagree;
        if (clients > 8) continue;
        ++compared;
        const RunResult reach = run_model("locks", model, "reach", false, limits);
        if (reach.outcome == RunResult::Outcome::Done && reach.states_hash != full.states_hash) ++disagree;
      }
  fmt::print(
      "figure 11: {} models, {} not finished by both, {} of them undecided; full+sleep larger than pset+sleep on {}, "
      "at "
      "most a tenth of it on {}; deadlocks differ on {} ({} models compared with reach as well)\n",
      models, unfinished, undecided, larger, tenfold, disagree, compared);
  write(
      directory + "/figure11.svg",
      to_svg(
          {{"765 models with random locks", {"nodes of pset+sleep", true}, {"nodes of full+sleep", true}, {all}, true},
           {"those of at most 1000 nodes",
            {"nodes of pset+sleep", false},
            {"nodes of full+sleep", false},
            {small},
            true}}));
}

}  // namespace

int main(int argc, char** argv) {
  RunLimits limits;
  std::string only;
  std::string figures;
  bool table = true;
  for (int i = 1; i < argc; ++i) {
    const std::string option = argv[i];
    const bool has_value = i + 1 < argc;
    if (option == "--seconds" && has_value) {
      limits.cpu_seconds = static_cast<unsigned>(std::strtoul(argv[++i], nullptr, 10));
    } else if (option == "--gib" && has_value) {
      limits.memory_bytes = std::strtoull(argv[++i], nullptr, 10) << 30;
    } else if (option == "--only" && has_value) {
      only = argv[++i];
    } else if (option == "--figures" && has_value) {
      figures = argv[++i];
    } else if (option == "--no-table") {
      table = false;
    } else {
      fmt::print(stderr, "usage: {} [--seconds S] [--gib G] [--only FAMILY] [--figures DIR] [--no-table]\n", argv[0]);
      return 2;
    }
  }
  if (table) print_table(limits, only);
  if (figures.empty()) return 0;
  figure10(limits, figures);
  figure11(limits, figures);
}
