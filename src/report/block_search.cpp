#include "report/block_search.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <span>

#include "core/happens_before.hpp"
#include "core/random.hpp"

namespace mazurka::report {
namespace {

/// Names classes of executions: equal for executions that differ in the order of independent steps only. An event with
/// its past is one summand, so order does not count.
class ClassName {
 public:
  using Name = std::pair<std::uint64_t, std::uint64_t>;

  Name operator()(const std::vector<Event>& events) {
    std::size_t common = 0;
    while (common < std::min(events.size(), steps_.size()) && events[common].step() == steps_[common]) ++common;
    before_.truncate(common);
    steps_.resize(common);
    sums_.resize(common + 1);
    for (std::size_t i = common; i < events.size(); ++i) {
      before_.append(events[i]);
      steps_.push_back(events[i].step());
      processes_ = std::max(processes_, events[i].process + 1);
      std::uint64_t a = mixed(events[i].process + 1);
      std::uint64_t b = mixed(a ^ events[i].alternative);
      for (ProcessIndex p = 0; p < processes_; ++p)
        if (const std::uint64_t seen = before_.seen(static_cast<EventIndex>(i), p); seen != 0) {
          a += mixed((std::uint64_t{p} << 32) ^ seen ^ 0x5bd1e995ULL);
          b += mixed((seen << 32) ^ p ^ 0x9e3779b9ULL);
        }
      sums_.push_back({sums_.back().first + mixed(a), sums_.back().second + mixed(a ^ mixed(b))});
    }
    return sums_.back();
  }

 private:
  HappensBefore before_;
  ProcessIndex processes_ = 0;
  std::vector<Step> steps_;
  std::vector<Name> sums_{{0, 0}};
};

class BlockSearch {
 public:
  BlockSearch(Attempts& attempts, std::size_t max_blocks)
      : attempts_(attempts), max_blocks_(max_blocks), longest_(kMoreSteps + 2 * attempts.target().events.size()) {
    for (const Offer& offer : attempts.target().pending) goal_[offer.process].push_back(program_point(offer));
    std::map<ProcessIndex, std::size_t> waits;
    for (const Event& event : attempts.target().events) {
      std::size_t& count = waits[event.process];
      count = (event.operation.flags & kGivesWay) != 0 ? count + 1 : 0;
      most_waits_ = std::max(most_waits_, count);
    }
  }

  BlockSearchResult run() {
    BlockSearchResult result;
    const Execution* start = attempts_.run({});
    if (start == nullptr) return result;
    std::vector<Node> level{node(*start, {}, kNoProcess)};
    for (blocks_ = 1; blocks_ <= max_blocks_ && !level.empty() && !found_; ++blocks_) {
      next_.clear();
      for (const Node& from : level) {
        for (const Step& step : from.enabled)
          if (step.process != from.last && !attempts_.spent()) extend(from.steps, step);
        if (found_) break;
      }
      level = std::move(next_);
    }
    result.exhausted = !left_out_ && (!attempts_.spent() || found_.has_value());
    result.found = std::move(found_);
    return result;
  }

 private:
  struct Node {
    std::vector<Step> steps;
    std::vector<Step> enabled;
    ProcessIndex last = kNoProcess;
  };
  /// Where a process stands: what of its next operation does not change while it stands there.
  using ProgramPoint = std::tuple<OperationKind, std::uint64_t, std::uint64_t, std::uint32_t>;

  static ProgramPoint program_point(const Offer& offer) {
    const Operation& o = offer.operation;
    return {o.kind, o.object, offer.site, o.kind == OperationKind::Synchronise ? o.action() : 0};
  }

  /// How often a process has just let others go first, without doing anything else.
  static std::size_t waits(std::span<const Event> events, ProcessIndex process) {
    std::size_t count = 0;
    for (std::size_t i = events.size(); i-- > 0;) {
      if (events[i].process != process) continue;
      if ((events[i].operation.flags & kGivesWay) == 0) break;
      ++count;
    }
    return count;
  }

  /// A process that waits in a loop could do so for ever: it waits as long as in the target, no longer.
  Node node(const Execution& execution, std::vector<Step> steps, ProcessIndex last) const {
    Node result{std::move(steps), {}, last};
    for (const Offer& offer : execution.pending) {
      const bool in_vain =
          (offer.operation.flags & kGivesWay) != 0 && waits(execution.events, offer.process) >= most_waits_;
      if (offer.enabled && !in_vain) result.enabled.push_back(offer.step());
    }
    return result;
  }

  /// Blocks that are needed after this execution at least.
  std::size_t still_needed(const Execution& execution) const {
    if (attempts_.target().outcome != Outcome::Deadlock) return 1;
    std::map<ProcessIndex, std::vector<ProgramPoint>> now;
    std::set<ProcessIndex> unknown;
    for (const Offer& offer : execution.pending) {
      now[offer.process].push_back(program_point(offer));
      if (state_decides_alternatives(offer.operation.kind)) unknown.insert(offer.process);
    }
    std::size_t count = 0;
    for (const auto& [process, places] : now) {
      const auto there = goal_.find(process);
      if (!unknown.contains(process) && (there == goal_.end() || there->second != places)) ++count;
    }
    for (const auto& [process, places] : goal_) count += now.contains(process) ? 0 : 1;
    return std::max<std::size_t>(count, 1);
  }

  /// Runs one block of a process, each of its lengths being one way to go on.
  void extend(const std::vector<Step>& before, Step first) {
    std::vector<std::vector<Step>> todo{before};
    todo.back().push_back(first);
    while (!todo.empty()) {
      const std::vector<Step> steps = std::move(todo.back());
      todo.pop_back();
      const Execution* execution = attempts_.run(steps);
      if (execution == nullptr) return;
      if (attempts_.is_target(*execution) && (!found_ || execution->events.size() < found_->events.size()))
        found_ = *execution;
      if (execution->outcome != Outcome::Stopped || execution->events.size() != steps.size()) continue;
      if (!seen_.insert({name_(execution->events), first.process}).second) continue;
      Node here = node(*execution, steps, first.process);
      for (const Step& step : here.enabled)
        if (step.process == first.process) {
          if (steps.size() == longest_) {
            left_out_ = true;
            continue;
          }
          todo.push_back(steps);
          todo.back().push_back(step);
        }
      if (blocks_ + still_needed(*execution) <= max_blocks_) next_.push_back(std::move(here));
    }
  }

  /// A process that never ends has blocks of every length: none is tried that is so much longer than what is known.
  static constexpr std::size_t kMoreSteps = 64;

  Attempts& attempts_;
  std::size_t max_blocks_;
  std::size_t longest_;
  bool left_out_ = false;  ///< something, since it was too long
  std::size_t blocks_ = 0;
  std::size_t most_waits_ = 0;
  std::map<ProcessIndex, std::vector<ProgramPoint>> goal_;
  std::vector<Node> next_;
  std::set<std::pair<ClassName::Name, ProcessIndex>> seen_;
  ClassName name_;
  std::optional<Execution> found_;
};

}  // namespace

BlockSearchResult search_blocks(Attempts& attempts, std::size_t max_blocks) {
  if (max_blocks == 0) return {std::nullopt, true};
  return BlockSearch(attempts, max_blocks).run();
}

}  // namespace mazurka::report
