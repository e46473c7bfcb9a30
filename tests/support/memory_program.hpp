// Small programs over shared memory, run in this process: straight-line threads of loads, stores, fetch-adds,
// compare-exchanges and awaits. They are cheap enough to enumerate every program of a given size.
#pragma once

#include <cstdint>
#include <iterator>
#include <string>
#include <vector>

#include "support/step_executor.hpp"

namespace mazurka::testing {

enum class AccessKind : std::uint8_t { Load, Store, FetchAdd, CompareExchange, Await, AwaitAdd };
inline constexpr std::uint8_t kAccessKinds = 4;  ///< that never wait
inline constexpr std::uint8_t kAllAccessKinds = 6;

/// Two variables, and the halves of the first.
struct Location {
  const char* name;
  std::uint8_t begin;
  std::uint8_t size;
};
inline constexpr Location kLocations[] = {{"x", 0, 4}, {"y", 8, 4}, {"xl", 0, 2}, {"xh", 2, 2}};
inline constexpr std::size_t kMemoryBytes = 12;

struct Access {
  AccessKind kind = AccessKind::Load;
  std::uint8_t location = 0;  ///< into kLocations

  auto operator<=>(const Access&) const = default;
};

/// The accesses of each thread. Every access that stores has values of its own, so that who read what can be told; a
/// compare-exchange expects what its thread read last from the location, and awaits wait for an odd number.
using MemoryProgram = std::vector<std::vector<Access>>;

/// `x= y? | x+ y@ | y! x&`: a store and a load by one thread, a fetch-add and an await by another, a compare-exchange
/// and a fetch-add that waits by a third.
std::string to_string(const MemoryProgram& program);
/// The other way round.
MemoryProgram to_program(const std::string& text);

class MemoryExecutor final : public StepExecutor {
 public:
  explicit MemoryExecutor(const MemoryProgram& program) : program_(program) {}

  std::size_t process_count() const override { return program_.size(); }

 private:
  struct Thread {
    std::size_t next = 0;
    std::uint64_t read[std::size(kLocations)] = {};  // what it read last
  };

  void reset() override;
  bool ended(ProcessIndex process) const override { return threads_[process].next == program_[process].size(); }
  bool possible(ProcessIndex process) const override;
  Operation next_operation(ProcessIndex process) const override;
  void take(ProcessIndex process, const Operation& operation, Event& event) override;
  std::vector<std::uint64_t> final_state() const override { return {std::begin(memory_), std::end(memory_)}; }
  std::uint64_t value(const Location& location) const;

  MemoryProgram program_;
  std::vector<Thread> threads_;
  std::uint8_t memory_[kMemoryBytes] = {};
};

}  // namespace mazurka::testing
