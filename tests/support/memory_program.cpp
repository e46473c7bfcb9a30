#include "support/memory_program.hpp"

#include <algorithm>
#include <sstream>
#include <string_view>

#include "core/dependence.hpp"
#include "core/random.hpp"

namespace mazurka::testing {
namespace {

using enum OperationKind;

constexpr OperationKind kKinds[] = {Load, Store, ReadModifyWrite, CompareExchange, Await, AwaitModify};
constexpr std::string_view kSigns = "?=+!@&";

}  // namespace

std::string to_string(const MemoryProgram& program) {
  std::string text;
  for (const auto& thread : program) {
    if (!text.empty()) text += " |";
    for (const Access& access : thread) {
      text += text.empty() ? "" : " ";
      text += kLocations[access.location].name;
      text += kSigns[static_cast<std::size_t>(access.kind)];
    }
  }
  return text;
}

MemoryProgram to_program(const std::string& text) {
  MemoryProgram program(1);
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    if (word == "|") {
      program.emplace_back();
      continue;
    }
    const auto kind = static_cast<std::uint8_t>(kSigns.find(word.back()));
    word.pop_back();
    const auto is_it = [&](const Location& location) { return word == location.name; };
    const auto* const location = std::find_if(std::begin(kLocations), std::end(kLocations), is_it);
    program.back().push_back({static_cast<AccessKind>(kind), static_cast<std::uint8_t>(location - kLocations)});
  }
  return program;
}

std::uint64_t MemoryExecutor::value(const Location& location) const {
  std::uint64_t result = 0;
  for (unsigned i = 0; i < location.size; ++i) result = result << 8 | memory_[location.begin + i];
  return result;
}

bool MemoryExecutor::possible(ProcessIndex process) const {
  if (ended(process)) return false;
  const Access& access = program_[process][threads_[process].next];
  const bool waits = access.kind == AccessKind::Await || access.kind == AccessKind::AwaitAdd;
  return !waits || value(kLocations[access.location]) % 2 == 1;
}

Operation MemoryExecutor::next_operation(ProcessIndex process) const {
  const Thread& thread = threads_[process];
  const Access& access = program_[process][thread.next];
  Operation operation;
  operation.kind = kKinds[static_cast<std::size_t>(access.kind)];
  operation.object = 0x1000U + kLocations[access.location].begin;
  operation.size = kLocations[access.location].size;
  if (access.kind == AccessKind::CompareExchange && value(kLocations[access.location]) != thread.read[access.location])
    operation.flags = kFailed;
  return operation;
}

void MemoryExecutor::take(ProcessIndex process) {
  const Operation operation = next_operation(process);
  Thread& thread = threads_[process];
  const Access& access = program_[process][thread.next];
  const Location& location = kLocations[access.location];
  Event event;
  event.operation = operation;
  event.process = process;
  event.site = thread.next;
  event.value = value(location);
  if (operation.failed()) event.written = thread.read[access.location];  // what it expected
  if (access.kind != AccessKind::Store) thread.read[access.location] = event.value;
  const auto own = static_cast<std::uint8_t>(16 * process + thread.next + 1);
  for (unsigned i = 0; i < location.size && writes_memory(operation); ++i) {
    std::uint8_t& byte = memory_[location.begin + i];
    const bool adds = access.kind == AccessKind::FetchAdd || access.kind == AccessKind::AwaitAdd;
    byte = static_cast<std::uint8_t>(adds ? 5 * byte + own : own);
  }
  if (writes_memory(operation)) event.written = value(location);
  execution_->events.push_back(event);
  ++thread.next;
  std::erase_if(sleep_, [&](const Sleeper& sleeper) {
    return sleeper.step.process == process || dependent(sleeper.operation, operation);
  });
}

void MemoryExecutor::execute(const Job& job, Execution& into) {
  execution_ = &into;
  into.clear();
  threads_.assign(program_.size(), {});
  std::fill(std::begin(memory_), std::end(memory_), std::uint8_t{0});
  sleep_.clear();
  for (const Step& step : job.prefix) {
    if (step.process >= program_.size() || step.alternative != 0 || !possible(step.process)) {
      into.outcome = Outcome::Diverged;
      return;
    }
    take(step.process);
  }
  sleep_ = job.sleep;
  SplitMix64 random(job.seed);
  std::vector<ProcessIndex> enabled;
  const auto stop = [&](Outcome outcome) {
    into.outcome = outcome;
    for (ProcessIndex process = 0; process < program_.size(); ++process)
      if (!ended(process))
        into.pending.push_back({next_operation(process), process, 0, possible(process), false, kNoProcess, 0});
  };
  for (;;) {
    enabled.clear();
    bool any = false;
    bool any_possible = false;
    for (ProcessIndex process = 0; process < program_.size(); ++process) {
      any |= !ended(process);
      if (!possible(process)) continue;
      any_possible = true;
      if (std::none_of(sleep_.begin(), sleep_.end(), [&](const Sleeper& s) { return s.step.process == process; }))
        enabled.push_back(process);
    }
    if (!any) break;
    if (!any_possible || enabled.empty() || job.continuation == Continuation::Stop) {
      stop(!any_possible ? Outcome::Deadlock : enabled.empty() ? Outcome::SleepBlocked : Outcome::Stopped);
      break;
    }
    ProcessIndex next = enabled.front();
    if (job.continuation == Continuation::Random)
      next = enabled[random.below(enabled.size())];
    else if (!into.events.empty() &&
             std::find(enabled.begin(), enabled.end(), into.events.back().process) != enabled.end())
      next = into.events.back().process;
    take(next);
  }
  into.final_state.assign(std::begin(memory_), std::end(memory_));
}

}  // namespace mazurka::testing
