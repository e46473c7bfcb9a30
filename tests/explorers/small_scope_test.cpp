// Every program of up to three threads and seven accesses over two locations, up to symmetry: each algorithm visits
// exactly the classes that its definition yields over all interleavings, and none of them twice.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <iostream>
#include <vector>

#include <gtest/gtest.h>

#include "core/dependence.hpp"
#include "core/random.hpp"
#include "dpor/explore.hpp"
#include "support/forwarding.hpp"
#include "support/memory_program.hpp"
#include "support/property.hpp"
#include "support/recorder.hpp"
#include "unfolding/explorer.hpp"

namespace mazurka {
namespace {

using testing::Access;
using testing::AccessKind;
using testing::Forwarding;
using testing::MemoryExecutor;
using testing::MemoryProgram;

constexpr std::size_t kMaxAccesses = 8;
constexpr std::size_t kAccessTypes = 2 * testing::kAccessKinds;  // over two locations

/// What two executions have in common if they are in one class: for each event, named by thread and position, the
/// events before it and whether it failed; and which events there are.
using ClassKey = std::array<std::uint16_t, kMaxAccesses>;

/// Awaits that some thread gets to.
using Awaits = std::vector<Operation>;

/// The class of an execution: of its Mazurkiewicz trace or, with `observers`, up to the order of stores to the same
/// bytes of which nobody reads the second, and for which nobody waits.
ClassKey class_of(const std::vector<Event>& events, const MemoryProgram& program, bool observers,
                  const Awaits& awaits = {}) {
  const std::size_t n = events.size();
  std::array<std::size_t, kMaxAccesses> first{};  // the name of the first event of each thread
  for (std::size_t t = 1; t < program.size(); ++t) first[t] = first[t - 1] + program[t - 1].size();
  const auto is_store = [&](std::size_t i) { return events[i].operation.kind == OperationKind::Store; };
  const auto same_bytes = [&](std::size_t i, std::size_t j) {
    return events[i].operation.object == events[j].operation.object &&
           events[i].operation.size == events[j].operation.size;
  };
  const auto observed = [&](std::size_t store) {
    for (const Operation& await : awaits)
      if (detail::overlap(await, events[store].operation)) return true;
    for (std::size_t k = store + 1; k < n; ++k) {
      if (!is_store(k) && detail::overlap(events[k].operation, events[store].operation)) return true;
      if (is_store(k) && same_bytes(k, store)) return false;
    }
    return false;
  };
  std::array<std::size_t, kMaxAccesses> name{};
  std::array<std::uint16_t, kMaxAccesses> before{};
  ClassKey key{};
  for (std::size_t j = 0; j < n; ++j) {
    name[j] = first[events[j].process] + events[j].site;
    const bool unobserved = observers && is_store(j) && !observed(j);
    for (std::size_t i = 0; i < j; ++i) {
      const bool conditional = unobserved && is_store(i) && same_bytes(i, j);
      if (events[i].process == events[j].process ||
          (!conditional && dependent(events[i].operation, events[j].operation)))
        before[j] = static_cast<std::uint16_t>(before[j] | before[i] | 1U << name[i]);
    }
    key[name[j]] = static_cast<std::uint16_t>(before[j] | (events[j].operation.failed() ? 1U << kMaxAccesses : 0U) |
                                              2U << kMaxAccesses);
  }
  return key;
}

/// Remembers the classes of the executions that an explorer visits.
class Visits final : public Forwarding {
 public:
  Visits(Executor& inner, const MemoryProgram& program, bool observers, const Awaits& awaits = {})
      : Forwarding(inner), program_(program), observers_(observers), awaits_(awaits) {}

  std::vector<ClassKey> keys;
  std::vector<std::vector<std::uint64_t>> final_states;

 private:
  void seen(const Job& job, Execution& execution) override {
    if (job.continuation == Continuation::Stop || execution.outcome == Outcome::SleepBlocked) return;
    keys.push_back(class_of(execution.events, program_, observers_, awaits_));
    final_states.push_back(execution.final_state);
  }

