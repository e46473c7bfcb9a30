// Explorers in several ranks, which are threads here that exchange nothing but messages, visit the same classes as one
// explorer, each once, whatever the delays.
#include <atomic>
#include <memory>
#include <mutex>
#include <ostream>
#include <set>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "core/error.hpp"
#include "core/foata.hpp"
#include "dpor/explore.hpp"
#include "dpor/member.hpp"
#include "dpor/team.hpp"
#include "network/executor.hpp"
#include "network/families.hpp"
#include "support/oracle.hpp"
#include "support/property.hpp"
#include "support/queues.hpp"
#include "support/random_network.hpp"
#include "support/recorder.hpp"

namespace mazurka::dpor {
namespace {

using network::Network;
using network::NetworkExecutor;

/// Nothing but the search itself is exchanged; questions are answered by themselves, one larger.
class NoNotes final : public TeamNotes, public MemberNotes {
 public:
  void write(ByteWriter&) override {}
  void read(std::uint32_t, ByteReader&) override {}
  void read(ByteReader&) override {}
  void answer(std::uint32_t, ByteReader& question, ByteWriter& answer) override {
    answer.number(question.number<int>() + 1);
  }
  bool ends_at_errors() const override { return false; }
  bool deadlocks_fail() const override { return true; }
};

/// Counts executions of all ranks. Those that only explore ask rank 0 after each of them; one may throw.
class Questioner final : public testing::Forwarding {
 public:
  Questioner(Executor& inner, std::atomic<unsigned>& executed) : Forwarding(inner), executed_(executed) {}
  Link* link = nullptr;
  std::uint64_t fails_at = UINT64_MAX;

 private:
  void seen(const Job&, Execution&) override {
    ++executed_;
    if (++count_ == fails_at) throw UnsupportedError("it cannot be controlled");
    if (link == nullptr) return;
    ByteWriter question;
    question.number(7);
    const Bytes answer = link->ask(question.written());
    ByteReader reader(answer);
    EXPECT_EQ(reader.number<int>(), 8);
  }
  std::atomic<unsigned>& executed_;
  std::uint64_t count_ = 0;
};

/// Explorers of one network in so many ranks.
class Ranks {
 public:
  Ranks(const Network& network, std::uint32_t count, std::uint64_t seed) : queues_(count, seed) {
    for (std::uint32_t i = 0; i < count; ++i) {
      executors_.push_back(std::make_unique<NetworkExecutor>(network));
      recorders.push_back(std::make_unique<testing::ClassRecorder>(*executors_.back()));
      endpoints_.push_back(std::make_unique<testing::Queues::Endpoint>(queues_, i));
    }
  }

  Result run(Options options, Listener& listener) {
    std::vector<std::thread> others;
    for (std::size_t i = 1; i < recorders.size(); ++i)
      others.emplace_back([&, i] {
        NoNotes notes;
        Link link(*endpoints_[i]);
        Questioner asking(*recorders[i], executed);
        asking.link = &link;
        if (i == failing_rank) asking.fails_at = 3;
        explore_for_rank_0(link, asking, notes);
      });
    Result result;
    std::exception_ptr failure;
    try {
      NoNotes notes;
      Team team(*endpoints_[0], notes);
      options.team = &team;
      Questioner counting(*recorders[0], executed);
      result = explore(counting, options, listener);
    } catch (...) {
      failure = std::current_exception();
    }
    for (std::thread& other : others) other.join();
    if (failure) std::rethrow_exception(failure);
    return result;
  }

  /// Fails where a class was visited twice.
  std::set<FoataForm> classes() const {
    std::set<FoataForm> all;
    for (const auto& recorder : recorders) {
      EXPECT_FALSE(recorder->repeated);
      for (const FoataForm& form : recorder->classes) EXPECT_TRUE(all.insert(form).second) << "visited twice";
    }
    return all;
  }

  std::vector<std::unique_ptr<testing::ClassRecorder>> recorders;
  std::atomic<unsigned> executed = 0;
  std::size_t failing_rank = 0;  ///< of those that only explore

 private:
  testing::Queues queues_;
  std::vector<std::unique_ptr<NetworkExecutor>> executors_;
  std::vector<std::unique_ptr<testing::Queues::Endpoint>> endpoints_;
};

struct Way {
  const char* name;
  Algorithm algorithm;
  bool always_hands_over;

