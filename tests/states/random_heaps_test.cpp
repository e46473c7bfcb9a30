// Random programs whose threads pass blocks of memory to each other, for ever: where freed memory is used again
// (runtime/memory/recycling.hpp), what an event changes still follows from its causes, and the configurations of the
// unfolding with cutoffs have the states that a search without reduction finds.
//
// MAZURKA_HEAPS=number looks at one program only and prints it.
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/random.hpp"
#include "core/temporary_folder.hpp"
#include "program/compiler.hpp"
#include "program/executor.hpp"
#include "support/property.hpp"
#include "support/state_recorder.hpp"
#include "unfolding/explorer.hpp"
#include "walk/stateful_naive.hpp"

namespace mazurka {
namespace {

using testing::StateRecorder;

constexpr std::size_t kMostHeapStates = 4'000;
constexpr std::uint64_t kMostHeapExecutions = 1'000;

/// Each mutex guards a place for a block.
constexpr const char* kHeapDeclarations = R"(#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>
static pthread_mutex_t m[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static void* place[2];
#define PUT(i, size) { void* b = malloc(size); pthread_mutex_lock(&m[i]); if (!place[i]) { place[i] = b; b = 0; } pthread_mutex_unlock(&m[i]); free(b); }
#define TAKE(i) { pthread_mutex_lock(&m[i]); void* b = place[i]; place[i] = 0; pthread_mutex_unlock(&m[i]); free(b); }
#define TAKE_INSIDE(i) { pthread_mutex_lock(&m[i]); free(place[i]); place[i] = 0; pthread_mutex_unlock(&m[i]); }
#define RESIZE(i, size) { pthread_mutex_lock(&m[i]); if (place[i]) place[i] = realloc(place[i], size); pthread_mutex_unlock(&m[i]); }
#define TRY(i) { if (pthread_mutex_trylock(&m[i]) == 0) { free(place[i]); place[i] = 0; pthread_mutex_unlock(&m[i]); } }
#define MOVE(i, j) { pthread_mutex_lock(&m[i]); void* b = place[i]; place[i] = 0; pthread_mutex_unlock(&m[i]); pthread_mutex_lock(&m[j]); if (!place[j]) { place[j] = b; b = 0; } pthread_mutex_unlock(&m[j]); free(b); }
#define LOOK(i) { pthread_mutex_lock(&m[i]); pthread_mutex_unlock(&m[i]); }
)";

std::string random_heap_statement(SplitMix64& random) {
  const auto mutex = random.below(2);
  const auto size = random.below(2) == 0 ? 8 : 40;
  switch (random.below(8)) {
    case 0:
    case 1: return fmt::format("PUT({}, {})", mutex, size);
    case 2: return fmt::format("TAKE({})", mutex);
    case 3: return fmt::format("TAKE_INSIDE({})", mutex);
    case 4: return fmt::format("RESIZE({}, {})", mutex, size);
    case 5: return fmt::format("TRY({})", mutex);
    case 6: return fmt::format("MOVE({}, {})", mutex, 1 - mutex);
    default: return fmt::format("LOOK({})", mutex);
  }
}

std::string heap_program_text(std::uint64_t number) {
  SplitMix64 random(number);
  const std::uint64_t threads = 2 + random.below(2);
  std::string text;
  for (std::uint64_t i = 0; i < threads; ++i) {
    text += fmt::format("static void* thread_{}_{}(void* unused) {{\n  {}{{\n", number, i,
                        random.below(5) == 0 ? "" : "for (;;) ");
    for (std::uint64_t left = 1 + random.below(threads == 2 ? 3 : 2); left > 0; --left)
      text += fmt::format("    {}\n", random_heap_statement(random));
    text += "  }\n  return unused;\n}\n";
  }
  text += fmt::format("static void program_{}(void) {{\n  pthread_t t[{}];\n", number, threads - 1);
  for (std::uint64_t i = 1; i < threads; ++i)
    text += fmt::format("  pthread_create(&t[{}], 0, thread_{}_{}, 0);\n", i - 1, number, i);
  text += fmt::format("  thread_{}_0(0);\n", number);
  for (std::uint64_t i = 1; i < threads; ++i) text += fmt::format("  pthread_join(t[{}], 0);\n", i - 1);
  return text + "}\n";
}

class RandomHeaps : public ::testing::Test {
 protected:
  void TearDown() override { fmt::print("{} programs compared, {} too large\n", compared_, large_); }

