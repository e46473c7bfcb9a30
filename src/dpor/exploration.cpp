#include "dpor/exploration.hpp"

#include <utility>

#include "core/account.hpp"
#include "core/dependence.hpp"
#include "core/interrupt.hpp"
#include "core/invariant.hpp"

namespace mazurka::dpor {
namespace {

/// sleep(E.p) = { q in sleep(E) : q independent of p }.
std::vector<LabelledStep> sleep_after(const Node& node) {
  std::vector<LabelledStep> sleep;
  for (const LabelledStep& q : node.sleep)
    if (q.step.process != node.current.step.process && !dependent(q.operation, node.current.operation))
      sleep.push_back(q);
  return sleep;
}

ReversalFinder::History history_for(Algorithm algorithm) {
  return algorithm == Algorithm::Source ? ReversalFinder::History::Causes : ReversalFinder::History::Whole;
}

}  // namespace

Exploration::Exploration(Executor& executor, Options options)
    : executor_(executor), options_(options), finder_(executor, history_for(options.algorithm)) {}

Result Exploration::run(Listener& listener) {
  Result result;
  std::uint64_t number = 0;
  bool finished = false;
  for (bool go_on = true; go_on && number < options_.max_executions && !interrupted();) {
    execute();
    go_on = account(execution_, number++, result.statistics, listener);
    if (!go_on) break;
    finder_.find(execution_, known_, [&](const Reversal& reversal) {
      Node& node = nodes_[reversal.at];
      result.planned += options_.algorithm == Algorithm::Source ? plan_source(node, reversal.sequence)
                                                                : plan_optimal(node, reversal.sequence);
    });
    if (finder_.diverged()) {  // a part of the execution no longer does what it did
      account(*finder_.diverged(), number, result.statistics, listener);
      break;
    }
    finished = !backtrack();
    if (finished) break;
  }
  result.races = finder_.races();
  result.probes = finder_.probes();
  result.complete = finished && result.statistics.cut == 0;
  return result;
}

void Exploration::execute() {
  std::vector<LabelledStep> sleep;
  if (!nodes_.empty()) sleep = sleep_after(nodes_.back());
  Job job;
  job.prefix = prefix_;
  job.continuation = Continuation::First;
  job.sleep = sleep;
  job.max_steps = options_.max_steps;
  execution_ = executor_.run(job);
  MZ_INVARIANT(options_.algorithm != Algorithm::Optimal || execution_.outcome != Outcome::SleepBlocked,
               "Optimal-DPOR explores no sleep-set-blocked execution");
  for (std::size_t i = nodes_.size(); i < execution_.events.size(); ++i) {
    Node node;
    node.sleep = std::move(sleep);
    node.current = {execution_.events[i].step(), execution_.events[i].operation};
    sleep = sleep_after(node);
    nodes_.push_back(std::move(node));
  }
}

bool Exploration::backtrack() {
  while (!nodes_.empty() && nodes_.back().planned.children.empty()) nodes_.pop_back();
  if (nodes_.empty()) return false;
  known_ = nodes_.size() - 1;
  Node& top = nodes_.back();
  top.sleep.push_back(top.current);  // add p to done(E)
  WakeupTree next = std::move(top.planned.children.front());
  top.planned.children.erase(top.planned.children.begin());
  top.current = next.step;
  while (!next.children.empty()) {  // Explore(E.p, subtree(wut(E), p))
    Node node;
    node.sleep = sleep_after(nodes_.back());
    WakeupTree first = std::move(next.children.front());
    next.children.erase(next.children.begin());
    node.current = first.step;
    node.planned.children = std::move(next.children);
    nodes_.push_back(std::move(node));
    next = std::move(first);
  }
  prefix_.clear();
  for (const Node& node : nodes_) prefix_.push_back(node.current.step);
  return true;
}

}  // namespace mazurka::dpor
