// Steps, operations, executions and statistics as bytes (bytes.hpp). An atomic section is written with its footprint,
// since its number means something in one process only.
#pragma once

#include "core/bytes.hpp"
#include "core/execution.hpp"
#include "core/statistics.hpp"

namespace mazurka {

void put(ByteWriter& to, const Operation& operation);
Operation read_operation(ByteReader& from);

void put(ByteWriter& to, const Sleeper& step);
Sleeper read_sleeper(ByteReader& from);

void put(ByteWriter& to, const Statistics& statistics);
Statistics read_statistics(ByteReader& from);

/// Without the changes of states (Execution::deltas and what belongs to it).
void put(ByteWriter& to, const Execution& execution);
Execution read_execution(ByteReader& from);

}  // namespace mazurka
