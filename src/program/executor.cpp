#include "program/executor.hpp"

#include <algorithm>
#include <charconv>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "core/error.hpp"
#include "core/footprints.hpp"
#include "core/invariant.hpp"

namespace mazurka::program {
namespace {

constexpr unsigned kRetries = 30;  // of a job whose worker was ended from outside

bool same(const Event& a, const Event& b) {
  return a.process == b.process && a.alternative == b.alternative && a.operation == b.operation && a.value == b.value &&
         a.site == b.site;
}

}  // namespace

ProgramExecutor::ProgramExecutor(Configuration configuration) : worker_(std::move(configuration)) {}

const Execution& ProgramExecutor::run(const Job& job) { return run_expecting(job, {}); }

void ProgramExecutor::begin(const Job& job) {
  if (begun_) complete(*std::exchange(begun_, {}), {}, true);  // nobody wants it any more
  is_ahead_ = false;
  begun_prefix_.assign(job.prefix.begin(), job.prefix.end());
  begun_sleep_.assign(job.sleep.begin(), job.sleep.end());
  begun_ = job;
  begun_->prefix = begun_prefix_;
  begun_->sleep = begun_sleep_;
  write_job(job);
  worker_.request();
}

const Execution& ProgramExecutor::run_expecting(const Job& job, std::span<const Event> expected) {
  if (begun_) {
    complete(*std::exchange(begun_, {}), {}, true);
    if (job.begun) return execution_;
    std::swap(execution_, ahead_);
    is_latest_ = false;
    is_ahead_ = true;
  } else if (job.begun && std::exchange(is_ahead_, false)) {
    std::swap(execution_, ahead_);
    is_latest_ = false;
    return execution_;
  }
  complete(job, expected, false);
  return execution_;
}

/// Runs a job, or waits for the end of one that was requested already.
void ProgramExecutor::complete(const Job& job, std::span<const Event> expected, bool requested) {
  blocks_.clear();
  Handover handover{};
  for (unsigned attempt = 0;; ++attempt) {
    if (attempt > 0 || !requested) {
      write_job(job);
      worker_.request();
    }
    handover = worker_.wait();
    // A worker that was ended from outside says nothing about the program: do it again.
    if (handover != Handover::Died || !worker_.killed() || attempt == kRetries) break;
  }
  const std::optional<std::string> difference = read_execution(handover == Handover::Answered, job.prefix);
  if (handover != Handover::Answered)
    report_death(handover);
  else
    read_error();
  if (execution_.outcome == Outcome::Deadlock) report_deadlock();
  if (handover == Handover::Answered && worker_.channel().warnings != 0) read_warnings();
  if (difference) diverge(*difference);
  for (std::size_t i = 0; i < std::min(expected.size(), execution_.events.size()); ++i) {
    if (same(execution_.events[i], expected[i])) continue;
    const std::string text = difference_text(i, expected[i], execution_.events[i]);
    execution_.events.resize(i + 1);
    return diverge(text);
  }
}

void ProgramExecutor::write_job(const Job& job) {
  protocol::Channel& channel = worker_.channel();
  if (job.prefix.size() > protocol::kMaxEvents || job.sleep.size() + job.put_off.size() > protocol::kMaxSleepers)
    throw UnsupportedError("the schedule is too long for a worker");
  channel.continuation = job.continuation;
  channel.seed = job.seed;
  channel.max_steps = job.max_steps;
  channel.prefix_length = static_cast<std::uint32_t>(job.prefix.size());
  channel.put_off_count = static_cast<std::uint32_t>(job.put_off.size());
  channel.sleeper_count = channel.put_off_count + static_cast<std::uint32_t>(job.sleep.size());
  for (std::size_t i = 0; i < job.prefix.size(); ++i) protocol::put(channel.prefix[i], job.prefix[i]);
  std::copy(job.sleep.begin(), job.sleep.end(), std::copy(job.put_off.begin(), job.put_off.end(), channel.sleepers));
  for (std::uint32_t i = 0; i < channel.sleeper_count; ++i) translate_back(channel.sleepers[i].operation);
}

void ProgramExecutor::read_processes() {
  const protocol::Channel& channel = worker_.channel();
  for (std::size_t i = processes_.size(); i < channel.process_count; ++i) {
    const ProcessIndex index = processes_.intern(channel.processes[i].parent, channel.processes[i].ordinal);
    MZ_INVARIANT(index == i, "a process has one index for ever");
  }
}

void ProgramExecutor::read_footprints() {
  const protocol::Channel& channel = worker_.channel();
  for (std::size_t i = footprints_.size(); i < channel.footprint_count; ++i) {
    const Footprint& footprint = channel.footprints[i];
    const std::span operations(channel.footprint_operations + footprint.begin, footprint.count);
    footprints_.push_back(i == 0 ? kUnknownFootprint : intern_footprint(operations, footprint.choices));
    footprint_numbers_.emplace(footprints_.back(), i);
  }
}

void ProgramExecutor::translate(Operation& operation) const {
  if (operation.kind != OperationKind::AtomicSection || operation.object == kUnknownFootprint) return;
  operation.object = operation.object < footprints_.size() ? footprints_[operation.object] : kUnknownFootprint;
}

void ProgramExecutor::translate_back(Operation& operation) const {
  if (operation.kind == OperationKind::AtomicSection && operation.object != kUnknownFootprint)
    operation.object = footprint_numbers_.at(operation.object);
}

/// Enters a process into the shared table, as the worker does when it meets one for the first time.
ProcessIndex ProgramExecutor::announce(ProcessIndex parent, std::uint32_t ordinal) {
  protocol::Channel& channel = worker_.channel();
  const ProcessIndex index = processes_.intern(parent, ordinal);
  if (index < channel.process_count) return index;
  if (index == protocol::kMaxProcesses) throw UnsupportedError("a schedule with more than 511 threads");
  channel.processes[index] = {parent, ordinal, 0};
  channel.process_count = index + 1;
  return index;
}

ProcessIndex ProgramExecutor::process_named(std::string_view path) {
  if (worker_.starts() != 0) return Executor::process_named(path);
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
    for (std::uint32_t ordinal = 0; ordinal < std::max(number, 1U); ++ordinal) process = announce(parent, ordinal);
  }
  return process;
}

