// Random programs that send each other messages, and the programs of *Optimal DPOR with Observers*: each algorithm
// visits exactly the classes that its definition yields over all executions, and none of them twice.
#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <map>
#include <set>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include "core/dependence.hpp"
#include "dpor/explore.hpp"
#include "support/exhaustive.hpp"
#include "support/forwarding.hpp"
#include "support/mailbox_program.hpp"
#include "support/property.hpp"
#include "support/recorder.hpp"
#include "unfolding/explorer.hpp"

namespace mazurka {
namespace {

using testing::MailboxExecutor;
using testing::MailboxProgram;
using testing::MessageAction;
using enum OperationKind;

constexpr std::size_t kMostInterleavings = 3'000;  // larger programs are enumerated with sleep sets,
constexpr std::size_t kMostClasses = 2'000;        // and left out if they have more classes than this

/// Whether two deliveries to one mailbox interfere: the earlier message was received, the pattern of that receive also
/// matches the later message, and the later one was not taken by an earlier receive.
bool deliveries_interfere(const std::vector<Event>& events, std::size_t earlier, std::size_t later) {
  const auto received_at = [&](std::size_t send) {
    const Operation& o = events[send].operation;
    for (std::size_t i = send + 1; i < events.size(); ++i)
      if (events[i].operation.kind != MailboxSend && events[i].operation.object == o.object &&
          events[i].operation.message() == o.message())
        return i;
    return events.size();
  };
  const std::size_t receive = received_at(earlier);
  return receive < events.size() && events[receive].operation.matches(events[later].operation.tag()) &&
         received_at(later) > receive;
}

/// What two executions have in common if they are in one class: for each event, named by its process and its position,
/// what it does and how many events of each process come before it.
using ClassKey = std::vector<std::uint64_t>;

ClassKey class_of(const std::vector<Event>& events, std::size_t processes, bool observers) {
  const std::size_t n = events.size();
  std::vector<std::vector<std::uint32_t>> clocks(n, std::vector<std::uint32_t>(processes, 0));
  std::vector<std::uint32_t> positions(processes, 0);
  std::map<std::pair<ProcessIndex, std::uint32_t>, ClassKey> named;
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t i = 0; i < j; ++i) {
      const Operation& a = events[i].operation;
      const Operation& b = events[j].operation;
      const bool deliveries = a.kind == MailboxSend && b.kind == MailboxSend && a.object == b.object;
      const bool ordered = events[i].process == events[j].process ||
                           (observers && deliveries ? deliveries_interfere(events, i, j) : dependent(a, b));
      if (!ordered) continue;
      for (std::size_t p = 0; p < processes; ++p) clocks[j][p] = std::max(clocks[j][p], clocks[i][p]);
    }
    const ProcessIndex process = events[j].process;
    clocks[j][process] = ++positions[process];
    const Operation& o = events[j].operation;
    ClassKey& key = named[{process, positions[process]}];
    key = {static_cast<std::uint64_t>(o.kind), o.flags, o.object, o.second, o.message()};
    key.insert(key.end(), clocks[j].begin(), clocks[j].end());
  }
  ClassKey all;
  for (const auto& [name, key] : named) {
    all.insert(all.end(), {name.first, name.second});
    all.insert(all.end(), key.begin(), key.end());
  }
  return all;
}

/// How executions end: by a deadlock or not, and in which state.
using Ends = std::set<std::pair<Outcome, std::vector<std::uint64_t>>>;

struct Classes {
  std::vector<ClassKey> keys;
  Ends ends;

  void add(const Execution& execution, std::size_t processes, bool observers) {
    keys.push_back(class_of(execution.events, processes, observers));
    ends.emplace(execution.outcome, execution.final_state);
  }
};

/// Remembers the executions that an explorer visits.
class Visits final : public testing::Forwarding {
 public:
  Visits(Executor& inner, bool observers) : Forwarding(inner), observers_(observers) {}

  Classes classes;

 private:
  void seen(const Job& job, Execution& execution) override {
    if (job.continuation == Continuation::Stop || execution.outcome == Outcome::SleepBlocked) return;
    classes.add(execution, process_count(), observers_);
  }

  bool observers_;
};

struct Definition {
  Classes traces;
  Classes observed;
};

struct TooLarge {};

