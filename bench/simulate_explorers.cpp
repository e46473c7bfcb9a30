// Simulates one search by many explorers in virtual time, to measure how it scales: `simulate-explorers SYSTEM`.
//
// Every simulated rank runs the code of real ranks (dpor/team.hpp, dpor/member.hpp, dpor/frontier.hpp, the explorer),
// but only one runs at a time. An execution advances the clock of its rank by a fixed cost, and a message arrives
// `latency` after it was sent. The system is really executed, so the explorers do what they would do without the
// simulation. The cost is the CPU time per execution of one explorer alone, the worker's included; it is measured
// first.
//
//   simulate-explorers [--latency MICROSECONDS] [--service MICROSECONDS | --measure-service] [--cost MICROSECONDS]
//                      [--explorers N,N,…] [--source] [--at-least PERCENT] SYSTEM ARGUMENT…
//
// SYSTEM is a family of networks (mpat 6) or a program built by mazurka cc. Rank 0 needs `service` for each message
// that it receives, or the CPU time that it really takes here, where all ranks share the caches of one processor. With
// N explorers, efficiency is T(1) / (N T(N)), where T(1) is the time of one explorer without messages.
#include <algorithm>
#include <condition_variable>
#include <cstdio>
#include <deque>
#include <exception>
#include <filesystem>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/resource.h>

#include "dpor/explore.hpp"
#include "dpor/member.hpp"
#include "dpor/team.hpp"
#include "network/executor.hpp"
#include "network/families.hpp"
#include "program/executor.hpp"

namespace {

using namespace mazurka;

constexpr double kNever = std::numeric_limits<double>::infinity();

/// Virtual time, in microseconds, and the messages under way. Ranks are threads; only the one whose clock is earliest
/// runs.
class World {
 public:
  World(std::uint32_t ranks, double latency) : latency_(latency), ranks_(ranks) {
    for (std::uint32_t rank = 0; rank < ranks; ++rank) order_.emplace(0, rank);
  }

  std::uint32_t ranks() const { return static_cast<std::uint32_t>(ranks_.size()); }
  double now(std::uint32_t rank) const { return ranks_[rank].time; }
  double latest() const {
    double latest = 0;
    for (const Rank& rank : ranks_) latest = std::max(latest, rank.time);
    return latest;
  }

  /// The first call of a rank's thread. Blocks until it is the rank's turn, as advance() and wait() do.
  void begin(std::uint32_t rank) {
    std::unique_lock lock(mutex_);
    wait_for_turn(rank, lock);
  }
  void advance(std::uint32_t rank, double time) {
    std::unique_lock lock(mutex_);
    move(rank, ranks_[rank].time + time);
    wait_for_turn(rank, lock);
  }
  /// Advances a rank's clock to the arrival of its next message.
  void wait(std::uint32_t rank) {
    std::unique_lock lock(mutex_);
    const auto& inbox = ranks_[rank].inbox;
    ranks_[rank].waits = true;
    move(rank, inbox.empty() ? kNever : std::max(ranks_[rank].time, inbox.begin()->first.first));
    wait_for_turn(rank, lock);
    ranks_[rank].waits = false;
  }
  /// A rank has ended.
  void end(std::uint32_t rank) {
    const std::lock_guard lock(mutex_);
    order_.erase({ranks_[rank].turn, rank});
    if (!order_.empty()) ranks_[order_.begin()->second].changed.notify_one();
  }

  void send(std::uint32_t from, std::uint32_t to, std::span<const std::byte> message) {
    const std::lock_guard lock(mutex_);
    ++messages;
    const double arrival = ranks_[from].time + latency_;
    ranks_[to].inbox.emplace(std::pair(arrival, messages), Transport::Received{from, {message.begin(), message.end()}});
    if (ranks_[to].waits && arrival < ranks_[to].turn) move(to, arrival);
  }
  std::optional<Transport::Received> receive(std::uint32_t rank) {
    const std::lock_guard lock(mutex_);
    auto& inbox = ranks_[rank].inbox;
    if (inbox.empty() || inbox.begin()->first.first > ranks_[rank].time) return std::nullopt;
    return std::move(inbox.extract(inbox.begin()).mapped());
  }

  std::uint64_t messages = 0;

 private:
  struct Rank {
    double time = 0;
    double turn = 0;  ///< when it goes on
    bool waits = false;
    std::map<std::pair<double, std::uint64_t>, Transport::Received> inbox;  ///< by arrival
    std::condition_variable changed;
  };

