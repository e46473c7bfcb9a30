// What ranks tell each other of a system, besides the search, as bytes.
#pragma once

#include "core/bytes.hpp"
#include "core/warnings.hpp"
#include "program/executor.hpp"

namespace mazurka::cli {

/// What the executions of one rank have shown of a program.
struct RankReport {
  program::ProgramExecutor::Knowledge knowledge;
  WarningCounts warnings;
};

void put(ByteWriter& to, const protocol::ProcessEntry& process);
protocol::ProcessEntry read_process(ByteReader& from);

void put(ByteWriter& to, const program::ProgramExecutor::Knowledge& knowledge);
program::ProgramExecutor::Knowledge read_knowledge(ByteReader& from);

void put(ByteWriter& to, const RankReport& report);
RankReport read_report(ByteReader& from);

}  // namespace mazurka::cli