/// Puts the worker's answer, or what it left behind, in the place of the execution before. Equal schedules must have
/// produced equal events: says where they did not, and leaves out what came after.
std::optional<std::string> ProgramExecutor::read_execution(bool answered, std::span<const Step> prefix) {
  const protocol::Channel& channel = worker_.channel();
  read_processes();
  read_footprints();
  std::vector<Event> events = std::move(execution_.events);
  execution_.clear();
  execution_.outcome = channel.outcome;
  Event section;
  const auto now = [&](std::size_t i) -> const Event& {
    const Event& event = answered ? channel.events[i] : channel.journal[i].event;
    if (event.operation.kind != OperationKind::AtomicSection) [[likely]]
      return event;
    section = event;
    translate(section.operation);
    return section;
  };
  const std::size_t count = channel.event_count;
  // What was not executed again is there already.
  std::size_t i = answered && is_latest_ ? std::min<std::size_t>(channel.resumed, count) : 0;
  const std::size_t comparable = std::min({events.size(), count, prefix.size()});
  std::optional<std::string> difference;
  for (; i < comparable && now(i).step() == events[i].step() && !difference; ++i) {
    if (!same(now(i), events[i])) difference = difference_text(i, events[i], now(i));
    events[i] = now(i);
  }
  events.resize(difference ? i : count);
  for (; i < events.size(); ++i) events[i] = now(i);
  execution_.events = std::move(events);
  is_latest_ = answered && !difference;
  execution_.offers.assign(channel.offers, channel.offers + channel.offer_count);
  execution_.pending.resize(channel.pending_count);
  for (std::size_t j = 0; j < execution_.pending.size(); ++j) {
    Offer& offer = execution_.pending[j] = channel.pending[j].offer;
    offer.holder = offer.operation.kind == OperationKind::ThreadJoin ? kNoProcess : channel.pending[j].holder;
  }
  return difference;
}

void ProgramExecutor::read_error() {
  const protocol::Channel& channel = worker_.channel();
  execution_.error_kind = channel.error_kind;
  execution_.message = channel.message;
  if (channel.finding.now.use != protocol::Use::None && execution_.outcome == Outcome::Error)
    execution_.message = finding_text();
  if (execution_.error_kind.empty()) return;
  execution_.error_site = channel.error_site;
  if (channel.running < processes_.size()) execution_.error_process = channel.running;
}

