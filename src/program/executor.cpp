#include "program/executor.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <map>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "core/error.hpp"
#include "core/invariant.hpp"
#include "program/bounded_spins.hpp"
#include "program/damage.hpp"
#include "program/failures.hpp"
#include "program/timed_code.hpp"

namespace mazurka::program {
namespace {

constexpr unsigned kRetries = 30;  // of a job whose worker was ended from outside

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
    complete.timed_code = timed_code(configuration.binary);
  }
  complete.suppressed = suppressed_ranges(configuration.binary, configuration.suppressions);
  for (std::uint32_t i = 0; i < configuration.workers; ++i)
    stations_.push_back(std::make_unique<Station>(complete, *segment_, i));
  read_last_ = stations_[0].get();
  waits_ = configuration.waits;
}

ProgramExecutor::ProgramExecutor(const ProgramExecutor& first, std::uint32_t number) : segment_(first.segment_) {
  MZ_INVARIANT(first.configuration().workers == 1 && number <= first.configuration().explorers, "there is a channel");
  stations_.push_back(std::make_unique<Station>(first.configuration(), *segment_, number));
  read_last_ = stations_[0].get();
  waits_ = first.waits_;
}

void ProgramExecutor::learn_from(const Executor& other) {
  const auto& program = dynamic_cast<const ProgramExecutor&>(other);
  for (const protocol::Wait& wait : program.waits_)
    if (std::find(waits_.begin(), waits_.end(), wait) == waits_.end()) waits_.push_back(wait);
  // Of several for one site the last counts, so all executors have them in one order.
  std::ranges::sort(waits_, [](const protocol::Wait& a, const protocol::Wait& b) {
    return std::pair(a.site, a.kind) < std::pair(b.site, b.kind);
  });
  refresh();
}

void ProgramExecutor::refresh() {
  read_processes();
  for (std::uint32_t i = 0; i < configuration().workers + configuration().explorers && load_base_ == 0; ++i) {
    load_base_ = segment_->channel(i).load_base;
    main_frame_ = segment_->channel(i).main_frame;
  }
}

JobHandle ProgramExecutor::submit(const Job& job) {
  if (free_tasks_.empty()) {
    free_tasks_.push_back(static_cast<std::uint32_t>(tasks_.size()));
    tasks_.emplace_back();
  }
  const std::uint32_t task = free_tasks_.back();
  free_tasks_.pop_back();
  tasks_[task].job = job;
  tasks_[task].state = Task::State::Queued;
  tasks_[task].abandoned = false;
  queue_.push_back(task);
  if (stations_.size() > 1)
    if (Station* const station = idle_station(); station != nullptr) start(*station);
  return {task};
}

void ProgramExecutor::collect(JobHandle handle, Execution& into) {
  const auto is_done = [&] { return tasks_[handle.number].state == Task::State::Done; };
  while (!is_done()) {
    for (const auto& station : stations_)
      if (station->is_idle()) start(*station);
    settle(busy_station());
  }
  free_tasks_.push_back(handle.number);
  std::swap(tasks_[handle.number].execution, into);
}

void ProgramExecutor::abandon(JobHandle handle) {
  Task& task = tasks_[handle.number];
  task.abandoned = true;
  if (task.state == Task::State::Running) return;
  std::erase(queue_, handle.number);
  free_tasks_.push_back(handle.number);
}

ProgramExecutor::Station* ProgramExecutor::idle_station() {
  for (const auto& station : stations_)
    if (station->is_idle()) return station.get();
  for (const auto& station : stations_) {
    if (!station->worker.has_answered()) continue;
    settle(*station);
    if (station->is_idle()) return station.get();
  }
  return nullptr;
}

/// The one that is likely to be idle first.
ProgramExecutor::Station& ProgramExecutor::busy_station() {
  Station* first = nullptr;
  for (const auto& station : stations_) {
    if (station->is_idle()) continue;
    if (station->worker.has_answered()) return *station;
    if (first == nullptr || station->since < first->since) first = station.get();
  }
  MZ_INVARIANT(first != nullptr, "a job that is not done is queued or running");
  return *first;
}

void ProgramExecutor::start(Station& station) {
  if (queue_.empty()) return;
  const auto take = [&] {
    tasks_[queue_.front()].state = Task::State::Running;
    station.tasks.push_back(queue_.front());
    queue_.pop_front();
  };
  const protocol::Settings& settings = configuration().settings;
  const bool serves_many = stations_.size() == 1 && settings.isolation == protocol::Isolation::Memory &&
                           !settings.once && !settings.measure && station.worker.channel().reporting == 0;
  take();
  try {
    bool last = tasks_[station.tasks[0]].job.deltas;  // of them the channel alone can tell
    station.exchange.write(tasks_[station.tasks[0]].job, waits_);
    while (serves_many && !last && station.exchange.can_queue() && !queue_.empty() &&
           station.exchange.queue(tasks_[queue_.front()].job)) {
      last = tasks_[queue_.front()].job.deltas;
      take();
    }
    station.since = ++started_;
    station.worker.request();
  } catch (...) {
    station.tasks.clear();
    throw;
  }
}