  std::string compile(std::uint64_t begin, std::uint64_t end) {
    std::string text = kHeapDeclarations;
    for (std::uint64_t number = begin; number < end; ++number) text += heap_program_text(number);
    text += "int main(int argc, char** argv) {\n  switch (argc > 1 ? atoi(argv[1]) : 0) {\n";
    for (std::uint64_t number = begin; number < end; ++number)
      text += fmt::format("    case {0}: program_{0}(); break;\n", number);
    text += "  }\n  return 0;\n}\n";
    const auto source = directory_ / fmt::format("heaps_{}.c", begin);
    std::ofstream(source) << text;
    setenv("MAZURKA_CC", begin % 2 == 0 ? "gcc" : "clang", 1);
    return program::compile_program(source, {begin % 4 < 2 ? "-O0" : "-O1", "-w", "-std=gnu11"}, directory_);
  }

  void compare(const std::string& binary, std::uint64_t number) {
    program::Configuration configuration;
    configuration.binary = binary;
    configuration.arguments = {std::to_string(number)};
    configuration.settings.plain = number % 3 == 0 ? protocol::Plain::Check : protocol::Plain::Ignore;
    configuration.settings.keeps_states = true;
    configuration.settings.reduce_waits = false;
    configuration.settings.checkpoints = static_cast<std::uint32_t>(number % 4 * 2);
    configuration.lockstep = true;
    program::ProgramExecutor executor(configuration);
    struct Reference final : Listener {
      bool on_error(const Execution& execution, std::uint64_t) override {
        (execution.outcome == Outcome::Deadlock ? waits : failed) = true;
        return true;
      }
      bool on_progress(const Statistics&) override { return states.size() <= kMostHeapStates; }
      bool failed = false;
      bool waits = false;  ///< all threads go round for ever and change nothing
      walk::StateSet states;
    } reference;
    const walk::StatefulResult all = walk::explore_states(executor, {}, reference, &reference.states);
    EXPECT_FALSE(reference.failed);
    unfolding::Options options;
    options.cutoffs = options.all_deltas = true;
    options.states.cache = number % 5 == 0 ? 0 : (number % 5 == 1 ? 3 : SIZE_MAX);
    options.clean_up_at = number % 2 == 0 ? 16 : 1U << 12;
    options.max_executions = kMostHeapExecutions;
    StateRecorder recorder;
    const unfolding::Result result = unfolding::Explorer(executor, options).run(recorder);
    EXPECT_FALSE(recorder.refused) << "what events change depends on their causes";
    EXPECT_EQ(recorder.failures, 0U);
    if (!all.complete || recorder.too_many || result.statistics.runs() >= kMostHeapExecutions) {
      ++large_;
      return;
    }
    ++compared_;
    EXPECT_TRUE(result.complete);
    EXPECT_EQ(result.statistics.blocked, 0U);
    EXPECT_EQ(recorder.deadlocks > 0, reference.waits);
    std::size_t lost = 0;
    for (const StateHash& state : reference.states) lost += recorder.states.contains(state) ? 0U : 1U;
    EXPECT_EQ(lost, 0U) << "of " << reference.states.size() << " states";
    EXPECT_EQ(recorder.states.size(), reference.states.size()) << "states that nobody reaches";
  }

  void compare_some(std::uint64_t begin, std::uint64_t end) {
    const std::string binary = compile(begin, end);
    for (std::uint64_t number = begin; number < end && !HasFailure(); ++number) {
      compare(binary, number);
      if (HasFailure()) ADD_FAILURE() << "program " << number << "\n" << heap_program_text(number);
    }
    std::filesystem::remove(binary);
  }

  std::size_t compared_ = 0;
  std::size_t large_ = 0;

 private:
  TemporaryFolder temporary_;
  std::filesystem::path directory_ = temporary_.path();
};

TEST_F(RandomHeaps, ASample) {
  if (const char* const one = std::getenv("MAZURKA_HEAPS"); one != nullptr) {
    const std::uint64_t number = std::strtoull(one, nullptr, 10);
    compare_some(number, number + 1);
    return;
  }
  constexpr std::uint64_t kHeapsPerFile = 5;
  const auto count = static_cast<std::uint64_t>(testing::property_cases(20));
  for (std::uint64_t begin = 0; begin < count && !HasFailure(); begin += kHeapsPerFile)
    compare_some(begin, begin + kHeapsPerFile);
  EXPECT_GT(compared_, large_ / 4);
}

}  // namespace
}  // namespace mazurka
