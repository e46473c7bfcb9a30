#include "dpor/value_bytes.hpp"

#include "core/execution_bytes.hpp"

namespace mazurka::dpor {
namespace {

void put_steps(ByteWriter& to, const std::vector<LabelledStep>& steps) {
  to.list(steps, [&](const LabelledStep& step) { put(to, step); });
}

std::vector<LabelledStep> read_steps(ByteReader& from) {
  return from.list<LabelledStep>([&] { return read_sleeper(from); });
}

}  // namespace

void put(ByteWriter& to, const SearchPath::Prefix& prefix) {
  to.list(prefix, [&](const SearchPath::Taken& taken) {
    put(to, taken.step);
    put_steps(to, taken.done);
  });
}

SearchPath::Prefix read_prefix(ByteReader& from) {
  return from.list<SearchPath::Taken>([&] {
    SearchPath::Taken taken;
    taken.step = read_sleeper(from);
    taken.done = read_steps(from);
    return taken;
  });
}

void put(ByteWriter& to, const Reversal& v) {
  to.number(std::uint64_t{v.at});
  put_steps(to, v.sequence);
}

Reversal read_reversal(ByteReader& from) {
  Reversal v;
  v.at = from.number<std::uint64_t>();
  v.sequence = read_steps(from);
  return v;
}

void put(ByteWriter& to, const HandedOver& all) {
  to.list(all.levels, [&](const HandedOver::Level& level) {
    to.number(level.asleep);
    put_steps(to, level.done);
    to.list(level.planned, [&](const SequenceStep& planned) {
      to.number(planned.depth);
      put(to, planned.step);
    });
    put(to, level.next);
    to.flag(level.executed);
  });
}

HandedOver read_handed_over(ByteReader& from) {
  HandedOver all;
  all.levels = from.list<HandedOver::Level>([&] {
    HandedOver::Level level;
    from.number(level.asleep);
    level.done = read_steps(from);
    std::uint32_t most = 0;  // a step follows one that is in the list
    level.planned = from.list<SequenceStep>([&] {
      SequenceStep planned;
      from.number(planned.depth);
      if (planned.depth > most) throw DamagedMessage();
      most = planned.depth + 1;
      planned.step = read_sleeper(from);
      return planned;
    });
    level.next = read_sleeper(from);
    level.executed = from.flag();
    return level;
  });
  return all;
}

void put(ByteWriter& to, const Awaited& awaited) {
  to.list(awaited.all(), [&](const Operation& operation) { put(to, operation); });
}

Awaited read_awaited(ByteReader& from) {
  return Awaited(from.list<Operation>([&] { return read_operation(from); }));
}

void put(ByteWriter& to, const Counted& counted) {
  put(to, counted.statistics);
  to.number(counted.skipped);
}

Counted read_counted(ByteReader& from) {
  Counted counted;
  counted.statistics = read_statistics(from);
  from.number(counted.skipped);
  return counted;
}

void put(ByteWriter& to, const Options& options) {
  to.choice(options.algorithm);
  to.choice(options.initial);
  to.number(options.max_executions);
  to.number(options.max_steps);
  to.number(options.bound.steps);
  to.number(options.bound.threads);
  to.number(options.max_context_switches);
  to.flag(options.always_hands_over);
}

Options read_options(ByteReader& from) {
  Options options;
  options.algorithm = from.choice(Algorithm::Observers);
  options.initial = from.choice(Initial::First);
  from.number(options.max_executions);
  from.number(options.max_steps);
  from.number(options.bound.steps);
  from.number(options.bound.threads);
  from.number(options.max_context_switches);
  options.always_hands_over = from.flag();
  return options;
}

void put(ByteWriter& to, const Result& result) {
  put(to, result.statistics);
  for (const std::uint64_t number : {result.races, result.probes, result.planned, result.skipped}) to.number(number);
  const Seconds& seconds = result.seconds;
  for (const double time : {seconds.executor, seconds.races, seconds.probes, seconds.insertion}) to.number(time);
}

Result read_result(ByteReader& from) {
  Result result;
  result.statistics = read_statistics(from);
  for (std::uint64_t* number : {&result.races, &result.probes, &result.planned, &result.skipped}) from.number(*number);
  Seconds& seconds = result.seconds;
  for (double* time : {&seconds.executor, &seconds.races, &seconds.probes, &seconds.insertion}) from.number(*time);
  return result;
}

}  // namespace mazurka::dpor