void ProgramExecutor::settle(Station& station) {
  wait_and_read(station);
  for (auto task = station.tasks.rbegin(); task != station.tasks.rend(); ++task) {
    tasks_[*task].state = Task::State::Queued;
    if (tasks_[*task].abandoned)
      free_tasks_.push_back(*task);
    else
      queue_.push_front(*task);
  }
  station.tasks.clear();
  if (stations_.size() > 1) start(station);
}

void ProgramExecutor::note_done(std::uint32_t task) {
  tasks_[task].state = Task::State::Done;
  if (tasks_[task].abandoned) free_tasks_.push_back(task);
}

void ProgramExecutor::wait_and_read(Station& station) {
  Worker& worker = station.worker;
  Handover handover = worker.wait();
  read_last_ = &station;
  try {
    if (read_records(station) > 0 && !station.exchange.is_complete()) return;
    // A worker that was ended from outside says nothing about the program: do the job again.
    for (unsigned attempt = 0; handover == Handover::Died && worker.killed() && attempt < kRetries; ++attempt) {
      station.exchange.write(tasks_[station.tasks.front()].job, waits_);
      worker.request();
      handover = worker.wait();
    }
    read(station, handover, tasks_[station.tasks.front()].execution);
  } catch (const DamagedSegment& damage) {
    report_damage(station, damage.what, tasks_[station.tasks.front()].execution);
  }
  note_done(station.tasks.front());
  station.tasks.erase(station.tasks.begin());
}

std::size_t ProgramExecutor::read_records(Station& station) {
  const std::uint32_t count = station.exchange.record_count();
  if (count == 0) return 0;
  read_processes();
  std::size_t done = 0;
  while (done < count) {
    const Answer answer = station.exchange.next_record();
    const std::uint32_t task = station.tasks.front();
    Execution& into = tasks_[task].execution;
    const std::optional<Difference> difference = read_execution(station, answer, true, into);
    if (answer.warnings != 0) read_warnings(answer, into);
    if (difference) diverge(*difference, into);
    note_done(task);
    station.tasks.erase(station.tasks.begin());
    ++done;
    if (!station.exchange.is_complete()) break;  // the others say how they differ from this one
  }
  return done;
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
  read_meant_races(channel);
  const Answer answer = station.exchange.answer(answered);
  const std::optional<Difference> difference = read_execution(station, answer, answered, into);
  if (answered)
    read_failure(into);
  else
    report_death(station.worker, handover, into);
  if (into.outcome == Outcome::Deadlock) into.failure.kind = FailureKind::Deadlock;
  if (answered) {
    if (channel.warnings != 0) read_warnings(answer, into);
    load_base_ = channel.load_base;
    main_frame_ = channel.main_frame;
  }
  if (difference) diverge(*difference, into);
}

std::optional<Difference> ProgramExecutor::read_execution(Station& station, const Answer& answer, bool answered,
                                                          Execution& into) {
  std::optional<Difference> difference = station.exchange.read(answer, answered, processes_.size(), into);
  into.output.assign(answer.output, answer.output_length);
  read_printed(answer, into);
  into.exit_status = answer.exit_status;
  return difference;
}

/// The events that make sense are kept: they lead to where it happened. Whoever comes next finds everything in order.
void ProgramExecutor::report_damage(Station& station, const char* what, Execution& into) {
  into.clear();
  station.worker.discard();
  into.events = station.exchange.start_over();
  if (configuration().explorers == 0) segment_->processes() = {};  // else others may be entering theirs
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
  do {
    for (const auto& station : stations_) {
      if (station->is_idle()) start(*station);
      while (!station->is_idle()) settle(*station);
    }
  } while (!queue_.empty());
  return *stations_[0];
}

void ProgramExecutor::read_processes() {
  if (!std::equal(process_entries_.begin(), process_entries_.end(), segment_->processes().entries))
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
  std::vector<Goal> result;
  for (const auto& [name, goal] : all)
    if (goal.declared != 0) result.push_back({name, goal.reached != 0});
  return result;
}

