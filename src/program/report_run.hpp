// Repeats an execution for a report: the worker then records more than it has time for otherwise.
//
// Sites: without optimisation, std::lock_guard and its kin are functions of their own in system headers, and the report
// should show the line of their caller. The sites tell which functions those are. So the worker is told to skip them,
// repeatedly, until all sites are the user's.
//
// Heap objects have no names. They are named by their allocation site.
#pragma once

#include "core/execution.hpp"
#include "program/executor.hpp"
#include "program/names.hpp"

namespace mazurka::program {

/// The same execution, with the heap blocks that its operations access. An operation performed by code of system
/// headers has the user's call of that code as its site.
Execution prepared_for_report(ProgramExecutor& executor, const ProgramNames& names, Execution execution);

}  // namespace mazurka::program
