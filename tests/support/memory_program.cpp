#include "support/memory_program.hpp"

#include <algorithm>
#include <sstream>
#include <string_view>

#include "core/operation.hpp"

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

void MemoryExecutor::take(ProcessIndex process, const Operation& operation, Event& event) {
  Thread& thread = threads_[process];
  const Access& access = program_[process][thread.next];
  const Location& location = kLocations[access.location];
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
  ++thread.next;
}

void MemoryExecutor::reset() {
  threads_.assign(program_.size(), {});
  std::fill(std::begin(memory_), std::end(memory_), std::uint8_t{0});
}

}  // namespace mazurka::testing
