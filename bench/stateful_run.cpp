#include "stateful_run.hpp"

#include <csignal>
#include <cstdio>
#include <cstring>
#include <new>

#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "network/families.hpp"
#include "network/reachability.hpp"
#include "stateful/graph.hpp"

namespace mazurka::bench {
namespace {

/// Order does not matter.
std::uint64_t hash_states(const network::StateStore& hasher, const std::vector<const std::uint64_t*>& states) {
  std::uint64_t sum = 0;
  for (const std::uint64_t* state : states) sum += hasher.hash(state);
  return sum;
}

void explore(const std::string& family, const std::vector<unsigned>& arguments, const std::string& algorithm,
             bool count_paths, std::uint64_t max_nodes, RunResult& result) {
  const network::Network network = network::generate(family, arguments);
  const network::Product product(network);
  const network::StateStore hasher(product.layout().words());
  std::vector<const std::uint64_t*> deadlocks;
  if (algorithm == "reach") {
    network::Reachability search(product, {});
    search.run();
    result.nodes = search.states();
    for (network::StateId s : search.deadlocks()) deadlocks.push_back(search.state(s));
    result.states_hash = hash_states(hasher, deadlocks);
  } else {
    const stateful::LocalFacts facts(network);
    stateful::GraphExplorer search(product, facts, stateful::find_algorithm(algorithm).value(),
                                   {.max_nodes = max_nodes, .keep_edges = count_paths});
    search.run();
    result.nodes = search.statistics().nodes();
    if (!search.complete()) {
      result.outcome = RunResult::Outcome::Nodes;
      return;
    }
    for (stateful::NodeId n : search.deadlocks()) deadlocks.push_back(search.nodes().state(n));
    result.states_hash = hash_states(hasher, deadlocks);
    if (count_paths) {
      std::string paths = stateful::count_paths(search, postorder(search)).maximal.digits();
      if (paths.size() > 12) paths = fmt::format("{}.{}e{}", paths.substr(0, 1), paths.substr(1, 3), paths.size() - 1);
      std::strncpy(result.paths, paths.c_str(), sizeof result.paths - 1);
    }
  }
  result.deadlocks = deadlocks.size();
  result.outcome = RunResult::Outcome::Done;
}

}  // namespace

RunResult run_model(const std::string& family, const std::vector<unsigned>& arguments, const std::string& algorithm,
                    bool count_paths, RunLimits limits) {
  std::fflush(stdout);
  int ends[2];
  if (pipe(ends) != 0) return {};
  const pid_t child = fork();
  if (child < 0) return {};
  if (child == 0) {
    close(ends[0]);
    const rlimit time{limits.cpu_seconds, limits.cpu_seconds};
    const rlimit memory{limits.memory_bytes, limits.memory_bytes};
    setrlimit(RLIMIT_CPU, &time);
    setrlimit(RLIMIT_AS, &memory);
    RunResult result;
    try {
      explore(family, arguments, algorithm, count_paths, limits.nodes, result);
    } catch (const std::bad_alloc&) {
      result.outcome = RunResult::Outcome::Memory;
    } catch (const std::exception&) {
      result.outcome = RunResult::Outcome::Failed;
    }
    const bool sent = write(ends[1], &result, sizeof result) == static_cast<ssize_t>(sizeof result);
    _exit(sent ? 0 : 1);
  }
  close(ends[1]);
  RunResult result;
  const ssize_t got = read(ends[0], &result, sizeof result);
  close(ends[0]);
  int status = 0;
  rusage usage{};
  wait4(child, &status, 0, &usage);
  if (got != static_cast<ssize_t>(sizeof result)) {
    result = RunResult{};
    const bool timed_out = WIFSIGNALED(status) && (WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL);
    result.outcome = timed_out ? RunResult::Outcome::Time : RunResult::Outcome::Failed;
  }
  result.cpu_seconds = static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
                       1e-6 * static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
  result.peak_kib = usage.ru_maxrss;
  return result;
}

}  // namespace mazurka::bench
