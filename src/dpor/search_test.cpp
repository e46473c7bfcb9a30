// Explorers that ask the search again and again, as those in other processes would, instead of waiting in it.
#include "dpor/search.hpp"

#include <atomic>
#include <optional>
#include <set>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "core/foata.hpp"
#include "dpor/explorer.hpp"
#include "network/executor.hpp"
#include "network/families.hpp"
#include "support/recorder.hpp"

namespace mazurka::dpor {
namespace {

class Asking final : public Coordinator {
 public:
  Asking(Search& search, std::size_t number) : inner_(search, number) {}

  std::optional<SearchPath::Prefix> take() override {
    for (;;) {
      bool over = false;
      std::optional<SearchPath::Prefix> taken = inner_.try_take(over);
      if (taken || over) return taken;
      std::this_thread::yield();
    }
  }
  void rest(const Counted& counted) override {
    inner_.begin_rest(counted);
    while (inner_.is_resting()) std::this_thread::yield();
  }
  void finish(const Counted& counted) override { inner_.finish(counted); }
  Planned insert(Reversal& v) override { return inner_.insert(v); }
  bool is_short_of_work() const override { return inner_.is_short_of_work(); }
  void hand_over(const HandedOver& all) override { inner_.hand_over(all); }
  void mark_executed(std::size_t length, bool fatal) override { inner_.mark_executed(length, fatal); }
  bool rest_is_due() override { return inner_.rest_is_due(); }
  bool count_execution() override { return inner_.count_execution(); }
  std::uint64_t executions() const override { return inner_.executions(); }
  void begin_anew(const Awaited& awaited) override { inner_.begin_anew(awaited); }
  void stop() override { inner_.stop(); }
  bool stops() const override { return inner_.stops(); }

 private:
  LocalCoordinator inner_;
};

/// Is due after every so many executions.
class Often final : public SearchKeeper {
 public:
  bool is_due() override {
    if (++asked_ % 100 == 0) is_due_ = true;
    return is_due_;
  }
  void keep(const SearchState& state) override {
    ++kept;
    counted = state.statistics.executions;
    is_due_ = false;
  }
  int kept = 0;
  std::uint64_t counted = 0;

 private:
  std::atomic<int> asked_ = 0;
  std::atomic<bool> is_due_ = false;
};

TEST(Search, CanBeAskedWithoutWaiting) {
  const std::vector<unsigned> arguments{5};
  const network::Network network = network::generate("mpat", arguments);
  constexpr std::size_t kExplorers = 4;
  Often keeper;
  Options options;
  options.keeper = &keeper;
  SearchState start;
  start.is_new = true;
  Search search(options, kExplorers, start);
  std::vector<std::set<FoataForm>> classes(kExplorers);
  std::vector<std::uint64_t> executions(kExplorers);
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < kExplorers; ++i)
    threads.emplace_back([&, i] {
      network::NetworkExecutor executor(network);
      testing::ClassRecorder recorder(executor);
      testing::Silent listener;
      Asking coordinator(search, i);
      Explorer explorer(recorder, options, {}, {}, coordinator, listener);
      explorer.run();
      classes[i] = recorder.classes;
      executions[i] = explorer.result().statistics.executions;
      EXPECT_FALSE(recorder.repeated);
      EXPECT_EQ(explorer.result().statistics.blocked, 0U);
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_TRUE(search.frontier.finished());
  EXPECT_FALSE(search.frontier.is_short_of_work());
  std::set<FoataForm> all;
  std::uint64_t total = 0;
  for (std::size_t i = 0; i < kExplorers; ++i) {
    all.insert(classes[i].begin(), classes[i].end());
    total += executions[i];
  }
  EXPECT_EQ(all.size(), 3840U);
  EXPECT_EQ(total, 3840U);
  EXPECT_GT(keeper.kept, 3);
  EXPECT_LT(keeper.counted, 3840U);
}

}  // namespace
}  // namespace mazurka::dpor
