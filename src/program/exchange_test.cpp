#include "program/exchange.hpp"

#include <random>
#include <span>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <sys/mman.h>

#include "core/footprints.hpp"
#include "program/damage.hpp"

namespace mazurka::program {
namespace {

constexpr std::size_t kProcesses = 3;

/// A channel without a worker: the test writes the answers.
class ExchangeTest : public ::testing::Test {
 protected:
  ExchangeTest()
      : channel_(*static_cast<protocol::Channel*>(mmap(nullptr, sizeof(protocol::Channel), PROT_READ | PROT_WRITE,
                                                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0))),
        exchange_(channel_) {}
  ~ExchangeTest() override { munmap(&channel_, sizeof channel_); }

  /// The value of an event is a function of the steps up to it.
  void answer(const std::vector<std::uint32_t>& processes, std::size_t prefix, std::size_t resumed) {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < processes.size(); ++i) {
      value = value * 31 + processes[i] + 1;
      Event& event = channel_.events[i];
      event = {};
      event.operation.kind = OperationKind::Yield;
      event.process = processes[i];
      event.value = value;
    }
    channel_.event_count = static_cast<std::uint32_t>(processes.size());
    Job job;
    job.prefix.resize(prefix);
    exchange_.write(job, {});
    channel_.resumed = static_cast<std::uint32_t>(resumed);
  }
  void expect_answer(const Execution& execution) const {
    ASSERT_EQ(execution.events.size(), channel_.event_count);
    for (std::size_t i = 0; i < execution.events.size(); ++i) {
      ASSERT_EQ(execution.events[i].process, channel_.events[i].process) << i;
      ASSERT_EQ(execution.events[i].value, channel_.events[i].value) << i;
    }
  }

