// Ranks that explore one program, each with a worker and a table of threads of its own, visit what one explorer visits:
// the same classes, each once. They are threads here and exchange nothing but messages, which are late by chance.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <thread>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/temporary_folder.hpp"
#include "dpor/explore.hpp"
#include "dpor/member.hpp"
#include "dpor/team.hpp"
#include "explorers/visited.hpp"
#include "program/compiler.hpp"
#include "program/process_registry.hpp"
#include "program/program.hpp"
#include "program/program_test.hpp"
#include "support/property.hpp"
#include "support/queues.hpp"
#include "support/random_program.hpp"

namespace mazurka {
namespace {

using program::ProcessRegistry;
using testing::Recorder;
using testing::Visited;

struct Forgetting final : Listener {
  explicit Forgetting(Recorder& all) : recorder(all) {}
  bool on_error(const Execution&, std::uint64_t) override { return true; }
  bool on_progress(const Statistics&) override { return true; }
  void on_new_beginning() override { recorder.visited = {}; }
  Recorder& recorder;
};

/// The table of rank 0 and the waiting sites of all ranks.
class Shared final : public dpor::TeamNotes {
 public:
  Shared(std::shared_ptr<program::SharedRegistry> registry, program::ProgramExecutor& executor)
      : registry_(std::move(registry)), executor_(executor) {}
  void write(ByteWriter& note) override {
    executor_.learn(learnt_);
    note.list(executor_.waits(), [&](const protocol::Wait& wait) {
      note.number(wait.site);
      note.choice(wait.kind);
    });
  }
  void read(std::uint32_t, ByteReader& note) override {
    for (const protocol::Wait& wait : read_waits(note)) learnt_.waits.push_back(wait);
  }
  void answer(std::uint32_t, ByteReader& question, ByteWriter& answer) override {
    const auto first = question.number<std::uint32_t>();
    const auto met = question.list<protocol::ProcessEntry>([&] {
      protocol::ProcessEntry entry{};
      question.number(entry.parent);
      question.number(entry.number);
      return entry;
    });
    answer.list(registry_->agree(first, met), [&](const protocol::ProcessEntry& entry) {
      answer.number(entry.parent);
      answer.number(entry.number);
    });
  }
  static std::vector<protocol::Wait> read_waits(ByteReader& note) {
    return note.list<protocol::Wait>([&] {
      protocol::Wait wait{};
      note.number(wait.site);
      wait.kind = note.choice(protocol::WaitKind::Assumed);
      return wait;
    });
  }

 private:
  std::shared_ptr<program::SharedRegistry> registry_;
  program::ProgramExecutor& executor_;
  program::ProgramExecutor::Knowledge learnt_;
};

class Elsewhere final : public ProcessRegistry {
 public:
  explicit Elsewhere(dpor::Link& link) : link_(link) {}
  Entries agree(std::uint32_t first, std::span<const protocol::ProcessEntry> met) override {
    ByteWriter question;
    question.number(first);
    question.list(met, [&](const protocol::ProcessEntry& entry) {
      question.number(entry.parent);
      question.number(entry.number);
    });
    const Bytes answer = link_.ask(question.written());
    ByteReader reader(answer);
    Entries all = reader.list<protocol::ProcessEntry>([&] {
      protocol::ProcessEntry entry{};
      reader.number(entry.parent);
      reader.number(entry.number);
      return entry;
    });
    disagreed = disagreed || (!met.empty() && !std::equal(met.begin(), met.end(), all.begin()));
    return all;
  }
  bool disagreed = false;

 private:
  dpor::Link& link_;
};

/// A rank that only explores.
class Member final : public dpor::MemberNotes {
 public:
  Member(const program::Configuration& given, Transport& transport) : link(transport) {
    program::Configuration configuration = given;
    registry = std::make_shared<Elsewhere>(link);
    configuration.registry = registry;
    configuration.explorers = 1;
    program.emplace(configuration);
    executor = program->explorers(1)[0];
    recorder.emplace(*executor);
  }
  void read(ByteReader& note) override {
    program::ProgramExecutor::Knowledge knowledge;
    knowledge.waits = Shared::read_waits(note);
    executor->learn(knowledge);
    recorder->visited = {};
  }
  void write(ByteWriter& note) override {
    note.list(executor->waits(), [&](const protocol::Wait& wait) {
      note.number(wait.site);
      note.choice(wait.kind);
    });
  }
  bool ends_at_errors() const override { return false; }
  bool deadlocks_fail() const override { return true; }