Definition define(MailboxExecutor& executor, bool reduce, std::size_t most) {
  Definition result;
  std::size_t count = 0;
  const auto visit = [&](const Execution& execution) {
    if (++count > most) throw TooLarge{};
    result.traces.add(execution, executor.process_count(), false);
    result.observed.add(execution, executor.process_count(), true);
  };
  testing::Exhaustive(executor, visit, reduce).run();
  for (Classes* classes : {&result.traces, &result.observed}) {
    std::sort(classes->keys.begin(), classes->keys.end());
    classes->keys.erase(std::unique(classes->keys.begin(), classes->keys.end()), classes->keys.end());
  }
  return result;
}

/// Compares every algorithm with the definition; false if the program is too large.
bool compare(const MailboxProgram& program) {
  MailboxExecutor executor(program);
  Definition definition;
  try {
    try {
      definition = define(executor, false, kMostInterleavings);
    } catch (const TooLarge&) {
      definition = define(executor, true, kMostClasses);
    }
  } catch (const TooLarge&) {
    return false;
  }
  testing::Silent listener;
  const auto check = [&](const char* algorithm, Visits& visits, const Classes& expected, const Statistics& statistics,
                         bool complete, bool may_block) {
    std::sort(visits.classes.keys.begin(), visits.classes.keys.end());
    EXPECT_TRUE(complete && visits.classes.keys == expected.keys && (may_block || statistics.blocked == 0))
        << algorithm << " on " << to_string(program) << ": " << visits.classes.keys.size() << " executions, "
        << statistics.blocked << " blocked; there are " << expected.keys.size() << " classes";
    EXPECT_EQ(visits.classes.ends, expected.ends) << algorithm << " on " << to_string(program);
  };
  using enum dpor::Algorithm;
  for (const dpor::Algorithm algorithm : {Source, Optimal, Observers}) {
    dpor::Options options;
    options.algorithm = algorithm;
    options.initial = definition.traces.keys.size() % 2 == 0 ? dpor::Initial::Last : dpor::Initial::First;
    Visits visits(executor, algorithm == Observers);
    const dpor::Result result = dpor::explore(visits, options, listener);
    constexpr const char* kNames[] = {"source", "optimal", "observers"};
    check(kNames[static_cast<int>(algorithm)], visits, algorithm == Observers ? definition.observed : definition.traces,
          result.statistics, result.complete, algorithm == Source);
  }
  for (const std::size_t k : {std::size_t{1}, std::size_t{2}, unfolding::Alternatives::kOptimal}) {
    unfolding::Options options;
    options.alternatives = k;
    options.clean_up_at = 64;
    Visits visits(executor, false);
    const unfolding::Result result = unfolding::Explorer(visits, options).run(listener);
    check("unfolding", visits, definition.traces, result.statistics, result.complete,
          k != unfolding::Alternatives::kOptimal);
  }
  return true;
}

TEST(Messages, RandomProgramsMeetTheirDefinition) {
  const int programs = testing::property_cases(500);
  const char* seed = std::getenv("MAZURKA_MAILBOX_SEED");  // other programs
  SplitMix64 random(seed != nullptr ? std::strtoull(seed, nullptr, 10) : 2018);
  int compared = 0;
  int tried = 0;
  while (compared < programs && !HasFailure()) {
    ++tried;
    if (compare(testing::random_mailbox_program(random))) ++compared;
  }
  std::cout << compared << " programs compared, " << tried - compared << " were too large\n";
}

/// MAZURKA_MAILBOX_PROGRAM='s1:0 | r t0' compares one program.
TEST(Messages, OneOnDemand) {
  if (const char* text = std::getenv("MAZURKA_MAILBOX_PROGRAM"); text != nullptr)
    EXPECT_TRUE(compare(testing::to_mailbox_program(text)));
  else
    GTEST_SKIP() << "MAZURKA_MAILBOX_PROGRAM names no program";
}

TEST(Messages, TextsNamePrograms) {
  SplitMix64 random(1);
  for (int i = 0; i < 100; ++i) {
    const MailboxProgram program = testing::random_mailbox_program(random);
    EXPECT_EQ(testing::to_mailbox_program(to_string(program)), program) << to_string(program);
  }
}

}  // namespace
}  // namespace mazurka
