// One program through every explorer, in one mode: what they show must be what all interleavings show.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "pairs/outcomes.hpp"
#include "program/executor.hpp"
#include "program/worker.hpp"

namespace mazurka::pairs {

/// What decides which executions a program has; how they are run is up to each comparison.
struct Mode {
  protocol::Plain plain = protocol::Plain::Check;
  protocol::Exit exit = protocol::Exit::Threads;
  bool spurious_wakeups = false;
};
std::string name(const Mode& mode);
std::vector<Mode> all_modes();

/// How executions are repeated, which must not be seen.
struct Repetition {
  protocol::Isolation isolation = protocol::Isolation::Memory;
  std::uint32_t checkpoints = 0;
};
std::string name(const Repetition& repetition);

enum class Explorer { Optimal, Source, Observers, Unfolding, Random };
std::string name(Explorer explorer);

program::Configuration configure(const std::string& binary, std::size_t number, const Mode& mode,
                                 const Repetition& repetition);

/// The unfolding with cutoffs: it finds the failures of all interleavings, and nothing that is not among them.
/// Executions that only lead to known states are not shown; what is printed may be compared too. Nothing if the program
/// cannot be explored by its states.
std::optional<std::string> compare_states(program::Configuration configuration, const Outcomes& expected,
                                          bool compares_output);

/// All interleavings, unless they are too many.
std::optional<Outcomes> all_interleavings(program::ProgramExecutor& executor, std::size_t limit);

/// Lets the explorer loose. An empty answer means that it agrees with all interleavings, and where it must, on the
/// number of executions as well; otherwise what is wrong.
std::string compare(program::ProgramExecutor& executor, Explorer explorer, const Outcomes& expected);

}  // namespace mazurka::pairs
