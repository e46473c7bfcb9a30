// What a deadlock means, in sentences.
#include <algorithm>
#include <map>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "report/story.hpp"

namespace mazurka::report {
namespace {

class Explainer {
 public:
  explicit Explainer(const Story& story) : story_(story) {}

  std::vector<std::string> sentences() {
    std::map<std::size_t, std::vector<const Story::BlockedOn*>> by_thread;
    for (const Story::BlockedOn& blocked : story_.waiting) by_thread[blocked.thread].push_back(&blocked);
    for (const auto& [thread, list] : by_thread) {
      std::vector<std::string> parts;
      for (const Story::BlockedOn* blocked : list) parts.push_back(waits_for(*blocked));
      result_.push_back(fmt::format("{} {}{}", name(thread), verb(*list.front()), fmt::join(parts, " or ")));
      if (list.size() == 1) follow(*list.front());
    }
    for (const Story::Mailbox& mailbox : story_.mailboxes) result_.push_back(contents(mailbox));
    result_.insert(result_.end(), story_.descriptors.begin(), story_.descriptors.end());
    if (const auto ring = circle(); !ring.empty())
      result_.push_back(fmt::format("circular wait: {}", fmt::join(ring, " -> ")));
    return result_;
  }

 private:
  static std::string contents(const Story::Mailbox& mailbox) {
    if (!mailbox.messages.empty())
      return fmt::format("mailbox {} holds {}", mailbox.object, fmt::join(mailbox.messages, ", "));
    return mailbox.since.empty() ? fmt::format("mailbox {} is empty", mailbox.object)
                                 : fmt::format("mailbox {} has no message that {} sent", mailbox.object, mailbox.since);
  }

  static constexpr std::string_view kWait = "wait for ";

  /// What comes before the words of waits_for().
  static const char* verb(const Story::BlockedOn& blocked) {
    const bool is_call = blocked.kind == OperationKind::DescriptorWait && !blocked.operation.starts_with(kWait);
    return is_call ? "waits to " : "waits for ";
  }

  const std::string& name(std::size_t thread) const { return story_.threads[thread].name; }

  static std::string at(const Spot& spot) {
    return spot.known() ? fmt::format(" ({}:{})", spot.place.file, spot.place.line) : "";
  }

  std::string waits_for(const Story::BlockedOn& blocked) {
    // The step that went to sleep tells on what.
    const std::size_t last = story_.threads[blocked.thread].last;
    const Story::DescribedStep* before = last == kNowhere ? nullptr : &story_.steps[last];
    if (blocked.holder != kNowhere) {
      // It has backed off from a mutex that it tried to lock together with others.
      const std::string wanted = blocked.kind == OperationKind::Spin ? "lock " + blocked.object : blocked.operation;
      std::string text = fmt::format("{}{}, held by {}", wanted, at(blocked.spot), name(blocked.holder));
      for (const Story::Held& held : story_.held)
        if (held.thread == blocked.holder && held.object == blocked.object)
          text += fmt::format(" since step {}", held.since + 1);
      const std::size_t end = story_.threads[blocked.holder].last;
      if (end != kNowhere && story_.steps[end].kind == OperationKind::ThreadExit)
        text += fmt::format(", and {} has ended", name(blocked.holder));
      return text;
    }
    if (blocked.kind == OperationKind::ThreadJoin) return fmt::format("{} to end{}", blocked.object, at(blocked.spot));
    if (blocked.kind == OperationKind::WriteLock) return blocked.operation + at(blocked.spot) + readers(blocked);
    if (blocked.kind == OperationKind::MutexLock && before != nullptr && before->kind == OperationKind::ConditionWait)
      return fmt::format("a signal on {}{}{}{}", before->object, at(blocked.spot), signals(before->object, last),
                         timed_out_before(*before) ? "; a time-out would not help" : "");
    if (blocked.kind == OperationKind::Await || blocked.kind == OperationKind::AwaitModify)
      return fmt::format("{} to change{}: {}", blocked.object, at(blocked.spot), last_change(blocked.object));
    if (blocked.kind == OperationKind::Spin) return round(blocked);
    if (blocked.kind == OperationKind::BarrierLeave)
      return fmt::format("other threads to arrive at {}{}", blocked.object, at(blocked.spot));
    if (blocked.kind == OperationKind::SemaphoreWait)
      return fmt::format("a post to {}{}", blocked.object, at(blocked.spot));
    if (blocked.kind == OperationKind::MailboxReceive) {
      const std::size_t comma = blocked.operation.find(", ");
      return fmt::format("a message{} in mailbox {}{}",
                         comma == std::string::npos ? "" : " with " + blocked.operation.substr(comma + 2),
                         blocked.object, at(blocked.spot));
    }
    if (blocked.kind == OperationKind::FutexResume && blocked.object.starts_with("signals of thread"))
      return fmt::format("a signal to be sent to it{}", at(blocked.spot));
    if (blocked.kind == OperationKind::FutexResume)
      return fmt::format("a wake on {}{}", blocked.object, at(blocked.spot));
    return (blocked.operation.starts_with(kWait) ? blocked.operation.substr(kWait.size()) : blocked.operation) +
           at(blocked.spot);
  }

