// One exploration in a process of its own, so that it can be given a limit of time and memory and leaves nothing
// behind.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace mazurka::bench {

struct RunLimits {
  unsigned cpu_seconds = 20;
  std::uint64_t memory_bytes = std::uint64_t{8} << 30;
  std::uint64_t nodes = UINT64_MAX;
};

struct RunResult {
  enum class Outcome : std::uint32_t { Done, Time, Memory, Nodes, Failed };
  Outcome outcome = Outcome::Failed;
  std::uint64_t nodes = 0;
  std::uint64_t deadlocks = 0;
  std::uint64_t states_hash = 0;  ///< of the set of deadlocked states
  double cpu_seconds = 0;
  long peak_kib = 0;
  char paths[64] = "";  ///< digits, or the leading ones and an exponent
};

RunResult run_model(const std::string& family, const std::vector<unsigned>& arguments, const std::string& algorithm,
                    bool count_paths, RunLimits limits);

}  // namespace mazurka::bench
