// A program with waiting loops through one explorer, beside what it can do.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "program/executor.hpp"
#include "waiting/loop_oracle.hpp"

namespace mazurka::waiting {

/// How a program is run. Only --plain may make a difference to the number of executions.
struct Mode {
  protocol::Plain plain = protocol::Plain::Check;
  protocol::Isolation isolation = protocol::Isolation::Memory;
  std::uint32_t checkpoints = 0;
};
std::string name(const Mode& mode);

enum class Explorer { Optimal, Source, Observers, Unfolding, Random };
std::string name(Explorer explorer);

program::Configuration configure(const std::string& binary, const Program& program, const Mode& mode);

/// What an exploration shows.
struct Findings {
  std::set<std::string> ends;
  std::map<std::string, std::size_t> outcomes;  ///< how many executions end so
  std::optional<Execution> deadlock;            ///< the first
  std::uint64_t blocked = 0;
  bool large = false;  ///< more executions than wanted: nothing can be said
  std::string wrong;   ///< it ended otherwise than an exploration should
};

Findings explore(program::ProgramExecutor& executor, Explorer explorer, std::uint64_t most_executions);

/// Walks at random, also if executions do not end.
Findings walk(program::ProgramExecutor& executor, std::uint64_t walks);

/// What is wrong with that; empty if nothing is.
std::string differences(const Behaviour& expected, const Findings& run, Explorer explorer);

}  // namespace mazurka::waiting