  protocol::Channel& channel_;
  Exchange exchange_;
};

TEST_F(ExchangeTest, BringsAnyExecutionUpToDate) {
  std::mt19937 random(1);
  std::vector<std::uint32_t> schedule;
  std::vector<Execution> executions(4);
  for (int round = 0; round < 5000; ++round) {
    const std::size_t shared = random() % (schedule.size() + 1);
    schedule.resize(shared);
    while (schedule.size() < 20 && random() % 8 != 0) schedule.push_back(static_cast<std::uint32_t>(random() % 3));
    answer(schedule, shared, random() % (shared + 1));
    Execution& into = executions[random() % executions.size()];
    ASSERT_FALSE(exchange_.read(true, kProcesses, into).has_value());
    expect_answer(into);
    if (HasFatalFailure()) return;
    if (random() % 7 == 0) std::swap(executions[0], executions[1]);
    if (random() % 7 == 0) {
      executions[2] = executions[3];
      for (Event& event : executions[2].events) event.value = 0;  // the copy belongs to its owner
    }
    if (random() % 50 == 0) exchange_.forget();
  }
}

TEST_F(ExchangeTest, ReportsTheFirstDifference) {
  Execution execution;
  answer({0, 1, 0, 1, 2}, 0, 0);
  EXPECT_FALSE(exchange_.read(true, kProcesses, execution).has_value());
  answer({0, 1, 0, 1, 0}, 4, 0);
  channel_.events[2].value += 1;
  channel_.events[3].value += 1;
  const auto difference = exchange_.read(true, kProcesses, execution);
  ASSERT_TRUE(difference.has_value());
  EXPECT_EQ(difference->index, 2U);
  EXPECT_EQ(difference->now.value, difference->before.value + 1);
  EXPECT_EQ(execution.events.size(), 3U);
  // After a difference the kept events are incomplete: restored events are read again too.
  answer({0, 1, 0, 1, 0}, 3, 2);
  channel_.events[2].value += 1;
  EXPECT_FALSE(exchange_.read(true, kProcesses, execution).has_value());
  expect_answer(execution);
}

TEST_F(ExchangeTest, EntersFootprintsThatOnlyOtherWorkersHaveMet) {
  Operation load;
  load.kind = OperationKind::Load;
  load.object = 0x1234;
  load.size = 4;
  Sleeper sleeper;
  sleeper.operation.kind = OperationKind::AtomicSection;
  sleeper.operation.object = intern_footprint(std::span(&load, 1), 0);
  Job job;
  job.sleep = {sleeper, sleeper};
  exchange_.write(job, {});
  EXPECT_EQ(channel_.footprint_count, 2U) << "with the unknown one";
  for (const int i : {0, 1}) {
    const Footprint& footprint = channel_.footprints[channel_.sleepers[i].operation.object];
    ASSERT_EQ(footprint.count, 1U);
    EXPECT_EQ(channel_.footprint_operations[footprint.begin], load);
  }
  answer({0}, 0, 0);
  channel_.events[0].operation = channel_.sleepers[0].operation;
  Execution execution;
  exchange_.read(true, kProcesses, execution);
  EXPECT_EQ(execution.events[0].operation, sleeper.operation);
}

TEST_F(ExchangeTest, RefusesWhatNoRuntimeWrites) {
  Execution execution;
  const auto is_refused = [&](auto&& damage) {
    answer({0, 1, 0, 1, 2}, 0, 0);
    channel_.offer_count = channel_.pending_count = channel_.footprint_count = 0;
    channel_.outcome = Outcome::Finished;
    EXPECT_FALSE(exchange_.read(true, kProcesses, execution).has_value());
    damage();
    try {
      exchange_.read(true, kProcesses, execution);
    } catch (const DamagedSegment&) {
      exchange_.start_over();
      return true;
    }
    return false;
  };
  EXPECT_FALSE(is_refused([] {}));
  Event& event = channel_.events[3];
  EXPECT_TRUE(is_refused([&] { channel_.event_count = protocol::kMaxEvents + 1; }));
  EXPECT_TRUE(is_refused([&] { channel_.resumed = 6; }));
  EXPECT_TRUE(is_refused([&] { event.process = kProcesses; }));
  EXPECT_TRUE(is_refused([&] { event.operation.kind = OperationKind::Count; }));
  EXPECT_TRUE(is_refused([&] { event.operation = {}; }));
  EXPECT_TRUE(is_refused([&] { event.offers_count = 1; }));
  EXPECT_TRUE(is_refused([&] {
    event.offers_begin = 1;
    event.offers_count = UINT32_MAX;
  }));
  EXPECT_TRUE(is_refused([&] {
    event.operation.kind = OperationKind::ThreadJoin;
    event.operation.object = kProcesses;
  }));
  EXPECT_TRUE(is_refused([&] {
    event.operation.kind = OperationKind::Free;
    event.operation.object = 1;
    event.operation.set_length(UINT64_MAX);
  }));
  EXPECT_TRUE(is_refused([&] { channel_.outcome = static_cast<Outcome>(200); }));
  EXPECT_TRUE(is_refused([&] { channel_.offer_count = protocol::kMaxOffers + 1; }));
  EXPECT_TRUE(is_refused([&] { channel_.offer_count = 1; })) << "of no process";
  EXPECT_TRUE(is_refused([&] { channel_.pending_count = protocol::kMaxPending + 1; }));
  EXPECT_TRUE(is_refused([&] {
    channel_.pending_count = 1;
    channel_.pending[0] = {};
    channel_.pending[0].offer.operation.kind = OperationKind::Yield;
    channel_.pending[0].holder = kProcesses;
  }));
  EXPECT_TRUE(is_refused([&] { channel_.footprint_count = protocol::kMaxFootprints + 1; }));
  EXPECT_TRUE(is_refused([&] {
    channel_.footprint_count = 2;
    channel_.footprints[1] = {protocol::kMaxFootprintOperations, 1, 0, 0, false};
  }));
}

}  // namespace
}  // namespace mazurka::program
