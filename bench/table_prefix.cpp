// table-prefix: complete prefixes of all nets below a folder, ours beside the figures of Cunf and Mole. Each net is
// unfolded in a process of its own, so that CPU time and peak memory are its alone and a time limit can end it.
//
// With --verify it also proves completeness on every net with few enough markings: the markings of the configurations
// of the prefix (without events that are only cutoffs) are those of the reachability graph. On plain nets it also
// checks that all events, cutoffs included, are distinct and can happen.
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/core.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/prefix_coverage.hpp"
#include "core/interrupt.hpp"
#include "net/dijkstra.hpp"
#include "net/net_reader.hpp"
#include "net/reachability.hpp"
#include "prefix/prefix_writers.hpp"
#include "prefix/unfolder.hpp"

namespace {

using namespace mazurka;
namespace fs = std::filesystem;

struct Options {
  fs::path nets = fs::path(MAZURKA_SOURCE_DIR).parent_path() / "shared" / "nets";
  fs::path oracles = fs::path(MAZURKA_SOURCE_DIR).parent_path() / "shared" / "oracles";
  std::string only;
  std::string order = "erv";
  unsigned seconds = 60;
  bool verify = false;
  unsigned dijkstra = 0;
  std::uint32_t markings = 1'000'000;
};

/// What a table says about one net; empty fields where it says nothing.
struct Theirs {
  std::string counts;
  std::string mole_seconds;
  std::string cunf_seconds;
  std::string cunf_kib;
};

/// What a child process reports.
struct Ours {
  bool finished = false;
  bool verified = false;
  bool equal = false;
  bool too_many = false;  ///< markings to verify it
  std::size_t events = 0;
  std::size_t conditions = 0;
  std::size_t histories = 0;
  std::size_t cutoffs = 0;
  std::uint32_t markings = 0;
};

std::vector<std::string> split(const std::string& line) {
  std::vector<std::string> fields;
  std::istringstream in(line);
  for (std::string field; std::getline(in, field, ',');) fields.push_back(field);
  fields.resize(std::max<std::size_t>(fields.size(), 10));
  return fields;
}

std::map<std::string, Theirs> read_tables(const fs::path& folder) {
  std::map<std::string, Theirs> tables;
  std::string line;
  std::ifstream plain(folder / "prefix-plain.csv");
  for (std::getline(plain, line); std::getline(plain, line);) {
    const auto f = split(line);
    tables[f[0]] = {fmt::format("{},{},{},{}", f[3], f[4], f[3], f[5]), f[6], f[7], ""};
  }
  std::ifstream contextual(folder / "prefix-contextual.csv");
  for (std::getline(contextual, line); std::getline(contextual, line);) {
    const auto f = split(line);
    tables[f[0]] = {fmt::format("{},{},{},{}", f[4], f[5], f[6], f[7]), "", f[8], f[9]};
  }
  return tables;
}

net::Net load(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return net::read_net(path.string(), text.str());
}

Ours report(const prefix::Unfolding& unfolding) {
  const prefix::Prefix& prefix = unfolding.prefix;
  Ours ours;
  ours.finished = unfolding.complete;
  ours.events = prefix.event_count();
  ours.conditions = prefix.conditions();
  ours.histories = prefix.history_count();
  ours.cutoffs = prefix.cutoff_count();
  return ours;
}

Ours run(const fs::path& path, const Options& options) {
  const net::Net net = load(path);
  const prefix::Unfolding unfolding =
      prefix::unfold(net, options.order == "erv" ? prefix::Order::Erv : prefix::Order::McMillan);
  return report(unfolding);
}

Ours verify(const fs::path& path, const Options& options, Ours ours) {
  const net::Net net = load(path);
  const net::ReachabilityGraph graph(net, {.markings = options.markings});
  ours.too_many = !graph.complete() && !interrupted();
  if (!graph.complete()) return ours;
  ours.markings = graph.markings().size();
  const prefix::Unfolding unfolding = prefix::unfold(net, prefix::Order::Erv);
  const bool plain = std::all_of(net.transitions().begin(), net.transitions().end(),
                                 [](const net::Transition& t) { return t.context.empty(); });
  ours.equal = bench::PrefixCoverage(unfolding.prefix, graph).complete() &&
               (!plain || bench::events_are_distinct_and_possible(unfolding.prefix));
  ours.verified = !interrupted();
  return ours;
}

struct Measured {
  Ours ours;
  double seconds;
  long kib;
};

/// Runs `work` in a child and reads back its answer. SIGINT after the time limit makes it answer with what it has.
template <typename Work>
Measured in_child(unsigned seconds, Work&& work) {
  int channel[2];
  if (pipe(channel) != 0) throw std::runtime_error("pipe failed");
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("fork failed");
  if (child == 0) {
    close(channel[0]);
    catch_interrupts();
    // The alarm is turned into the interrupt that explorers poll.
    std::signal(SIGALRM, [](int) { kill(getpid(), SIGINT); });
    alarm(seconds);
    const Ours ours = work();
    const bool written = write(channel[1], &ours, sizeof ours) == sizeof ours;
    _exit(written ? 0 : 1);
  }
  close(channel[1]);
  Measured measured{};
  if (read(channel[0], &measured.ours, sizeof measured.ours) != sizeof measured.ours) measured.ours = {};
  close(channel[0]);
  int status = 0;
  rusage usage{};
  wait4(child, &status, 0, &usage);
  measured.seconds = static_cast<double>(usage.ru_utime.tv_sec) + static_cast<double>(usage.ru_utime.tv_usec) / 1e6;
  measured.kib = usage.ru_maxrss;
  return measured;
}

/// A larger member of the family gen/dij than the collection has.
int dijkstra(const Options& options) {
  const Measured m = in_child(options.seconds, [&] {
    const net::Net net = net::dijkstra(options.dijkstra);
    const prefix::Unfolding unfolding = prefix::unfold(net, prefix::Order::Erv);
    return report(unfolding);
  });
  fmt::print("dij{}: events {} conditions {} histories {} cutoffs {} in {:.2f} s, {:.1f} MiB{}\n", options.dijkstra,
             m.ours.events, m.ours.conditions, m.ours.histories, m.ours.cutoffs, m.seconds,
             static_cast<double>(m.kib) / 1024, m.ours.finished ? "" : " (stopped)");
  return 0;
}

int table(const Options& options) {
  const auto tables = read_tables(options.oracles);
  std::vector<std::string> names;
  for (const auto& entry : fs::recursive_directory_iterator(options.nets))
    if (entry.path().extension() == ".ll_net") names.push_back(fs::relative(entry.path(), options.nets).string());
  std::sort(names.begin(), names.end());
  fmt::print("{:<40} {:>8} {:>8} {:>8} {:>8} {:>7} {:>7} | {:>7} {:>7} {:>8}  {}\n", "net", "events", "conds", "hists",
             "cutoffs", "cpu s", "MiB", "Cunf s", "Mole s", "Cunf MiB", options.verify ? "same  markings" : "same");
  std::size_t same = 0;
  std::size_t listed = 0;
  std::size_t complete = 0;
  std::size_t small = 0;
  for (const std::string& name : names) {
    if (name.find(options.only) == std::string::npos) continue;
    Measured m = in_child(options.seconds, [&] { return run(options.nets / name, options); });
    std::string proof;
    if (options.verify && m.ours.finished) {
      const Ours v = in_child(options.seconds * 5, [&] { return verify(options.nets / name, options, m.ours); }).ours;
      small += v.verified;
      complete += v.equal;
      proof = v.verified   ? fmt::format("{} {}", v.markings, v.equal ? "all" : "NOT ALL")
              : v.too_many ? fmt::format("> {}", options.markings)
                           : "out of time";
    }
    const Ours& o = m.ours;
    const auto found = tables.find(name);
    const Theirs theirs = found == tables.end() ? Theirs{} : found->second;
    std::string verdict = "-";
    if (!theirs.counts.empty() && options.order == "erv") {
      ++listed;
      const bool equal = theirs.counts == fmt::format("{},{},{},{}", o.events, o.conditions, o.histories, o.cutoffs);
      same += equal;
      verdict = equal ? "yes" : "NO (" + theirs.counts + ")";
    }
    if (!o.finished) verdict = "stopped";
    const std::string kib = theirs.cunf_kib.empty() ? "" : fmt::format("{:.0f}", std::stod(theirs.cunf_kib) / 1024);
    fmt::print("{:<40} {:>8} {:>8} {:>8} {:>8} {:>7.2f} {:>7.1f} | {:>7} {:>7} {:>8}  {:<4} {}\n", name, o.events,
               o.conditions, o.histories, o.cutoffs, m.seconds, static_cast<double>(m.kib) / 1024, theirs.cunf_seconds,
               theirs.mole_seconds, kib, verdict, proof);
    std::fflush(stdout);
  }
  fmt::print("{} of {} listed nets have exactly the sizes of the tables\n", same, listed);
  if (options.verify)
    fmt::print("{} of {} nets with at most {} markings: the prefix has exactly the reachable markings\n", complete,
               small, options.markings);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App app{"Complete prefixes, ours beside Cunf's and Mole's", "table-prefix"};
  app.add_option("--nets", options.nets, "Folder of nets");
  app.add_option("--oracles", options.oracles, "Folder of prefix-plain.csv and prefix-contextual.csv");
  app.add_option("--only", options.only, "Only nets whose path contains this");
  app.add_option("--order", options.order, "Adequate order")->check(CLI::IsMember({"mcmillan", "erv"}));
  app.add_option("--seconds", options.seconds, "Time limit per net");
  app.add_flag("--verify", options.verify, "Prove completeness by explicit reachability");
  app.add_option("--markings", options.markings, "Largest reachability graph for --verify");
  app.add_option("--dijkstra", options.dijkstra, "Instead: Dijkstra's protocol for so many processes (gen/dijN)");
  CLI11_PARSE(app, argc, argv);
  try {
    return options.dijkstra != 0 ? dijkstra(options) : table(options);
  } catch (const std::exception& error) {
    fmt::print(stderr, "table-prefix: {}\n", error.what());
    return 2;
  }
}