  dpor::Link link;
  std::shared_ptr<Elsewhere> registry;
  std::optional<program::Program> program;
  program::ProgramExecutor* executor = nullptr;
  std::optional<Recorder> recorder;
};

struct Explored {
  Visited visited;
  dpor::Result result;
  bool disagreed = false;  ///< two ranks met threads in different orders
};

Explored alone(const program::Configuration& configuration, const dpor::Options& options) {
  program::Program program(configuration);
  Recorder recorder(program.executor());
  Forgetting listener(recorder);
  Explored explored;
  explored.result = dpor::explore(recorder, options, listener);
  explored.visited = recorder.visited;
  return explored;
}

Explored in_ranks(const program::Configuration& given, std::uint32_t count, dpor::Options options, std::uint64_t seed) {
  testing::Queues queues(count, seed);
  std::vector<std::unique_ptr<testing::Queues::Endpoint>> endpoints;
  for (std::uint32_t i = 0; i < count; ++i) endpoints.push_back(std::make_unique<testing::Queues::Endpoint>(queues, i));
  std::vector<std::unique_ptr<Member>> members;
  for (std::uint32_t i = 1; i < count; ++i) members.push_back(std::make_unique<Member>(given, *endpoints[i]));
  std::vector<std::thread> threads;
  for (const auto& member : members)
    threads.emplace_back([&] { dpor::explore_for_rank_0(member->link, *member->recorder, *member); });
  const auto registry = std::make_shared<program::SharedRegistry>();
  program::Configuration configuration = given;
  configuration.registry = registry;
  configuration.explorers = 1;
  program::Program program(configuration);
  program::ProgramExecutor& executor = *program.explorers(1)[0];
  Recorder recorder(executor);
  Forgetting listener(recorder);
  Explored explored;
  {
    Shared notes(registry, executor);
    dpor::Team team(*endpoints[0], notes);
    options.team = &team;
    explored.result = dpor::explore(recorder, options, listener);
  }
  for (std::thread& thread : threads) thread.join();
  Visited& all = explored.visited = recorder.visited;
  for (const auto& member : members) {
    const Visited& one = member->recorder->visited;
    all.executions += one.executions;
    all.classes.insert(one.classes.begin(), one.classes.end());
    all.observer_classes.insert(one.observer_classes.begin(), one.observer_classes.end());
    all.ends.insert(one.ends.begin(), one.ends.end());
    all.errors.insert(one.errors.begin(), one.errors.end());
    explored.disagreed = explored.disagreed || member->registry->disagreed;
  }
  return explored;
}

/// The classes that `count` ranks visit are those of one explorer, each once. Classes name threads by their indices, so
/// these have to be equal too where threads are created in different orders.
bool compare(const program::Configuration& configuration, bool names_are_equal, std::uint64_t seed = 0) {
  constexpr std::uint64_t kMostClasses = 5000;  // a larger program is not compared
  bool disagreed = false;
  using enum dpor::Algorithm;
  for (const dpor::Algorithm algorithm : {Optimal, Source, Observers}) {
    dpor::Options options;
    options.algorithm = algorithm;
    options.max_executions = kMostClasses;
    const Explored one = alone(configuration, options);
    if (one.result.statistics.runs() >= kMostClasses) break;
    options.max_executions = UINT64_MAX;
    EXPECT_TRUE(one.result.complete);
    bool fails = false;
    for (const auto& [kind, message] : one.visited.errors) fails = fails || kind != "deadlock";
    for (const std::uint32_t count : {2U, 4U}) {
      options.always_hands_over = (seed + count) % 4 == 0;
      const Explored several = in_ranks(configuration, count, options, seed + count);
      EXPECT_TRUE(several.result.complete);
      EXPECT_TRUE(algorithm == Source || several.result.statistics.blocked == 0);
      EXPECT_EQ(several.visited.errors, one.visited.errors);
      if (fails) continue;  // how many executions it takes to see every failure depends on their order
      EXPECT_EQ(several.result.statistics.executions, one.result.statistics.executions);
      disagreed = disagreed || several.disagreed;
      if (algorithm == Observers) {
        EXPECT_EQ(several.visited.observer_classes.size(), one.visited.observer_classes.size());
        EXPECT_TRUE(!names_are_equal || several.visited.observer_classes == one.visited.observer_classes);
      } else {
        EXPECT_EQ(several.visited.executions, several.visited.classes.size()) << "nothing is visited twice";
        EXPECT_EQ(several.visited.classes.size(), one.visited.classes.size());
        EXPECT_TRUE(!names_are_equal || several.visited.classes == one.visited.classes);
      }
    }
  }
  return disagreed;
}

using Named = std::pair<std::string, std::string>;
class RanksOf : public ::testing::TestWithParam<Named> {};

TEST_P(RanksOf, VisitTheSameClasses) {
  const auto& [program, argument] = GetParam();
  const bool is_paper = program != "posix";
  program::Configuration configuration = program::configure(is_paper ? "papers" : "gcc", program, {argument});
  configuration.lockstep = true;
  compare(configuration, true);
}

INSTANTIATE_TEST_SUITE_P(Programs, RanksOf,
                         ::testing::Values(Named{"lastwrite", "4"}, Named{"floating_read", "4"}, Named{"mpat", "3"},
                                           Named{"fib", "2"}, Named{"posix", "several_waiters"},
                                           Named{"posix", "atomic_section"}, Named{"posix", "deadlock"}),
                         [](const auto& test) { return test.param.first + "_" + test.param.second; });

TEST(RanksOfRandomPrograms, VisitTheSameClasses) {
  const char* given = std::getenv("MAZURKA_RANDOM_PROGRAM");  // look at one of them only
  const std::uint64_t first = given != nullptr ? std::strtoull(given, nullptr, 10) : 1;
  const std::uint64_t count = given != nullptr ? 1 : static_cast<std::uint64_t>(testing::property_cases(20));
  constexpr std::uint64_t kPerFile = 100;
  const TemporaryFolder folder;
  program::Configuration configuration;
  configuration.lockstep = true;
  for (std::uint64_t seed = first; seed < first + count && !::testing::Test::HasFailure(); ++seed) {
    if ((seed - first) % kPerFile == 0) {
      const std::filesystem::path source = std::filesystem::path(folder.path()) / fmt::format("programs_{}.c", seed);
      std::ofstream(source) << testing::random_programs(seed, std::min(kPerFile, first + count - seed));
      configuration.binary = program::compile_program(source, {"-O0", "-w"}, folder.path());
    }
    configuration.arguments = {std::to_string(seed)};
    configuration.settings.plain = protocol::Plain::Ignore;
    compare(configuration, true, seed);
    if (::testing::Test::HasFailure()) ADD_FAILURE() << "program " << seed << ":\n" << testing::random_program(seed);
  }
}

/// Which of the grandchildren is created first depends on the schedule, and so does whether there is a third child.
constexpr const char* kNested = R"(#include <pthread.h>
#include <stdatomic.h>
static atomic_int x;
static void* leaf(void* unused) { x++; return unused; }
static void* middle(void* unused) {
  pthread_t thread;
  if (x++ == 1) { pthread_create(&thread, 0, leaf, 0); pthread_join(thread, 0); }
  pthread_create(&thread, 0, leaf, 0);
  pthread_join(thread, 0);
  return unused;
}
int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], 0, middle, 0);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
})";

TEST(RanksOfNestedThreads, AgreeOnTheirIndices) {
  const TemporaryFolder folder;
  const std::filesystem::path source = std::filesystem::path(folder.path()) / "nested.c";
  std::ofstream(source) << kNested;
  program::Configuration configuration;
  configuration.binary = program::compile_program(source, {"-O0", "-w"}, folder.path());
  configuration.lockstep = true;
  EXPECT_TRUE(compare(configuration, false)) << "the test is about ranks that meet threads in different orders";
}

}  // namespace
}  // namespace mazurka
