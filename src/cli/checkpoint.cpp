#include "cli/checkpoint.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/output_file.hpp"
#include "core/error.hpp"
#include "core/interrupt.hpp"
#include "report/schedule_file.hpp"

namespace mazurka::cli {
namespace {

using dpor::LabelledStep;
using Json = nlohmann::json;

constexpr std::string_view kMagic = "mazurka checkpoint 1 ";  // with the version of the format

Json json(const Operation& o) { return {static_cast<unsigned>(o.kind), o.flags, o.size, o.detail, o.object, o.second}; }

Operation operation(const Json& from) {
  Operation o;
  const auto kind = from.at(0).get<unsigned>();
  if (kind >= static_cast<unsigned>(OperationKind::Count)) throw InputError("no such operation");
  o.kind = static_cast<OperationKind>(kind);
  o.flags = from.at(1).get<decltype(o.flags)>();
  o.size = from.at(2).get<decltype(o.size)>();
  o.detail = from.at(3).get<decltype(o.detail)>();
  o.object = from.at(4).get<std::uint64_t>();
  o.second = from.at(5).get<std::uint64_t>();
  return o;
}

Json json(const LabelledStep& s) { return {s.step.process, s.step.alternative, json(s.operation)}; }
LabelledStep labelled_step(const Json& from) {
  return {{from.at(0).get<ProcessIndex>(), from.at(1).get<std::uint32_t>()}, operation(from.at(2))};
}

Json json(const std::vector<Step>& steps) {
  Json all = Json::array();
  for (const Step& step : steps) all.push_back({step.process, step.alternative});
  return all;
}
std::vector<Step> steps(const Json& from) {
  std::vector<Step> all;
  for (const Json& one : from) all.push_back({one.at(0).get<ProcessIndex>(), one.at(1).get<std::uint32_t>()});
  return all;
}

template <typename T, typename Write>
Json list(const std::vector<T>& values, const Write& write) {
  Json all = Json::array();
  for (const T& value : values) all.push_back(write(value));
  return all;
}

/// The counters, in one order for both directions.
template <typename S, typename Visit>
void counters(S& s, const Visit& visit) {
  for (auto* counter : {&s.executions, &s.blocked, &s.cut, &s.by_cutoff, &s.cutoffs, &s.limited, &s.stopped_by_length,
                        &s.stopped_by_steps, &s.stopped_by_threads, &s.stopped_by_table, &s.stopped_by_loop, &s.errors,
                        &s.events, &s.max_depth})
    visit(*counter);
}

Json json(const Statistics& statistics) {
  Json all = Json::array();
  counters(statistics, [&](std::uint64_t counter) { all.push_back(counter); });
  return all;
}

Json json(const dpor::SearchState& s) {
  Json all;
  all["begun"] = list(s.begun, [](const dpor::SearchState::Begun& b) {
    return Json{b.parent, (b.done ? 1 : 0) + (b.rests ? 2 : 0) + (b.ready ? 4 : 0) + (b.seen ? 8 : 0), json(b.step)};
  });
  all["planned"] = list(s.planned, [](const dpor::SearchState::PlannedStep& p) {
    return Json{p.node, p.depth, json(p.step)};
  });
  all["new"] = s.is_new;
  all["statistics"] = json(s.statistics);
  all["skipped"] = s.skipped;
  all["awaited"] = list(s.awaited, [](const Operation& o) { return json(o); });
  return all;
}

dpor::SearchState search(const Json& from) {
  dpor::SearchState s;
  for (const Json& one : from.at("begun")) {
    const auto flags = one.at(1).get<unsigned>();
    s.begun.push_back({one.at(0).get<std::uint32_t>(), labelled_step(one.at(2)), (flags & 1) != 0, (flags & 2) != 0,
                       (flags & 4) != 0, (flags & 8) != 0});
  }
  for (const Json& one : from.at("planned"))
    s.planned.push_back({one.at(0).get<std::uint32_t>(), one.at(1).get<std::uint32_t>(), labelled_step(one.at(2))});
  s.is_new = from.at("new").get<bool>();
  std::size_t i = 0;
  counters(s.statistics, [&](std::uint64_t& counter) { counter = from.at("statistics").at(i++).get<std::uint64_t>(); });
  s.skipped = from.at("skipped").get<std::uint64_t>();
  for (const Json& one : from.at("awaited")) s.awaited.push_back(operation(one));
  return s;
}

Json json(const Bound& bound) { return {bound.steps, bound.threads}; }
Bound bound(const Json& from) { return {from.at(0).get<std::uint32_t>(), from.at(1).get<std::uint32_t>()}; }

Json json(const Deepening::State& s) {
  return {json(s.depth.bound), s.depth.deepened, json(s.depth.explored), s.depth.explorations, s.depth.runs,
          s.depth.errors,      s.is_first,       s.stopped_otherwise};
}
Deepening::State series(const Json& from) {
  Deepening::State s;
  s.depth = {bound(from.at(0)),
             from.at(1).get<bool>(),
             bound(from.at(2)),
             from.at(3).get<std::uint64_t>(),
             from.at(4).get<std::uint64_t>(),
             from.at(5).get<std::uint64_t>()};
  s.is_first = from.at(6).get<bool>();
  s.stopped_otherwise = from.at(7).get<bool>();
  return s;
}

Json json(const program::ProgramExecutor::Knowledge& k) {
  Json all;
  all["processes"] = list(k.processes, [](const protocol::ProcessEntry& p) { return Json{p.parent, p.number}; });
  all["waits"] = list(k.waits, [](const protocol::Wait& w) {
    return Json{w.site, static_cast<std::uint32_t>(w.kind)};
  });
  all["intended_races"] = list(k.intended_races, [](const protocol::IntendedRace& r) {
    return Json{r.address, r.before, r.now, static_cast<unsigned>(r.before_use), static_cast<unsigned>(r.now_use),
                r.rule};
  });
  all["goals"] = list(k.goals, [](const program::ProgramExecutor::Goal& g) { return Json{g.name, g.reached}; });
  all["long_waits"] = k.has_long_waits;
  all["addresses"] = {k.load_base, k.main_frame};
  return all;
}

program::ProgramExecutor::Knowledge knowledge(const Json& from) {
  program::ProgramExecutor::Knowledge k;
  for (const Json& p : from.at("processes"))
    k.processes.push_back({p.at(0).get<std::uint32_t>(), p.at(1).get<std::uint32_t>()});
  for (const Json& w : from.at("waits"))
    k.waits.push_back({w.at(0).get<std::uint64_t>(), static_cast<protocol::WaitKind>(w.at(1).get<std::uint32_t>())});
  for (const Json& r : from.at("intended_races"))
    k.intended_races.push_back({r.at(0).get<std::uint64_t>(), r.at(1).get<std::uint64_t>(),
                                r.at(2).get<std::uint64_t>(), static_cast<Use>(r.at(3).get<unsigned>()),
                                static_cast<Use>(r.at(4).get<unsigned>()), r.at(5).get<std::uint32_t>()});
  for (const Json& g : from.at("goals")) k.goals.push_back({g.at(0).get<std::string>(), g.at(1).get<bool>()});
  k.has_long_waits = from.at("long_waits").get<bool>();
  k.load_base = from.at("addresses").at(0).get<std::uint64_t>();
  k.main_frame = from.at("addresses").at(1).get<std::uint64_t>();
  return k;
}

Checkpoint checkpoint(const Json& from) {
  Checkpoint c;
  c.hash = from.at("hash").get<std::string>();
  c.options = from.at("options").get<std::vector<std::string>>();
  if (from.contains("program")) c.program = knowledge(from.at("program"));
  for (const Json& one : from.at("footprints")) {
    FootprintValue value;
    for (const Json& o : one.at(0)) value.operations.push_back(operation(o));
    value.choices = one.at(1).get<std::uint32_t>();
    c.footprints.push_back(std::move(value));
  }
  c.deepening = series(from.at("series"));
  c.search = search(from.at("search"));
  for (const Json& one : from.at("found")) c.found.push_back(steps(one));
  for (const Json& one : from.at("warnings"))
    c.warnings.push_back({one.at(0).get<std::uint32_t>(), one.at(1).get<std::uint64_t>(),
                          one.at(2).get<std::uint64_t>(), steps(one.at(3))});
  return c;
}

std::vector<Step> schedule_of(const Execution& execution) {
  std::vector<Step> steps;
  for (const Event& event : execution.events) steps.push_back(event.step());
  return steps;
}

Execution run_again(Executor& executor, const std::vector<Step>& steps) {
  Job job;
  job.prefix = steps;
  return executor.run(job);
}

}  // namespace

std::string to_text(const Checkpoint& c) {
  Json all;
  all["hash"] = c.hash;
  all["options"] = c.options;
  if (c.program) all["program"] = json(*c.program);
  all["footprints"] = list(c.footprints, [](const FootprintValue& f) {
    return Json{list(f.operations, [](const Operation& o) { return json(o); }), f.choices};
  });
  all["series"] = json(c.deepening);
  all["search"] = json(c.search);
  all["found"] = list(c.found, [](const std::vector<Step>& s) { return json(s); });
  all["warnings"] = list(c.warnings, [](const Checkpoint::Warning& w) {
    return Json{w.warning, w.executions, w.most_before, json(w.first)};
  });
  const std::string body = all.dump() + "\n";
  return fmt::format("{}{}\n{}", kMagic, report::content_hash(body), body);
}

Checkpoint parse_checkpoint(const std::string& text, const std::string& file) {
  const std::size_t end = text.find('\n');
  if (!text.starts_with("mazurka checkpoint ") || end == std::string::npos)
    throw InputError({file}, "is not a checkpoint of mazurka check");
  if (!text.starts_with(kMagic)) throw InputError({file}, "is a checkpoint of another version of mazurka");
  const std::string body = text.substr(end + 1);
  if (text.substr(kMagic.size(), end - kMagic.size()) != report::content_hash(body))
    throw InputError({file}, "is damaged: its contents do not match its hash");
  try {
    return checkpoint(Json::parse(body));
  } catch (const std::exception& error) {
    throw InputError({file}, fmt::format("is damaged: {}", error.what()));
  }
}

void expect_same(const Checkpoint& checkpoint, const std::string& hash, const std::vector<std::string>& options,
                 const std::string& file) {
  if (checkpoint.hash != hash)
    throw InputError({file}, "is a checkpoint of another system, or the system has changed since");
  const auto first_without = [](const std::vector<std::string>& of, const std::vector<std::string>& others) {
    const auto missing = std::ranges::find_if(
        of, [&](const std::string& line) { return std::ranges::find(others, line) == others.end(); });
    return missing == of.end() ? std::string() : *missing;
  };
  const std::string before = first_without(checkpoint.options, options);
  const std::string now = first_without(options, checkpoint.options);
  if (before.empty() && now.empty()) return;
  throw InputError(
      {file}, fmt::format("was saved with other options: {} then, {} now", before.empty() ? "no such option" : before,
                          now.empty() ? "no such option" : now));
}

Checkpoint describe(System& system, const std::vector<Execution>& found) {
  Checkpoint checkpoint;
  checkpoint.hash = system.hash();
  checkpoint.program = system.knowledge();
  checkpoint.footprints = known_footprints();
  for (const Execution& execution : found) checkpoint.found.push_back(schedule_of(execution));
  const WarningCounts warnings = system.warnings();
  for (const CountedWarning& counted : warnings.all())
    checkpoint.warnings.push_back(
        {counted.warning, counted.executions, counted.most_before, schedule_of(counted.first)});
  return checkpoint;
}

std::vector<Execution> restore(const Checkpoint& checkpoint, System& system) {
  for (std::size_t i = 0; i < checkpoint.footprints.size(); ++i)
    if (intern_footprint(checkpoint.footprints[i].operations, checkpoint.footprints[i].choices) != i + 1)
      throw InputError("the checkpoint is damaged: two of its atomic sections are equal");
  if (checkpoint.program) system.restore(*checkpoint.program);
  std::vector<Execution> found;
  for (const std::vector<Step>& steps : checkpoint.found) {
    found.push_back(run_again(system.executor(), steps));
    if (!found.back().failure)
      throw InputError("a bug in the checkpoint cannot be reproduced: the system has changed since");
  }
  WarningCounts warnings;
  for (const Checkpoint::Warning& known : checkpoint.warnings)
    warnings.all().push_back(
        {known.warning, known.executions, known.most_before, run_again(system.executor(), known.first)});
  system.restore_warnings(warnings);
  return found;
}

bool CheckpointWriter::is_due() { return end_wanted() || Clock::now() - last_ >= between_; }

void CheckpointWriter::keep(const dpor::SearchState& state) {
  try {
    Checkpoint checkpoint = describe_();
    checkpoint.deepening = series_->state();
    checkpoint.search = state;
    write_output(file_, to_text(checkpoint));
    has_written_ = true;
    failure_.clear();
  } catch (const InputError& error) {
    failure_ = error.what();
  }
  last_ = Clock::now();
  if (end_wanted()) interrupt();
}

}  // namespace mazurka::cli