  const MemoryProgram& program_;
  bool observers_;
  const Awaits awaits_;
};

template <class T>
std::vector<T> sorted(std::vector<T> values, bool unique) {
  std::sort(values.begin(), values.end());
  if (unique) values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

/// All interleavings.
struct Definition {
  std::vector<ClassKey> traces;
  std::vector<ClassKey> observed;
  std::vector<std::vector<std::uint64_t>> final_states;
  Awaits awaits;
};

bool waits(const MemoryProgram& program) {
  return std::any_of(program.begin(), program.end(), [](const std::vector<Access>& thread) {
    return std::any_of(thread.begin(), thread.end(),
                       [](const Access& access) { return static_cast<int>(access.kind) >= testing::kAccessKinds; });
  });
}

/// Calls visit(execution) for every interleaving that can be extended no further.
template <class Visit>
void for_each_interleaving(MemoryExecutor& executor, Job& job, const Visit& visit) {
  Execution execution;
  executor.run(job, execution);
  if (execution.outcome != Outcome::Stopped) return visit(execution);
  for (const Offer& offer : execution.pending) {
    if (!offer.enabled) continue;
    job.prefix.push_back(offer.step());
    for_each_interleaving(executor, job, visit);
    job.prefix.pop_back();
  }
}

Definition define(MemoryExecutor& executor, const MemoryProgram& program) {
  Job job;
  Definition result;
  const auto add = [&](const Execution& execution) {
    result.traces.push_back(class_of(execution.events, program, false));
    result.observed.push_back(class_of(execution.events, program, true, result.awaits));
    result.final_states.push_back(execution.final_state);
  };
  if (waits(program)) {
    job.continuation = Continuation::Stop;
    for_each_interleaving(executor, job, [&](const Execution& execution) {
      const auto note = [&](const Operation& o) {
        if (!never_blocks(o.kind)) result.awaits.push_back(o);
      };
      for (const Event& event : execution.events) note(event.operation);
      for (const Offer& offer : execution.pending) note(offer.operation);
    });
    for_each_interleaving(executor, job, add);
  } else {
    std::vector<Step>& schedule = job.prefix;
    for (ProcessIndex t = 0; t < program.size(); ++t) schedule.insert(schedule.end(), program[t].size(), {t, 0});
    Execution execution;
    do {
      executor.run(job, execution);
      add(execution);
    } while (std::next_permutation(schedule.begin(), schedule.end()));
  }
  result.traces = sorted(result.traces, true);
  result.observed = sorted(result.observed, true);
  result.final_states = sorted(result.final_states, true);
  return result;
}

/// Compares every algorithm with the definition; false, with a message, if one of them is wrong.
bool agrees(const MemoryProgram& program) {
  MemoryExecutor executor(program);
  const Definition definition = define(executor, program);
  testing::Silent listener;
  bool good = true;
  const auto compare = [&](const char* algorithm, const Visits& visits, const std::vector<ClassKey>& expected,
                           const Statistics& statistics, bool complete, bool blocks) {
    const std::size_t distinct = sorted(visits.keys, true).size();
    if (complete && sorted(visits.keys, false) == expected && statistics.executions == expected.size() &&
        (blocks || statistics.blocked == 0))
      return;
    good = false;
    ADD_FAILURE() << algorithm << " on " << to_string(program) << ": " << visits.keys.size() << " executions of "
                  << distinct << " classes, " << statistics.blocked << " blocked; there are " << expected.size();
  };
  const auto run_dpor = [&](const char* algorithm, dpor::Options options) {
    const bool observers = options.algorithm == dpor::Algorithm::Observers;
    Visits visits(executor, program, observers, definition.awaits);
    const dpor::Result result = dpor::explore(visits, options, listener);
    // Where it began anew, what it had visited before does not count.
    if (observers && visits.keys.size() > result.statistics.executions)
      visits.keys.erase(visits.keys.begin(),
                        visits.keys.end() - static_cast<std::ptrdiff_t>(result.statistics.executions));
    compare(algorithm, visits, observers ? definition.observed : definition.traces, result.statistics, result.complete,
            options.algorithm == dpor::Algorithm::Source);
    if (!observers && sorted(visits.final_states, true) != definition.final_states) {
      good = false;
      ADD_FAILURE() << algorithm << " on " << to_string(program) << ": other final states";
    }
  };
  dpor::Options options;
  run_dpor("optimal", options);
  options.algorithm = dpor::Algorithm::Observers;
  run_dpor("observers", options);
  options.algorithm = dpor::Algorithm::Source;
  run_dpor("source", options);
  Visits visits(executor, program, false);
  const unfolding::Result result = unfolding::Explorer(visits, {}).run(listener);
  compare("unfolding", visits, definition.traces, result.statistics, result.complete, false);
  return good;
}

/// Whether every location is accessed by two threads, one of which may write: else its accesses meet nobody.
bool meets(const MemoryProgram& program) {
  for (std::uint8_t location = 0; location < 2; ++location) {
    std::size_t threads = 0;
    bool written = false;
    for (const auto& thread : program) {
      const auto here = [&](const Access& access) { return access.location == location; };
      threads += std::any_of(thread.begin(), thread.end(), here) ? 1U : 0U;
      written |= std::any_of(thread.begin(), thread.end(),
                             [&](const Access& access) { return here(access) && access.kind != AccessKind::Load; });
    }
    if (threads > 0 && (threads == 1 || !written)) return false;
  }
  return true;
}

/// Longer threads first, then in the order of their accesses.
MemoryProgram normalised(MemoryProgram program) {
  std::sort(program.begin(), program.end(),
            [](const auto& a, const auto& b) { return a.size() != b.size() ? a.size() > b.size() : a < b; });
  return program;
}

/// Whether a program stands for all those that differ from it by the names of threads and locations only.
bool is_representative(const MemoryProgram& program) {
  if (normalised(program) != program) return false;
  MemoryProgram swapped = program;
  for (auto& thread : swapped)
    for (Access& access : thread) access.location ^= 1U;
  return program <= normalised(swapped);
}

/// Calls visit(program) for every representative with these lengths of threads.
template <class Visit>
void for_each_program(const std::vector<std::size_t>& lengths, Visit&& visit) {
  MemoryProgram program;
  std::vector<Access*> accesses;
  for (const std::size_t length : lengths) program.emplace_back(length);
  for (auto& thread : program)
    for (Access& access : thread) accesses.push_back(&access);
  std::uint64_t count = 1;
  for (std::size_t i = 0; i < accesses.size(); ++i) count *= kAccessTypes;
  for (std::uint64_t code = 0; code < count; ++code) {
    std::uint64_t rest = code;
    for (Access* access : accesses) {
      *access = {static_cast<AccessKind>(rest % testing::kAccessKinds),
                 static_cast<std::uint8_t>(rest / testing::kAccessKinds % 2)};
      rest /= kAccessTypes;
    }
    if (meets(program) && is_representative(program)) visit(program);
  }
}

/// Compares one in `interval` of the programs with this many accesses.
void compare_all(std::size_t accesses, std::uint64_t interval) {
  std::uint64_t number = 0;
  std::uint64_t compared = 0;
  for (std::size_t a = accesses - 1; a > 0; --a)
    for (std::size_t b = std::min(a, accesses - a); b > 0; --b) {
      const std::size_t c = accesses - a - b;
      if (c > b) continue;
      std::vector<std::size_t> lengths = {a, b};
      if (c > 0) lengths.push_back(c);
      for_each_program(lengths, [&](const MemoryProgram& program) {
        if (number++ % interval != 0 || ::testing::Test::HasFailure()) return;
        ++compared;
        agrees(program);
      });
    }
  std::cout << compared << " of " << number << " programs with " << accesses << " accesses compared\n";
}

constexpr std::size_t kMostAccesses = 7;  // of which all programs are compared

class SmallScope : public ::testing::TestWithParam<std::size_t> {};
INSTANTIATE_TEST_SUITE_P(Accesses, SmallScope, ::testing::Range<std::size_t>(2, kMostAccesses + 1));

// A sample of the larger ones; MAZURKA_SMALL_SCOPE=all compares every program.
TEST_P(SmallScope, EveryAlgorithmMeetsItsDefinition) {
  constexpr std::uint64_t kIntervals[kMostAccesses + 1] = {1, 1, 1, 1, 1, 17, 311, 7'919};
  compare_all(GetParam(), std::getenv("MAZURKA_SMALL_SCOPE") != nullptr ? 1 : kIntervals[GetParam()]);
}

/// Four threads with two accesses each, also of the halves of a variable.
TEST(LargerScope, RandomProgramsMeetTheirDefinition) {
  constexpr std::size_t kThreads = 4;
  const int programs = testing::property_cases(300);
  SplitMix64 random(2018);
  for (int i = 0; i < programs && !HasFailure(); ++i) {
    MemoryProgram program(kThreads);
    const std::uint64_t locations = 1 + random.below(std::size(testing::kLocations));
    for (std::size_t j = 0; j < kMaxAccesses; ++j)
      program[j % kThreads].push_back({static_cast<AccessKind>(random.below(testing::kAccessKinds)),
                                       static_cast<std::uint8_t>(random.below(locations))});
    agrees(program);
  }
  std::cout << programs << " programs compared\n";
}

/// Threads that wait for each other, so that a later store may make impossible again what an earlier one made possible.
TEST(LargerScope, RandomProgramsWithAwaitsMeetTheirDefinition) {
  const int programs = testing::property_cases(1'000);
  SplitMix64 random(1969);
  for (int i = 0; i < programs && !HasFailure(); ++i) {
    const std::size_t threads = 2 + random.below(3);
    MemoryProgram program(threads);
    const std::uint64_t locations = 1 + random.below(std::size(testing::kLocations));
    for (std::size_t j = 0; j < kMaxAccesses - 1; ++j)
      program[j < threads ? j : random.below(threads)].push_back(
          {static_cast<AccessKind>(random.below(testing::kAllAccessKinds)),
           static_cast<std::uint8_t>(random.below(locations))});
    agrees(program);
  }
  std::cout << programs << " programs compared\n";
}

/// MAZURKA_SMALL_PROGRAM='x= y? | x+ | y!' compares one program.
TEST(LargerScope, OneOnDemand) {
  if (const char* text = std::getenv("MAZURKA_SMALL_PROGRAM"); text != nullptr)
    agrees(testing::to_program(text));
  else
    GTEST_SKIP() << "MAZURKA_SMALL_PROGRAM names no program";
}

}  // namespace
}  // namespace mazurka