  void move(std::uint32_t rank, double turn) {
    order_.erase({ranks_[rank].turn, rank});
    ranks_[rank].turn = turn;
    order_.emplace(turn, rank);
  }
  void wait_for_turn(std::uint32_t rank, std::unique_lock<std::mutex>& lock) {
    while (order_.begin()->second != rank) {
      ranks_[order_.begin()->second].changed.notify_one();
      ranks_[rank].changed.wait(lock);
    }
    ranks_[rank].time = ranks_[rank].turn;
  }

  double latency_;
  std::mutex mutex_;
  std::deque<Rank> ranks_;
  std::set<std::pair<double, std::uint32_t>> order_;
};

/// CPU time of this thread, in microseconds.
double used_by_this_thread() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) * 1e6 + static_cast<double>(time.tv_nsec) / 1e3;
}

class Wire final : public Transport {
 public:
  /// `service`: what each message costs who receives it; kNever: what it really does.
  Wire(World& world, std::uint32_t rank, double service) : world_(world), rank_(rank), service_(service) {}
  std::uint32_t rank() const override { return rank_; }
  std::uint32_t ranks() const override { return world_.ranks(); }
  void send(std::uint32_t to, std::span<const std::byte> message) override { world_.send(rank_, to, message); }
  std::optional<Received> receive() override {
    account();
    std::optional<Received> received = world_.receive(rank_);
    if (received && service_ > 0 && service_ != kNever) world_.advance(rank_, service_);
    begun_ = used_by_this_thread();
    return received;
  }
  double now() const override { return world_.now(rank_) / 1e6; }
  void wait(unsigned) override {
    account();
    world_.wait(rank_);
    begun_ = used_by_this_thread();
  }

 private:
  void account() {
    if (service_ == kNever && begun_ > 0) world_.advance(rank_, used_by_this_thread() - begun_);
  }

  World& world_;
  std::uint32_t rank_;
  double service_;
  double begun_ = 0;
};

/// A rank's executor, which charges the rank's clock. All ranks share the inner one: jobs are executed when they are
/// collected.
class Timed final : public Executor {
 public:
  Timed(Executor& inner, World& world, std::uint32_t rank, double cost)
      : inner_(inner), world_(world), rank_(rank), cost_(cost) {}
  JobHandle submit(const Job& job) override {
    jobs_.push_back(job);
    return {static_cast<std::uint32_t>(jobs_.size() - 1)};
  }
  void collect(JobHandle handle, Execution& into) override {
    const Job job = std::move(jobs_[handle.number]);
    if (handle.number + 1 == jobs_.size()) jobs_.pop_back();
    inner_.run(job, into);
    // A probe is part of the cost of the execution that it belongs to.
    if (job.continuation != Continuation::Stop) world_.advance(rank_, cost_);
  }
  std::size_t process_count() const override { return inner_.process_count(); }
  std::size_t version() const override { return 0; }  // it has learnt everything before

 private:
  Executor& inner_;
  World& world_;
  std::uint32_t rank_;
  double cost_;
  std::vector<Job> jobs_;
};

class Notes final : public dpor::TeamNotes, public dpor::MemberNotes {
 public:
  void write(ByteWriter&) override {}
  void read(std::uint32_t, ByteReader&) override {}
  void read(ByteReader&) override {}
  void answer(std::uint32_t, ByteReader&, ByteWriter&) override {}
  bool ends_at_errors() const override { return false; }
  bool deadlocks_fail() const override { return true; }
};

struct Silent final : Listener {
  bool on_error(const Execution&, std::uint64_t) override { return true; }
  bool on_progress(const Statistics&) override { return true; }
};

struct Simulated {
  double microseconds = 0;
  std::uint64_t executions = 0;
  std::uint64_t messages = 0;
};

Simulated simulate(Executor& executor, const dpor::Options& options, std::uint32_t explorers, double latency,
                   double service, double cost) {
  World world(explorers + 1, latency);
  std::vector<std::thread> threads;
  for (std::uint32_t rank = 1; rank <= explorers; ++rank)
    threads.emplace_back([&, rank] {
      world.begin(rank);
      Notes notes;
      Wire wire(world, rank, 0);
      dpor::Link link(wire);
      Timed timed(executor, world, rank, cost);
      dpor::explore_for_rank_0(link, timed, notes);
      world.end(rank);
    });
  world.begin(0);
  Simulated result;
  {
    Notes notes;
    Silent silent;
    Wire wire(world, 0, service);
    dpor::Team team(wire, notes);
    dpor::SearchState start;
    start.is_new = true;
    dpor::Search search(options, explorers, start);
    std::vector<dpor::Result> results(explorers);
    team.begin(search, 0);
    team.serve(silent, results);
    for (const dpor::Result& one : results) result.executions += one.statistics.executions;
    result.microseconds = world.now(0);
    result.messages = world.messages;
  }
  world.end(0);
  for (std::thread& thread : threads) thread.join();
  return result;
}