  /// Who reads under a lock that a writer waits for, if there are several: a single one is its holder.
  std::string readers(const Story::BlockedOn& blocked) const {
    std::string text;
    for (const Story::Held& held : story_.held)
      if (held.object == blocked.object)
        text += fmt::format("{} {} since step {}", text.empty() ? ", held by" : " and by", name(held.thread),
                            held.since + 1);
    return text;
  }

  /// What a thread reads again and again, and why that stays as it is.
  std::string round(const Story::BlockedOn& blocked) const {
    std::vector<std::string> parts;
    for (std::size_t i = story_.steps.size(); i-- > 0;) {
      const Story::DescribedStep& step = story_.steps[i];
      if (step.thread != blocked.thread) continue;
      if (!is_read(step)) break;
      std::string part = fmt::format("{}, {}", step.object, last_change(step.object));
      if (std::find(parts.begin(), parts.end(), part) == parts.end()) parts.insert(parts.begin(), std::move(part));
    }
    // A loop that locks and looks reads what the mutex protects, which is no step.
    if (parts.empty())
      return fmt::format("what it polls in a loop with {}{} to change", blocked.object, at(blocked.spot));
    return fmt::format("what it polls in a loop{} to change: {}", at(blocked.spot), fmt::join(parts, "; "));
  }

  static bool is_read(const Story::DescribedStep& step) {
    return step.kind == OperationKind::Load || step.kind == OperationKind::ReadModifyWrite ||
           step.kind == OperationKind::CompareExchange;
  }

  /// Who wrote to an object last, and what it holds, where a step shows that.
  std::string last_change(const std::string& object) const {
    for (std::size_t i = story_.steps.size(); i-- > 0;) {
      const Story::DescribedStep& step = story_.steps[i];
      const bool may_write = step.kind == OperationKind::Store || step.kind == OperationKind::ReadModifyWrite ||
                             step.kind == OperationKind::CompareExchange || step.kind == OperationKind::AwaitModify;
      if (may_write && step.object == object && !step.values.expected)
        return fmt::format("last written by {} in step {}{}", name(step.thread), i + 1, last_value(step.values.text));
    }
    for (const Story::DescribedStep& step : story_.steps)
      if (is_read(step) && step.object == object) return "never written" + last_value(step.values.text);
    return "never written";
  }

  /// Of `3` and of `1 -> 3`: ` (its value is 3)`.
  static std::string last_value(const std::string& values) {
    constexpr std::string_view kArrow = " -> ";
    const std::size_t arrow = values.rfind(kArrow);
    const bool is_plain = arrow == std::string::npos;
    if (values.empty() || (is_plain && values.find(' ') != std::string::npos)) return "";
    return fmt::format(" (its value is {})", is_plain ? values : values.substr(arrow + kArrow.size()));
  }

  /// Why no signal will come for the wait that was step `wait`.
  std::string signals(const std::string& condition, std::size_t wait) const {
    std::size_t latest = kNowhere;
    for (std::size_t i = 0; i < story_.steps.size(); ++i) {
      const Story::DescribedStep& step = story_.steps[i];
      if (step.object == condition &&
          (step.kind == OperationKind::ConditionSignal || step.kind == OperationKind::ConditionBroadcast))
        latest = i;
    }
    if (latest == kNowhere) return ", which is never signalled";
    return fmt::format("; the last one, step {} by {}, {}", latest + 1, name(story_.steps[latest].thread),
                       latest < wait ? "came before the wait" : "woke another thread");
  }

  /// Whether the thread left this very wait by a time-out before: it would come back to it if it did so again.
  bool timed_out_before(const Story::DescribedStep& wait) const {
    return std::any_of(story_.steps.begin(), story_.steps.end(), [&](const Story::DescribedStep& step) {
      return step.kind == OperationKind::ConditionTimeout && step.thread == wait.thread && step.object == wait.object &&
             step.spot.place.file == wait.spot.place.file && step.spot.place.line == wait.spot.place.line;
    });
  }

  void follow(const Story::BlockedOn& blocked) {
    if (blocked.holder != kNowhere) next_[blocked.thread] = blocked.holder;
    for (std::size_t thread = 0; thread < story_.threads.size(); ++thread)
      if (blocked.kind == OperationKind::ThreadJoin && name(thread) == blocked.object) next_[blocked.thread] = thread;
  }

  /// A cycle of threads each of which waits for the next, if there is one.
  std::vector<std::string> circle() const {
    for (const auto& [start, unused] : next_) {
      std::vector<std::string> ring{name(start)};
      std::size_t here = next_.at(start);
      for (std::size_t i = 0; i < next_.size() && here != start && next_.contains(here); ++i) {
        ring.push_back(name(here));
        here = next_.at(here);
      }
      if (here != start) continue;
      ring.push_back(name(start));
      return ring;
    }
    return {};
  }

  const Story& story_;
  std::vector<std::string> result_;
  std::map<std::size_t, std::size_t> next_;
};

}  // namespace

std::vector<std::string> explain(const Story& story) { return Explainer(story).sentences(); }

}  // namespace mazurka::report
