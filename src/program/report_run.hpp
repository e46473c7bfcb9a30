// An execution that is to be shown is repeated, so that the worker tells more about it than it has time for otherwise.
//
// Sites: without optimisation, std::lock_guard and its kin are functions of their own, in system headers, and the line
// to show is that of their caller. Which functions those are is seen from the sites. So the worker is told to skip
// them, again and again until all sites are the user's.
//
// Objects on the heap have no names. They are called after the place that allocated them.
#pragma once

#include "core/execution.hpp"
#include "program/executor.hpp"
#include "program/names.hpp"

namespace mazurka::program {

/// The same execution, with the blocks of the heap that its operations act on. Where code of system headers performs an
/// operation, its site is where the user's own code calls that.
Execution prepared_for_report(ProgramExecutor& executor, const ProgramNames& names, Execution execution);

}  // namespace mazurka::program