void ProgramExecutor::read_meant_races(const protocol::Channel& channel) {
  const std::uint32_t count = checked_count(channel.meant_race_count, protocol::kMaxMeantRaces, "the meant races");
  const auto is_same = [](const protocol::MeantRace& a, const protocol::MeantRace& b) {
    return a.before == b.before && a.now == b.now && a.rule == b.rule;
  };
  for (std::uint32_t i = 0; i < count; ++i) {
    const protocol::MeantRace race = channel.meant_races[i];
    checked(race.before_use);
    checked(race.now_use);
    const bool is_known =
        race.rule >= protocol::MeantRace::kByCaller || race.rule < configuration().suppressions.size();
    if (!is_known) throw DamagedSegment{"the meant races"};
    if (std::none_of(meant_races_.begin(), meant_races_.end(),
                     [&](const protocol::MeantRace& known) { return is_same(known, race); }))
      meant_races_.push_back(race);
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
    // A process becomes known after its elder siblings.
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

void ProgramExecutor::read_printed(const Answer& answer, Execution& execution) const {
  std::size_t begin = 0;
  for (std::uint32_t i = 0; i < answer.output_part_count; ++i) {
    const protocol::OutputPart& part = answer.output_parts[i];
    const std::size_t end = std::clamp<std::size_t>(part.end, begin, execution.output.size());
    if (part.process < processes_.size()) execution.printed.push_back({part.after, part.process, begin, end});
    begin = end;
  }
}

void ProgramExecutor::read_warnings(const Answer& answer, Execution& execution) {
  execution.warnings = answer.warnings;
  if ((execution.warnings & ~kAllWarnings) != 0) throw DamagedSegment{"the warnings"};
  if ((execution.warnings & kWarnNotJoined) != 0 && answer.unjoined < processes_.size()) {
    execution.unjoined = answer.unjoined;
    execution.unjoined_count = answer.unjoined_count;
  }
  if ((execution.warnings & kWarnMainReturned) != 0 && answer.left_running < processes_.size())
    execution.left_running = answer.left_running;
  if ((execution.warnings & kWarnLeak) != 0) execution.leak = leaked_blocks(latest(), processes_.size());
  // What goes on after a closure has returned cannot be undone.
  std::uint32_t failing = configuration().strict ? kAllWarnings : 0;
  if (configuration().zygote != nullptr) failing |= kWarnNotJoined | kWarnMainReturned;
  if ((execution.warnings & failing) != 0 && execution.outcome == Outcome::Finished) make_failure(execution, failing);
  warnings_.add(execution);
}

/// A warning becomes what is wrong with the execution.
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
  channel.passed_over_count = static_cast<std::uint32_t>(skipped.size());
  std::copy(skipped.begin(), skipped.end(), channel.passed_over);
  Execution execution = run(job);
  channel.reporting = 0;
  channel.passed_over_count = 0;
  station.exchange.forget();
  execution.heap.assign(channel.blocks, channel.blocks + std::min(channel.block_count, protocol::kMaxBlocks));
  std::ranges::sort(execution.heap, {}, &HeapBlock::address);
  return execution;
}

void ProgramExecutor::report_death(const Worker& worker, Handover handover, Execution& execution) const {
  const protocol::Channel& channel = worker.channel();
  if (!configuration().debugger.empty()) {  // it was left before the program ended
    execution.outcome = Outcome::Stopped;
    return;
  }
  if (channel.phase == protocol::Phase::Starting && !worker.has_served()) {
    std::string why = checked_message(channel);
    if (why.empty()) why = handover == Handover::Died ? to_string(worker.death()) : worker.stuck_in();
    throw InputError(fmt::format("{}: the program does not start under mazurka ({}); was it built with mazurka cc?",
                                 binary(), why.empty() ? "no answer" : why));
  }
  execution.pending.clear();
  if (handover == Handover::Interrupted) {
    execution.outcome = Outcome::Limit;
    return;
  }
  // A worker that was told to go on and waits for that lost the number of the request.
  if (handover == Handover::Stuck && channel.phase == protocol::Phase::Idle)
    throw DamagedSegment{"the number of the request"};
  execution.outcome = Outcome::Error;
  Failure& failure = execution.failure;
  if (processes_.size() > channel.running) failure.process = channel.running;
  failure.nearby = worker.places_stuck_at();
  if (const FailureKind why = checked(channel.error_kind);
      handover == Handover::Died && !worker.death().by_signal && is_about_runtime(why)) {
    // Not the program's doing: there is no memory, or there are too many threads for this machine.
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
    // It may wait for a thread that this job was not to run: nothing is known but that it takes too long.
    execution.outcome = Outcome::Limit;
  } else {
    failure.kind = FailureKind::EndlessLoop;
    failure.detail =
        WithoutProgress{static_cast<std::uint64_t>(configuration().watchdog.count()), worker.stuck_in_plain_loop()};
  }
}

}  // namespace mazurka::program
