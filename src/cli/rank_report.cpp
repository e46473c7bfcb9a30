#include "cli/rank_report.hpp"

#include "core/execution_bytes.hpp"

namespace mazurka::cli {

void put(ByteWriter& to, const protocol::ProcessEntry& process) {
  to.number(process.parent);
  to.number(process.number);
}

protocol::ProcessEntry read_process(ByteReader& from) {
  protocol::ProcessEntry process{};
  from.number(process.parent);
  from.number(process.number);
  return process;
}

void put(ByteWriter& to, const program::ProgramExecutor::Knowledge& knowledge) {
  to.list(knowledge.processes, [&](const protocol::ProcessEntry& process) { put(to, process); });
  to.list(knowledge.waits, [&](const protocol::Wait& wait) {
    to.number(wait.site);
    to.choice(wait.kind);
  });
  to.list(knowledge.intended_races, [&](const protocol::IntendedRace& race) {
    for (const std::uint64_t number : {race.address, race.before, race.now}) to.number(number);
    to.choice(race.before_use);
    to.choice(race.now_use);
    to.number(race.rule);
  });
  to.list(knowledge.goals, [&](const program::ProgramExecutor::Goal& goal) {
    to.text(goal.name);
    to.flag(goal.reached);
  });
  to.flag(knowledge.has_long_waits);
  to.number(knowledge.load_base);
  to.number(knowledge.main_frame);
}

program::ProgramExecutor::Knowledge read_knowledge(ByteReader& from) {
  program::ProgramExecutor::Knowledge knowledge;
  knowledge.processes = from.list<protocol::ProcessEntry>([&] { return read_process(from); });
  knowledge.waits = from.list<protocol::Wait>([&] {
    protocol::Wait wait{};
    from.number(wait.site);
    wait.kind = from.choice(protocol::WaitKind::Assumed);
    return wait;
  });
  knowledge.intended_races = from.list<protocol::IntendedRace>([&] {
    protocol::IntendedRace race{};
    for (std::uint64_t* number : {&race.address, &race.before, &race.now}) from.number(*number);
    race.before_use = from.choice(Use::Free);
    race.now_use = from.choice(Use::Free);
    from.number(race.rule);
    return race;
  });
  knowledge.goals = from.list<program::ProgramExecutor::Goal>([&] {
    program::ProgramExecutor::Goal goal;
    goal.name = from.text();
    goal.reached = from.flag();
    return goal;
  });
  knowledge.has_long_waits = from.flag();
  from.number(knowledge.load_base);
  from.number(knowledge.main_frame);
  return knowledge;
}

void put(ByteWriter& to, const RankReport& report) {
  put(to, report.knowledge);
  to.list(report.warnings.all(), [&](const CountedWarning& counted) {
    to.number(counted.warning);
    to.number(counted.executions);
    to.number(counted.most_before);
    put(to, counted.first);
  });
}

RankReport read_report(ByteReader& from) {
  RankReport report;
  report.knowledge = read_knowledge(from);
  report.warnings.all() = from.list<CountedWarning>([&] {
    CountedWarning counted;
    from.number(counted.warning);
    from.number(counted.executions);
    from.number(counted.most_before);
    counted.first = read_execution(from);
    return counted;
  });
  return report;
}

}  // namespace mazurka::cli