/// CPU time of this process and of its children that have ended, in microseconds.
double used() {
  double all = 0;
  for (const int who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    rusage usage{};
    getrusage(who, &usage);
    for (const timeval& time : {usage.ru_utime, usage.ru_stime})
      all += static_cast<double>(time.tv_sec) * 1e6 + static_cast<double>(time.tv_usec);
  }
  return all;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Simulates many explorers of one system in virtual time"};
  double latency = 100;
  double service = 1;
  double cost = 0;
  bool source = false;
  bool measures_service = false;
  double at_least = 0;
  std::vector<std::uint32_t> counts{2, 8, 64, 256, 1024};
  std::vector<std::string> system;
  app.add_option("--latency", latency, "Microseconds from the sending of a message to its arrival")
      ->capture_default_str();
  app.add_option("--service", service, "Microseconds that rank 0 takes for a message")->capture_default_str();
  app.add_flag("--measure-service", measures_service, "Rank 0 takes the CPU time that it really takes");
  app.add_option("--cost", cost, "Microseconds of an execution; measured if not given");
  app.add_flag("--source", source, "Source-DPOR, whose reversals need no answer, instead of Optimal-DPOR");
  app.add_option("--at-least", at_least, "Fail if some efficiency is lower than this percentage");
  app.add_option("--explorers", counts, "How many there are")
      ->allow_extra_args(false)
      ->delimiter(',')
      ->capture_default_str();
  app.add_option("system", system, "A family of networks or a program, and its arguments")->required();
  CLI11_PARSE(app, argc, argv);
  try {
    const std::vector<std::string> arguments(system.begin() + 1, system.end());
    std::unique_ptr<network::Network> network;
    const auto make = [&]() -> std::unique_ptr<Executor> {
      if (std::filesystem::exists(system[0])) {
        program::Configuration configuration;
        configuration.binary = std::filesystem::absolute(system[0]).string();
        configuration.arguments = arguments;
        return std::make_unique<program::ProgramExecutor>(configuration);
      }
      std::vector<unsigned> numbers;
      for (const std::string& argument : arguments) numbers.push_back(static_cast<unsigned>(std::stoul(argument)));
      network = std::make_unique<network::Network>(network::generate(system[0], numbers));
      return std::make_unique<network::NetworkExecutor>(*network);
    };
    Silent silent;
    std::unique_ptr<Executor> executor = make();
    dpor::Options options;
    if (source) options.algorithm = dpor::Algorithm::Source;
    const double before = used();
    const dpor::Result one = dpor::explore(*executor, options, silent);
    executor.reset();  // whose worker counts once it has ended
    const auto executions = static_cast<double>(one.statistics.executions);
    if (cost == 0) cost = (used() - before) / executions;
    executor = make();
    dpor::explore(*executor, options, silent);  // learns all that there is to learn
    fmt::print("{}: {} executions of {:.1f} us, latency {} us, rank 0 serves a message in {}\n", fmt::join(system, " "),
               one.statistics.executions, cost, latency,
               measures_service ? "the CPU time that it takes" : fmt::format("{} us", service));
    if (measures_service) service = kNever;
    fmt::print("{:>10} {:>12} {:>10} {:>12} {:>22}\n", "explorers", "seconds", "speed-up", "efficiency",
               "messages per execution");
    double lowest = 100;
    for (const std::uint32_t count : counts) {
      const Simulated all = simulate(*executor, options, count, latency, service, cost);
      if (all.executions != one.statistics.executions) {  // each class once, whoever explores it
        fmt::print(stderr, "{} explorers count {} executions\n", count, all.executions);
        return 1;
      }
      const double speed_up = executions * cost / all.microseconds;
      lowest = std::min(lowest, 100 * speed_up / count);
      fmt::print("{:>10} {:>12.3f} {:>10.1f} {:>11.1f}% {:>22.3f}\n", count, all.microseconds / 1e6, speed_up,
                 100 * speed_up / count, static_cast<double>(all.messages) / executions);
      std::fflush(stdout);
    }
    return lowest < at_least ? 1 : 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 2;
  }
}