  Options options() const {
    Options options;
    options.algorithm = algorithm;
    options.always_hands_over = always_hands_over;
    return options;
  }
};

void PrintTo(const Way& way, std::ostream* stream) { *stream << way.name; }

class SeveralRanks : public ::testing::TestWithParam<Way> {};

INSTANTIATE_TEST_SUITE_P(, SeveralRanks,
                         ::testing::Values(Way{"Source", Algorithm::Source, false},
                                           Way{"Optimal", Algorithm::Optimal, false},
                                           Way{"Observers", Algorithm::Observers, false},
                                           Way{"SourceInPieces", Algorithm::Source, true},
                                           Way{"OptimalInPieces", Algorithm::Optimal, true},
                                           Way{"ObserversInPieces", Algorithm::Observers, true}),
                         [](const auto& test) { return test.param.name; });

TEST_P(SeveralRanks, VisitEveryClassOfRandomNetworksExactlyOnce) {
  constexpr int kCases = 60;
  constexpr std::uint32_t kCounts[] = {2, 4, 7};
  unsigned compared = 0;
  EXPECT_TRUE(testing::property("ranks = oracle", kCases, [&](const testing::NetworkSpec& spec) {
    const Network network = testing::to_network(spec);
    NetworkExecutor executor(network);
    const testing::OracleResult oracle = testing::brute_force(executor, 500);
    if (!oracle.complete) return;
    ++compared;
    Ranks ranks(network, kCounts[compared % 3], compared);
    testing::Silent listener;
    const Result result = ranks.run(GetParam().options(), listener);
    RC_ASSERT(result.complete);
    RC_ASSERT(ranks.classes() == oracle.classes);
    RC_ASSERT(result.statistics.executions == oracle.classes.size());
    if (GetParam().algorithm != Algorithm::Source) RC_ASSERT(result.statistics.blocked == 0U);
  }));
  EXPECT_GE(compared, static_cast<unsigned>(testing::property_cases(kCases) / 2));
}

TEST_P(SeveralRanks, ShareALargeSearch) {
  const std::vector<unsigned> arguments{5};
  const Network network = network::generate("mpat", arguments);
  Ranks ranks(network, 4, 1);
  testing::Silent listener;
  const Result result = ranks.run(GetParam().options(), listener);
  EXPECT_TRUE(result.complete);
  EXPECT_EQ(result.statistics.executions, 3840U);
  EXPECT_EQ(ranks.classes().size(), 3840U);
  EXPECT_EQ(result.explorers.size(), 4U);
}

TEST_P(SeveralRanks, KeepToALimit) {
  const std::vector<unsigned> arguments{5};
  const Network network = network::generate("mpat", arguments);
  Ranks ranks(network, 3, 1);
  testing::Silent listener;
  Options options = GetParam().options();
  options.max_executions = 100;
  const Result result = ranks.run(options, listener);
  EXPECT_FALSE(result.complete);
  EXPECT_LE(result.statistics.runs(), 100U);
  EXPECT_GE(result.statistics.runs(), 80U);
}

/// Is due after every so many executions, and remembers what was kept last.
class RanksKeeper final : public SearchKeeper {
 public:
  explicit RanksKeeper(const Ranks& of) : ranks(of) {}
  bool is_due() override { return ranks.executed >= next_; }
  void keep(const SearchState& state) override {
    ++kept;
    last = state;
    visited = ranks.classes();
    EXPECT_EQ(last.statistics.executions, visited.size());
    next_ = ranks.executed + kBetween;
  }
  const Ranks& ranks;
  int kept = 0;
  SearchState last;
  std::set<FoataForm> visited;

 private:
  static constexpr unsigned kBetween = 50;
  unsigned next_ = kBetween;
};

TEST_P(SeveralRanks, ComeToRest) {
  const std::vector<unsigned> arguments{4};
  const Network network = network::generate("mpat", arguments);
  for (std::uint64_t seed = 0; seed < 2; ++seed) {
    Ranks ranks(network, 4, seed);
    testing::Silent listener;
    RanksKeeper keeper(ranks);
    Options options = GetParam().options();
    options.keeper = &keeper;
    const Result result = ranks.run(options, listener);
    EXPECT_TRUE(result.complete);
    EXPECT_EQ(ranks.classes().size(), 384U);
    EXPECT_GT(keeper.kept, 0);
    // Another number of ranks goes on with what was kept last.
    Ranks others(network, 2 + static_cast<std::uint32_t>(seed % 3), seed);
    Options resumed = GetParam().options();
    resumed.from = &keeper.last;
    const Result rest = others.run(resumed, listener);
    EXPECT_TRUE(rest.complete);
    EXPECT_EQ(rest.statistics.executions, 384U);
    std::set<FoataForm> all = keeper.visited;
    for (const FoataForm& form : others.classes()) EXPECT_TRUE(all.insert(form).second) << "visited twice";
    EXPECT_EQ(all.size(), 384U);
  }
}

TEST(RanksThatFail, EndTheSearchWithWhatTheyThrow) {
  const std::vector<unsigned> arguments{5};
  const Network network = network::generate("mpat", arguments);
  Ranks ranks(network, 4, 1);
  ranks.failing_rank = 2;
  testing::Silent listener;
  try {
    Options options;
    options.always_hands_over = true;
    ranks.run(options, listener);
    ADD_FAILURE() << "it was to fail";
  } catch (const UnsupportedError& error) {
    EXPECT_STREQ(error.what(), "rank 2: it cannot be controlled");
  }
}

/// Stops at the first error.
struct FirstError final : Listener {
  bool on_error(const Execution& execution, std::uint64_t) override {
    ++errors;
    EXPECT_EQ(execution.outcome, Outcome::Deadlock);
    return false;
  }
  bool on_progress(const Statistics&) override { return errors == 0; }
  int errors = 0;
};

TEST(RanksThatFind, TellRank0) {
  const std::vector<unsigned> arguments{1, 4, 4};
  const Network network = network::generate("locks", arguments);
  Ranks ranks(network, 4, 1);
  FirstError listener;
  Options options;
  options.always_hands_over = true;
  const Result result = ranks.run(options, listener);
  EXPECT_FALSE(result.complete);
  EXPECT_GE(listener.errors, 1);
}

}  // namespace
}  // namespace mazurka::dpor
