#include "program/executor.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <map>
#include <optional>
#include <type_traits>
#include <utility>

#include <fmt/format.h>

#include "core/error.hpp"
#include "core/invariant.hpp"
#include "program/damage.hpp"
#include "program/failures.hpp"
#include "program/library_code.hpp"
#include "program/timed_code.hpp"
#include "program/watchdog.hpp"

namespace mazurka::program {
namespace {

constexpr unsigned kRetries = 30;  // of a job whose worker was killed from outside

void diverge(const Difference& difference, Execution& execution) {
  execution.outcome = Outcome::Diverged;
  execution.failure.kind = FailureKind::Nondeterminism;
  execution.failure.detail = difference;
  execution.pending.clear();
}

}  // namespace

ProgramExecutor::ProgramExecutor(const Configuration& configuration)
    : segment_(std::make_shared<Segment>(configuration.workers + configuration.explorers)) {
  MZ_INVARIANT(configuration.workers > 0, "somebody works");
  Configuration complete = configuration;
  if (configuration.settings.reduce_waits) {
    complete.bounded_spins = bounded_spins(configuration.binary);
    complete.back_offs = back_offs(configuration.binary);
    complete.timed_code = timed_code(configuration.binary);
  }
  complete.suppressed = suppressed_ranges(configuration.binary, configuration.suppressions);
  for (std::uint32_t i = 0; i < configuration.workers; ++i)
    stations_.push_back(std::make_unique<Station>(complete, *segment_, i));
  read_last_ = stations_[0].get();
  waits_ = configuration.waits;
}

ProgramExecutor::ProgramExecutor(const ProgramExecutor& first, std::uint32_t number) : segment_(first.segment_) {
  MZ_INVARIANT(first.configuration().workers == 1 && number > 0 && number <= first.configuration().explorers,
               "there is a channel for each explorer");
  if (first.configuration().registry) {  // which may change the table while nothing is executed: for one executor only
    segment_ = std::make_shared<Segment>(1);
    number = 0;
  }
  stations_.push_back(std::make_unique<Station>(first.configuration(), *segment_, number));
  read_last_ = stations_[0].get();
  waits_ = first.waits_;
  expects_addresses_ = first.expects_addresses_;
  load_base_ = first.load_base_;
  main_frame_ = first.main_frame_;
}

JobHandle ProgramExecutor::submit(const Job& job) {
  Station* const station = idle_station();
  if (free_tasks_.empty()) {
    free_tasks_.push_back(static_cast<std::uint32_t>(tasks_.size()));
    tasks_.emplace_back();
  }
  const std::uint32_t task = free_tasks_.back();
  if (station != nullptr) {
    start(*station, task, job);
  } else {
    tasks_[task].job = job;
    tasks_[task].state = Task::State::Queued;
    queue_.push_back(task);
  }
  free_tasks_.pop_back();
  return {task};
}

void ProgramExecutor::collect(JobHandle handle, Execution& into) {
  Task& task = tasks_[handle.number];
  while (task.state == Task::State::Queued) settle(busy_station());
  free_tasks_.push_back(handle.number);
  if (task.state == Task::State::Done) {
    std::swap(task.execution, into);
  } else {
    Station& station = *task.station;
    finish(station, into);
    start_queued(station);
  }
  if (into.warnings != 0) warnings_.add(into);
}

ProgramExecutor::Station* ProgramExecutor::idle_station() {
  for (const auto& station : stations_)
    if (station->task == kIdle) return station.get();
  for (const auto& station : stations_) {
    if (!station->worker.has_answered()) continue;
    settle(*station);
    if (station->task == kIdle) return station.get();
  }
  return nullptr;
}

/// The station that is likely to become idle first.
ProgramExecutor::Station& ProgramExecutor::busy_station() {
  Station* first = nullptr;
  for (const auto& station : stations_) {
    if (station->task == kIdle) continue;
    if (station->worker.has_answered()) return *station;
    if (first == nullptr || station->since < first->since) first = station.get();
  }
  MZ_INVARIANT(first != nullptr, "a job is queued only while every worker is busy");
  return *first;
}

void ProgramExecutor::start(Station& station, std::uint32_t task, const Job& job) {
  station.exchange.write(job, waits_);
  station.worker.request();
  station.task = task;
  station.since = ++started_;
  tasks_[task].state = Task::State::Running;
  tasks_[task].station = &station;
}

void ProgramExecutor::start_queued(Station& station) {
  if (queue_.empty()) return;
  const std::uint32_t task = queue_.front();
  queue_.pop_front();
  start(station, task, tasks_[task].job);
}

void ProgramExecutor::settle(Station& station) {
  Task& task = tasks_[station.task];
  finish(station, task.execution);
  task.state = Task::State::Done;
  start_queued(station);
}

void ProgramExecutor::finish(Station& station, Execution& into) {
  Worker& worker = station.worker;
  station.task = kIdle;
  Handover handover = worker.wait();
  // A worker killed from outside says nothing about the program: the job is still in the channel, so repeat it.
  for (unsigned attempt = 0; handover == Handover::Died && worker.killed() && attempt < kRetries; ++attempt) {
    worker.request();
    handover = worker.wait();
  }
  while (configuration().registry && !agree_on_processes(station)) {
    worker.request();  // the job is still in the channel
    handover = worker.wait();
  }
  read_last_ = &station;
  try {
    read(station, handover, into);
  } catch (const DamagedSegment& damage) {
    report_damage(station, damage.what, into);
  }
}

void ProgramExecutor::read(Station& station, Handover handover, Execution& into) {
  station.exchange.prefetch();
  const protocol::Channel& channel = latest();
  const bool answered = handover == Handover::Answered;
  const protocol::Phase phase = checked(channel.phase);
  if (answered && (phase == protocol::Phase::Starting || phase == protocol::Phase::Running))
    throw DamagedSegment{"the number of the answer"};
  read_processes();
  read_waits(channel);
  read_intended_races(channel);
  has_long_waits_ = has_long_waits_ || channel.long_waits != 0;
  const std::optional<Difference> difference = station.exchange.read(answered, processes_.size(), into);
  if (answered)
    read_failure(into);
  else
    report_death(station.worker, handover, into);
  if (into.outcome == Outcome::Deadlock) into.failure.kind = FailureKind::Deadlock;
  into.output.assign(channel.output, checked_count(channel.output_length, protocol::kOutputBytes, "the output"));
  read_printed(into);
  into.exit_status = channel.exit_status;
  if (channel.settings.keeps_states) read_deltas(into);
  if (answered && channel.warnings != 0) read_warnings(into);
  // Names need these even if the first execution never ends.
  if (answered || channel.load_base != 0) {
    if (expects_addresses_ && (load_base_ != channel.load_base || main_frame_ != channel.main_frame))
      throw InputError({binary()},
                       configuration().registry
                           ? "lies at other addresses than in rank 0 or in the checkpoint, so nothing there can be "
                             "compared; start all ranks with the same environment variables, on equal machines"
                           : "lies at other addresses than when the checkpoint was written, so nothing there can be "
                             "compared; resume with the same environment variables, on the same machine");
    load_base_ = channel.load_base;
    main_frame_ = channel.main_frame;
  }
  if (difference) diverge(*difference, into);
}

/// Keeps the events that make sense, since they lead to the damage, and resets everything for the next job.
void ProgramExecutor::report_damage(Station& station, const char* what, Execution& into) {
  into.clear();
  station.worker.discard();
  into.events = station.exchange.start_over();
  if (configuration().explorers == 0 || configuration().registry)
    segment_->processes() = {};  // else others may be entering theirs
  std::copy(process_entries_.begin(), process_entries_.end(), segment_->processes().entries);
  into.outcome = Outcome::Unsupported;
  into.failure.kind = FailureKind::DamagedMemory;
  into.failure.detail = GivenWords(
      fmt::format("the program wrote into the memory that mazurka shares with it: {} cannot be what it says there. A "
                  "pointer or an index is wrong",
                  what));
  if (!into.events.empty()) into.failure.process = into.events.back().process;
}

ProgramExecutor::Station& ProgramExecutor::free_station() {
  for (const auto& station : stations_)
    while (station->task != kIdle) settle(*station);
  return *stations_[0];
}

void ProgramExecutor::read_processes() {
  static_assert(std::has_unique_object_representations_v<protocol::ProcessEntry>);
  if (!process_entries_.empty() && std::memcmp(process_entries_.data(), segment_->processes().entries,
                                               process_entries_.size() * sizeof(protocol::ProcessEntry)) != 0)
    throw DamagedSegment{"the table of threads"};
  for (auto i = static_cast<ProcessIndex>(processes_.size()); i < protocol::kMaxProcesses; ++i) {
    const protocol::ProcessEntry process = segment_->processes()[i];
    if (process.number == 0) return;
    const bool has_parent = i == 0 ? process.parent == kNoProcess : process.parent < i;
    if (!has_parent || processes_.intern(process.parent, process.number - 1) != i)
      throw DamagedSegment{"the table of threads"};
    process_entries_.push_back(process);
  }
}

bool ProgramExecutor::agree_on_processes(Station& station) {
  protocol::Processes& table = segment_->processes();
  const auto first = static_cast<std::uint32_t>(process_entries_.size());
  std::vector<protocol::ProcessEntry> met;
  for (std::uint32_t i = first; i < protocol::kMaxProcesses && table[i].number != 0; ++i) {
    met.push_back(table[i]);
    if (i == 0 ? met[0].parent != kNoProcess : met.back().parent >= i) return true;  // read_processes() refuses it
  }
  if (met.empty()) return true;
  const ProcessRegistry::Entries agreed = configuration().registry->agree(first, met);
  const bool same = agreed.size() >= met.size() && std::equal(met.begin(), met.end(), agreed.begin());
  if (!same) station.worker.end();
  std::copy(agreed.begin(), agreed.end(), table.entries + first);
  return same;
}

void ProgramExecutor::read_waits(const protocol::Channel& channel) {
  const std::uint32_t count = checked_count(channel.wait_count, protocol::kMaxWaits, "the waits");
  for (std::uint32_t i = 0; i < count; ++i) {
    const protocol::Wait wait = channel.waits[i];
    if (wait.kind > protocol::WaitKind::Assumed) throw DamagedSegment{"the waits"};
    if (std::find(waits_.begin(), waits_.end(), wait) == waits_.end()) waits_.push_back(wait);
  }
}

std::vector<ProgramExecutor::Goal> ProgramExecutor::goals() const {
  std::map<std::string, protocol::Goal> all;
  for (const auto& station : stations_) {
    const protocol::Channel& channel = station->worker.channel();
    for (std::uint32_t i = 0; i < std::min(channel.goal_count, protocol::kMaxGoals); ++i) {
      const protocol::Goal& goal = channel.goals[i];
      protocol::Goal& known = all[std::string(goal.name, strnlen(goal.name, protocol::kGoalBytes))];
      known.declared |= goal.declared;
      known.reached |= goal.reached;
    }
  }
  for (const Goal& goal : goals_before_) {
    all[goal.name].declared |= 1;
    all[goal.name].reached |= goal.reached ? 1 : 0;
  }
  std::vector<Goal> result;
  for (const auto& [name, goal] : all)
    if (goal.declared != 0) result.push_back({name, goal.reached != 0});
  return result;
}

void ProgramExecutor::read_intended_races(const protocol::Channel& channel) {
  const std::uint32_t count =
      checked_count(channel.intended_race_count, protocol::kMaxIntendedRaces, "the intended races");
  const auto is_same = [](const protocol::IntendedRace& a, const protocol::IntendedRace& b) {
    return a.before == b.before && a.now == b.now && a.rule == b.rule;
  };
  for (std::uint32_t i = 0; i < count; ++i) {
    const protocol::IntendedRace race = channel.intended_races[i];
    checked(race.before_use);
    checked(race.now_use);
    const bool is_known =
        race.rule >= protocol::IntendedRace::kByCaller || race.rule < configuration().suppressions.size();
    if (!is_known) throw DamagedSegment{"the intended races"};
    if (std::none_of(intended_races_.begin(), intended_races_.end(),
                     [&](const protocol::IntendedRace& known) { return is_same(known, race); }))
      intended_races_.push_back(race);
  }
}

ProcessIndex ProgramExecutor::announce(std::string_view path) {
  if (started_ != 0) {
    for (ProcessIndex process = 0; process < processes_.size(); ++process)
      if (processes_.path(process) == path) return process;
    return kNoProcess;
  }
  ProcessIndex process = kNoProcess;
  while (!path.empty()) {
    std::uint32_t number = 0;
    const auto [end, error] = std::from_chars(path.data(), path.data() + path.size(), number);
    path.remove_prefix(static_cast<std::size_t>(end - path.data()));
    const bool is_root = process == kNoProcess;
    if (error != std::errc{} || number >= protocol::kMaxProcesses || is_root != (number == 0)) return kNoProcess;
    if (!path.empty() && (path[0] != '.' || path.size() == 1)) return kNoProcess;
    path.remove_prefix(path.empty() ? 0 : 1);
    // A process must be added after its elder siblings.
    const ProcessIndex parent = process;
    for (std::uint32_t sibling = 1; sibling <= std::max(number, 1U); ++sibling) {
      process = segment_->processes().enter({parent, sibling});
      if (process == protocol::kMaxProcesses) throw UnsupportedError("a schedule with more than 4095 threads");
    }
  }
  read_processes();
  return process;
}

void ProgramExecutor::read_failure(Execution& execution) const {
  const protocol::Channel& channel = latest();
  Failure& failure = execution.failure;
  failure.kind = checked(channel.error_kind);
  const bool says_why = execution.outcome == Outcome::Error || execution.outcome == Outcome::Diverged ||
                        execution.outcome == Outcome::Unsupported;
  if (says_why) failure.detail = failure_detail(channel, processes_.size());
  if ((execution.outcome == Outcome::Error) != (failure.kind != FailureKind::None) &&
      execution.outcome != Outcome::Unsupported)
    throw DamagedSegment{"the outcome"};
  if (!failure) return;
  failure.site = channel.error_site;
  if (failure.kind == FailureKind::Signal || failure.kind == FailureKind::Abort) {
    failure.stack = call_stack(channel.crash);
    failure.inside.assign(channel.crash_library, strnlen(channel.crash_library, sizeof channel.crash_library));
  }
  if (channel.running < processes_.size()) failure.process = channel.running;
}

void ProgramExecutor::read_printed(Execution& execution) const {
  const protocol::Channel& channel = latest();
  std::size_t begin = 0;
  for (std::uint32_t i = 0; i < std::min(channel.output_part_count, protocol::kMaxOutputParts); ++i) {
    const protocol::OutputPart& part = channel.output_parts[i];
    const std::size_t end = std::clamp<std::size_t>(part.end, begin, execution.output.size());
    if (part.process < processes_.size()) execution.printed.push_back({part.after, part.process, begin, end});
    begin = end;
  }
}

void ProgramExecutor::read_deltas(Execution& execution) const {
  const protocol::Channel& channel = latest();
  const std::uint32_t begin = channel.states_from;
  const std::size_t end = std::min<std::size_t>(channel.delta_end, execution.events.size());
  if (begin >= end) return;
  execution.first_delta = begin;
  execution.deltas.assign(channel.deltas + begin, channel.deltas + end);
  execution.shared_deltas.assign(channel.shared_deltas + begin, channel.shared_deltas + end);
  if (!channel.settings.keeps_bytes) return;
  execution.difference_ends.assign(channel.difference_ends + begin, channel.difference_ends + end);
  std::uint32_t last = 0;
  for (const std::uint32_t each : execution.difference_ends) {
    if (each < last || each > protocol::kMaxDifferences) throw DamagedSegment{"what steps changed"};
    last = each;
  }
  execution.differences.assign(channel.differences, channel.differences + last);
}

void ProgramExecutor::read_warnings(Execution& execution) {
  const protocol::Channel& channel = latest();
  execution.warnings = channel.warnings;
  if ((execution.warnings & ~kAllWarnings) != 0) throw DamagedSegment{"the warnings"};
  if ((channel.warnings & kWarnNotJoined) != 0 && channel.unjoined < processes_.size()) {
    execution.unjoined = channel.unjoined;
    execution.unjoined_count = channel.unjoined_count;
  }
  if ((channel.warnings & kWarnMainReturned) != 0 && channel.left_running < processes_.size())
    execution.left_running = channel.left_running;
  if ((channel.warnings & kWarnLeak) != 0) execution.leak = leaked_blocks(channel, processes_.size());
  // After a closure has returned, threads that are still running cannot be undone.
  std::uint32_t failing = configuration().strict ? kAllWarnings : 0;
  if (configuration().zygote != nullptr) failing |= kWarnNotJoined | kWarnMainReturned;
  if ((execution.warnings & failing) != 0 && execution.outcome == Outcome::Finished) make_failure(execution, failing);
}

/// Turns a warning into the failure of the execution.
void ProgramExecutor::make_failure(Execution& execution, std::uint32_t failing) {
  execution.outcome = Outcome::Error;
  if ((execution.warnings & failing & kWarnLeak) != 0) {
    execution.failure.kind = FailureKind::Leak;
    execution.failure.detail = execution.leak;
  } else {
    execution.failure.kind =
        (execution.warnings & kWarnNotJoined) != 0 ? FailureKind::NotJoined : FailureKind::MainReturned;
  }
}

Execution ProgramExecutor::run_for_report(const Job& job, std::span<const protocol::CodeRange> skipped) {
  Station& station = free_station();
  protocol::Channel& channel = station.worker.channel();
  station.exchange.forget();  // sites will differ
  channel.reporting = 1;
  channel.skipped_range_count = static_cast<std::uint32_t>(skipped.size());
  std::copy(skipped.begin(), skipped.end(), channel.skipped_ranges);
  Execution execution = run(job);
  channel.reporting = 0;
  channel.skipped_range_count = 0;
  station.exchange.forget();
  execution.heap.assign(channel.blocks, channel.blocks + std::min(channel.block_count, protocol::kMaxBlocks));
  std::ranges::sort(execution.heap, {}, &HeapBlock::address);
  return execution;
}

void ProgramExecutor::report_death(const Worker& worker, Handover handover, Execution& execution) const {
  const protocol::Channel& channel = worker.channel();
  if (!configuration().debugger.empty()) {  // the user quit it before the program ended
    execution.outcome = Outcome::Stopped;
    return;
  }
  if (handover == Handover::Interrupted) {
    execution.pending.clear();
    execution.outcome = Outcome::Limit;
    execution.stopped_by = kStoppedByInterrupt;
    return;
  }
  if (!worker.has_served() && is_starting(channel)) {
    std::string why = checked_message(channel);
    if (why.empty()) why = handover == Handover::Died ? to_string(worker.death()) : worker.stuck_in();
    throw InputError(fmt::format("{}: the program does not start under mazurka ({}); was it built with mazurka cc?",
                                 binary(), why.empty() ? "no answer" : why));
  }
  execution.pending.clear();
  // A stuck worker that is idle never saw the request: its number was overwritten.
  if (handover == Handover::Stuck && channel.phase == protocol::Phase::Idle)
    throw DamagedSegment{"the number of the request"};
  execution.outcome = Outcome::Error;
  Failure& failure = execution.failure;
  if (processes_.size() > channel.running) failure.process = channel.running;
  failure.nearby = worker.places_stuck_at();
  if (const FailureKind why = checked(channel.error_kind);
      handover == Handover::Died && !worker.death().by_signal && is_about_runtime(why)) {
    // Not the program's fault: no memory, or too many threads for this machine.
    execution.outcome = Outcome::Unsupported;
    failure.kind = why;
    failure.detail = GivenWords(checked_message(channel));
  } else if (handover == Handover::Died) {
    failure.kind = worker.killed() ? FailureKind::Killed : FailureKind::Signal;
    failure.detail = worker.death();
  } else if (!worker.stuck_in().empty()) {
    execution.outcome = Outcome::Unsupported;
    failure.kind = FailureKind::Unsupported;
    failure.detail = StuckInSystemCall{worker.stuck_in()};
  } else if (worker.stuck_in_plain_loop() && channel.held_back != 0) {
    // It may be waiting for a thread that this job holds back: all we know is that it takes too long.
    execution.outcome = Outcome::Limit;
  } else {
    failure.kind = FailureKind::EndlessLoop;
    failure.detail =
        WithoutProgress{static_cast<std::uint64_t>(configuration().watchdog.count()), worker.stuck_in_plain_loop()};
  }
}

}  // namespace mazurka::program