void ProgramExecutor::read_warnings() {
  const std::uint32_t bits = warnings();
  const auto add = [&](std::uint32_t bit, const char* kind, std::string_view text) {
    if ((bits & bit) == 0) return;
    auto known = all_warnings_.find(text);
    if (known == all_warnings_.end()) known = all_warnings_.emplace(text, 0).first;
    ++known->second;
    execution_.warnings.push_back(known->first);
    if (!configuration().strict || execution_.outcome != Outcome::Finished) return;
    execution_.outcome = Outcome::Error;
    execution_.error_kind = kind;
    execution_.message = text;
  };
  if ((bits & protocol::kWarnLeak) != 0) add(protocol::kWarnLeak, "leak", leak_text());
  add(protocol::kWarnNotJoined, "not-joined", "a thread is neither joined nor detached");
  add(protocol::kWarnMainReturned, "main-returned", "main returns while other threads run");
}

std::string_view ProgramExecutor::output() const {
  const protocol::Channel& channel = worker_.channel();
  return {channel.output, channel.output_length};
}

void ProgramExecutor::report_death(Handover handover) {
  const protocol::Channel& channel = worker_.channel();
  if (!configuration().debugger.empty()) {  // it was left before the program ended
    execution_.outcome = Outcome::Stopped;
    return;
  }
  if (channel.phase == protocol::Phase::Starting) {
    const std::string why = channel.message[0] != 0 ? channel.message : worker_.death();
    throw InputError(fmt::format("{}: the program does not start under mazurka ({}); was it built with mazurka cc?",
                                 binary(), why.empty() ? "no answer" : why));
  }
  execution_.pending.clear();
  execution_.outcome = Outcome::Error;
  if (processes_.size() > channel.running) execution_.error_process = channel.running;
  const std::string thread = processes_.size() > channel.running ? process_name(channel.running) : "0";
  if (handover == Handover::Died) {
    execution_.error_kind = worker_.killed() ? "killed" : "signal";
    execution_.message = fmt::format("the program died of {} while thread {} was running", worker_.death(), thread);
  } else if (!worker_.death().empty()) {
    execution_.outcome = Outcome::Unsupported;
    execution_.error_kind = "unsupported";
    execution_.message =
        fmt::format("thread {} waits in the system call {}, which cannot be controlled", thread, worker_.death());
  } else if (worker_.stuck_in_plain_loop() && channel.held_back != 0) {
    // It may wait for a thread that this job was not to run: nothing is known but that it takes too long.
    execution_.outcome = Outcome::Limit;
  } else {
    execution_.error_kind = "endless-loop";
    execution_.message = fmt::format("thread {} ran for {} ms without a visible operation", thread,
                                     worker_.configuration().watchdog.count());
    execution_.message += worker_.stuck_in_plain_loop()
                              ? ": it accesses plain memory in a loop that no other thread can end"
                              : "; if it waits for a variable that is not atomic, the compiler may have taken the "
                                "access out of the loop";
  }
}

void ProgramExecutor::report_deadlock() {
  std::set<ProcessIndex> waiting;
  for (const Offer& offer : execution_.pending) waiting.insert(offer.process);
  execution_.error_kind = "deadlock";
  execution_.message = waiting.size() == 1 ? fmt::format("thread {} waits for ever", process_name(*waiting.begin()))
                                           : fmt::format("{} threads wait for ever", waiting.size());
}

void ProgramExecutor::diverge(const std::string& message) {
  execution_.outcome = Outcome::Diverged;
  execution_.error_kind = "nondeterminism";
  execution_.message = message;
  execution_.pending.clear();
  is_latest_ = false;
}

std::string ProgramExecutor::difference_text(std::size_t index, const Event& before, const Event& now) const {
  return fmt::format("event {} was {}, and is now {}", index + 1, describe_event(before), describe_event(now));
}

std::string ProgramExecutor::describe_event(const Event& event) const {
  return fmt::format("`{}: {}` = {} at {}", process_name(event.process), describe(event.operation), event.value,
                     site_text(event.site));
}

}  // namespace mazurka::program
