#include "program/executor.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "core/error.hpp"
#include "core/invariant.hpp"

namespace mazurka::program {
namespace {

constexpr unsigned kRetries = 30;  // of a job whose worker was ended from outside

}  // namespace

ProgramExecutor::ProgramExecutor(const Configuration& configuration) : segment_(configuration.workers) {
  MZ_INVARIANT(configuration.workers > 0, "somebody works");
  for (std::uint32_t i = 0; i < configuration.workers; ++i)
    stations_.push_back(std::make_unique<Station>(configuration, segment_, i));
  read_last_ = stations_[0].get();
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
  if (task.state == Task::State::Done) return std::swap(task.execution, into);
  Station& station = *task.station;
  finish(station, into);
  start_queued(station);
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

/// The one that is likely to be idle first.
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
  station.exchange.write(job);
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
  // A worker that was ended from outside says nothing about the program: the channel still has the job, do it again.
  for (unsigned attempt = 0; handover == Handover::Died && worker.killed() && attempt < kRetries; ++attempt) {
    worker.request();
    handover = worker.wait();
  }
  read_last_ = &station;
  blocks_.clear();
  read_processes();
  const std::optional<Difference> difference = station.exchange.read(handover == Handover::Answered, into);
  if (handover != Handover::Answered)
    report_death(worker, handover, into);
  else
    read_error(into);
  if (into.outcome == Outcome::Deadlock) report_deadlock(into);
  if (handover == Handover::Answered && latest().warnings != 0) read_warnings(into);
  if (difference) diverge(*difference, into);
}

ProgramExecutor::Station& ProgramExecutor::free_station() {
  for (const auto& station : stations_)
    while (station->task != kIdle) settle(*station);
  return *stations_[0];
}

void ProgramExecutor::read_processes() {
  for (auto i = static_cast<ProcessIndex>(processes_.size()); i < protocol::kMaxProcesses; ++i) {
    const protocol::ProcessEntry process = segment_.processes()[i];
    if (process.number == 0) return;
    const ProcessIndex index = processes_.intern(process.parent, process.number - 1);
    MZ_INVARIANT(index == i, "a process has one index for ever");
  }
}

ProcessIndex ProgramExecutor::process_named(std::string_view path) {
  if (started_ != 0) return Executor::process_named(path);
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
      process = segment_.processes().enter({parent, sibling});
      if (process == protocol::kMaxProcesses) throw UnsupportedError("a schedule with more than 511 threads");
    }
  }
  read_processes();
  return process;
}

void ProgramExecutor::read_error(Execution& execution) const {
  const protocol::Channel& channel = latest();
  execution.error_kind = channel.error_kind;
  execution.message = channel.message;
  if (channel.finding.now.use != protocol::Use::None && execution.outcome == Outcome::Error)
    execution.message = finding_text();
  if (execution.error_kind.empty()) return;
  execution.error_site = channel.error_site;
  if (channel.running < processes_.size()) execution.error_process = channel.running;
}

void ProgramExecutor::read_warnings(Execution& execution) {
  const std::uint32_t bits = warnings();
  const auto add = [&](std::uint32_t bit, const char* kind, std::string_view text) {
    if ((bits & bit) == 0) return;
    auto known = all_warnings_.find(text);
    if (known == all_warnings_.end()) known = all_warnings_.emplace(text, 0).first;
    ++known->second;
    execution.warnings.push_back(known->first);
    if (!configuration().strict || execution.outcome != Outcome::Finished) return;
    execution.outcome = Outcome::Error;
    execution.error_kind = kind;
    execution.message = text;
  };
  if ((bits & protocol::kWarnLeak) != 0) add(protocol::kWarnLeak, "leak", leak_text());
  add(protocol::kWarnNotJoined, "not-joined", "a thread is neither joined nor detached");
  add(protocol::kWarnMainReturned, "main-returned", "main returns while other threads run");
}

std::string_view ProgramExecutor::output() const {
  const protocol::Channel& channel = latest();
  return {channel.output, channel.output_length};
}

void ProgramExecutor::report_death(const Worker& worker, Handover handover, Execution& execution) const {
  const protocol::Channel& channel = worker.channel();
  if (!configuration().debugger.empty()) {  // it was left before the program ended
    execution.outcome = Outcome::Stopped;
    return;
  }
  if (channel.phase == protocol::Phase::Starting) {
    const std::string why = channel.message[0] != 0 ? channel.message : worker.death();
    throw InputError(fmt::format("{}: the program does not start under mazurka ({}); was it built with mazurka cc?",
                                 binary(), why.empty() ? "no answer" : why));
  }
  execution.pending.clear();
  execution.outcome = Outcome::Error;
  if (processes_.size() > channel.running) execution.error_process = channel.running;
  const std::string thread = processes_.size() > channel.running ? process_name(channel.running) : "0";
  if (handover == Handover::Died) {
    execution.error_kind = worker.killed() ? "killed" : "signal";
    execution.message = fmt::format("the program died of {} while thread {} was running", worker.death(), thread);
  } else if (!worker.death().empty()) {
    execution.outcome = Outcome::Unsupported;
    execution.error_kind = "unsupported";
    execution.message =
        fmt::format("thread {} waits in the system call {}, which cannot be controlled", thread, worker.death());
  } else if (worker.stuck_in_plain_loop() && channel.held_back != 0) {
    // It may wait for a thread that this job was not to run: nothing is known but that it takes too long.
    execution.outcome = Outcome::Limit;
  } else {
    execution.error_kind = "endless-loop";
    execution.message =
        fmt::format("thread {} ran for {} ms without a visible operation", thread, configuration().watchdog.count());
    execution.message += worker.stuck_in_plain_loop()
                             ? ": it accesses plain memory in a loop that no other thread can end"
                             : "; if it waits for a variable that is not atomic, the compiler may have taken the "
                               "access out of the loop";
  }
}

void ProgramExecutor::report_deadlock(Execution& execution) const {
  std::set<ProcessIndex> waiting;
  for (const Offer& offer : execution.pending) waiting.insert(offer.process);
  execution.error_kind = "deadlock";
  execution.message = waiting.size() == 1 ? fmt::format("thread {} waits for ever", process_name(*waiting.begin()))
                                          : fmt::format("{} threads wait for ever", waiting.size());
}

void ProgramExecutor::diverge(const Difference& difference, Execution& execution) const {
  execution.outcome = Outcome::Diverged;
  execution.error_kind = "nondeterminism";
  execution.message = fmt::format("event {} was {}, and is now {}", difference.index + 1,
                                  describe_event(difference.before), describe_event(difference.now));
  execution.pending.clear();
}

std::string ProgramExecutor::describe_event(const Event& event) const {
  return fmt::format("`{}: {}` = {} at {}", process_name(event.process), describe(event.operation), event.value,
                     site_text(event.site));
}

}  // namespace mazurka::program
