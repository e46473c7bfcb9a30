// How many executions it takes to find a known bug: sampled by random, pct, pos and rff, over many seeds, and explored
// by optimal.
//
//   hunting [SEEDS [EXECUTIONS]]     100 seeds, each gives up after 10000 executions
//
// Of the seeds: the median, and after a slash how many of them found the bug at all. `optimal` gives up after ten times
// as many executions. The race detector is off: the programs have no data race, so it would find nothing.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "dpor/explore.hpp"
#include "program/executor.hpp"
#include "walk/pct.hpp"
#include "walk/pos.hpp"
#include "walk/random.hpp"
#include "walk/rff.hpp"

namespace {

using namespace mazurka;

struct Program {
  const char* name;
  const char* number;
};
const Program kPrograms[] = {{"reorder", "5"},      {"reorder", "10"},    {"reorder", "20"},   {"two_stages", "100"},
                             {"deque", "2"},        {"aba", "0"},         {"account", "6"},    {"driver", "4"},
                             {"philosophers", "8"}, {"lost_signal", "0"}, {"wrong_lock", "6"}, {"ring", "8"}};

/// Counts up to the first failure.
class FirstFailure final : public Listener {
 public:
  bool on_error(const Execution& execution, std::uint64_t number) override {
    if (execution.outcome == Outcome::Diverged || execution.outcome == Outcome::Unsupported) std::exit(1);
    found_ = number + 1;
    return false;
  }
  bool on_progress(const Statistics&) override { return true; }
  void on_new_beginning() override { found_ = 0; }
  std::uint64_t found() const { return found_; }

 private:
  std::uint64_t found_ = 0;
};

std::string sampled(Executor& executor, walk::Sampler& sampler, std::uint64_t seeds, std::uint64_t executions) {
  std::vector<std::uint64_t> needed;
  std::uint64_t successes = 0;
  for (std::uint64_t i = 0; i < seeds; ++i) {
    FirstFailure listener;
    walk::SamplingOptions options;
    options.seed = 1 + i * 1'000'000;
    options.executions = executions;
    walk::sample(executor, sampler, options, listener);
    needed.push_back(listener.found() == 0 ? UINT64_MAX : listener.found());
    successes += listener.found() == 0 ? 0 : 1;
  }
  std::sort(needed.begin(), needed.end());
  const std::uint64_t median = needed[needed.size() / 2];
  return fmt::format("{}/{}", median == UINT64_MAX ? fmt::format(">{}", executions) : std::to_string(median),
                     successes);
}

std::string explored(Executor& executor, std::uint64_t executions) {
  FirstFailure listener;
  dpor::Options options;
  options.algorithm = dpor::Algorithm::Optimal;
  options.max_executions = executions;
  dpor::explore(executor, options, listener);
  return listener.found() == 0 ? fmt::format(">{}", executions) : std::to_string(listener.found());
}

}  // namespace

int main(int argc, char** argv) {
  const std::uint64_t seeds = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 100;
  const std::uint64_t executions = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 10'000;
  fmt::print("{:<18}{:>12}{:>12}{:>12}{:>12}{:>12}{:>12}\n", "program", "random", "pct d=2", "pct d=3", "pos", "rff",
             "optimal");
  for (const Program& program : kPrograms) {
    program::Configuration configuration;
    configuration.binary = MAZURKA_KNOWN_BUGS;
    configuration.arguments = {program.name, program.number};
    configuration.settings.plain = protocol::Plain::Ignore;
    program::ProgramExecutor executor(configuration);
    fmt::print("{:<18}", fmt::format("{}({})", program.name, program.number));
    std::vector<std::unique_ptr<walk::Sampler>> samplers;
    samplers.push_back(std::make_unique<walk::RandomSampler>());
    samplers.push_back(std::make_unique<walk::PctSampler>(2));
    samplers.push_back(std::make_unique<walk::PctSampler>(3));
    samplers.push_back(std::make_unique<walk::PosSampler>());
    samplers.push_back(std::make_unique<walk::RffSampler>());
    for (const auto& sampler : samplers) {
      fmt::print("{:>12}", sampled(executor, *sampler, seeds, executions));
      std::fflush(stdout);
    }
    fmt::print("{:>12}\n", explored(executor, 10 * executions));
    std::fflush(stdout);
  }
}
