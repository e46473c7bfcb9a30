#include "support/mailbox_program.hpp"

#include <algorithm>
#include <sstream>
#include <string_view>

namespace mazurka::testing {
namespace {

using ActionKind = MessageAction::Kind;

constexpr std::string_view kActionSigns = "sart?";
constexpr std::uint64_t kFirstMailbox = 0x1000;

std::uint64_t mailbox_of(std::uint64_t thread) { return kFirstMailbox + 64 * thread; }

}  // namespace

std::string to_string(const MailboxProgram& program) {
  std::string text;
  for (const auto& thread : program) {
    if (&thread != program.data()) text += text.empty() ? "|" : " |";
    for (const MessageAction& action : thread) {
      text += text.empty() ? "" : " ";
      text += kActionSigns[static_cast<std::size_t>(action.kind)];
      if (action.kind <= ActionKind::Answer) text += std::to_string(action.to);
      if (action.kind == ActionKind::Send) text += ':';
      if (action.tag) text += std::to_string(*action.tag);
    }
  }
  return text;
}

MailboxProgram to_mailbox_program(const std::string& text) {
  MailboxProgram program(1);
  std::istringstream words(text);
  const auto digit = [](char c) { return static_cast<std::uint8_t>(c - '0'); };
  for (std::string word; words >> word;) {
    if (word == "|") {
      program.emplace_back();
      continue;
    }
    MessageAction& action = program.back().emplace_back();
    action.kind = static_cast<ActionKind>(kActionSigns.find(word.front()));
    if (action.kind <= ActionKind::Answer) action.to = digit(word.at(1));
    if (action.kind == ActionKind::Send) action.tag = digit(word.at(3));
    if (action.kind > ActionKind::Answer && word.size() > 1) action.tag = digit(word.at(1));
  }
  return program;
}

MailboxProgram random_mailbox_program(SplitMix64& random) {
  const std::size_t threads = 2 + random.below(3);
  const std::uint64_t tags = 1 + random.below(kTags);
  const bool gives_up = random.below(2) == 0;
  const std::size_t receivers = 1 + random.below(2);
  MailboxProgram program(threads);
  std::size_t left = 5 + random.below(5);
  for (; left > 0; --left) {
    auto& thread = program[random.below(threads)];
    MessageAction action;
    const bool receives = &thread < program.data() + receivers && random.below(2) == 0;
    if (receives) {
      action.kind = gives_up && random.below(2) == 0 ? ActionKind::TryReceive : ActionKind::Receive;
      if (random.below(2) == 0) action.tag = static_cast<std::uint8_t>(random.below(tags));
    } else if (random.below(8) == 0) {
      action.kind = ActionKind::Unless;
    } else {
      action.kind = random.below(4) == 0 ? ActionKind::Answer : ActionKind::Send;
      action.to = static_cast<std::uint8_t>(random.below(receivers));
      if (action.kind == ActionKind::Send) action.tag = static_cast<std::uint8_t>(random.below(tags));
    }
    thread.push_back(action);
  }
  return program;
}

void MailboxExecutor::reset() {
  threads_.assign(program_.size(), {});
  for (ProcessIndex process = 0; process < program_.size(); ++process) {
    threads_[process].sent.assign(program_.size(), 0);
    skip_conditions(process);
  }
}

void MailboxExecutor::skip_conditions(ProcessIndex process) {
  Thread& thread = threads_[process];
  while (!ended(process) && program_[process][thread.next].kind == ActionKind::Unless)
    thread.next += !thread.last || thread.last->tag % 2 == 1 ? 2 : 1;
}

Operation MailboxExecutor::next_operation(ProcessIndex process) const {
  const Thread& thread = threads_[process];
  const MessageAction& action = program_[process][thread.next];
  Operation operation;
  if (action.kind <= ActionKind::Answer) {
    const bool answers = action.kind == ActionKind::Answer && thread.last;
    const ProcessIndex to = answers ? thread.last->from : action.to;
    operation.kind = OperationKind::MailboxSend;
    operation.object = mailbox_of(to);
    operation.set_tag(answers ? (thread.last->tag + 1) % kTags : action.tag.value_or(0));
    operation.set_message(Operation::message_of(process, thread.sent[to]));
    return operation;
  }
  operation.kind =
      action.kind == ActionKind::Receive ? OperationKind::MailboxReceive : OperationKind::MailboxTryReceive;
  operation.object = mailbox_of(process);
  if (action.tag) operation.set_pattern(UINT32_MAX, *action.tag);
  const auto found = std::find_if(thread.mailbox.begin(), thread.mailbox.end(),
                                  [&](const Message& message) { return operation.matches(message.tag); });
  if (found != thread.mailbox.end())
    operation.set_message(found->number);
  else if (operation.kind == OperationKind::MailboxTryReceive)
    operation.flags = kFailed;
  return operation;
}

bool MailboxExecutor::possible(ProcessIndex process) const {
  const Operation operation = next_operation(process);
  return operation.kind != OperationKind::MailboxReceive || operation.message() != 0;
}

void MailboxExecutor::take(ProcessIndex process, const Operation& operation, Event& event) {
  Thread& thread = threads_[process];
  event.site = thread.next;
  event.value = operation.message();
  if (operation.kind == OperationKind::MailboxSend) {
    const std::uint64_t to = (operation.object - kFirstMailbox) / 64;
    ++thread.sent[to];
    threads_[to].mailbox.push_back({operation.message(), operation.tag(), process});
  } else {
    thread.received = (thread.received ^ (operation.message() + 1)) * 0x100000001b3ULL;
    thread.last.reset();
    const auto taken = std::find_if(thread.mailbox.begin(), thread.mailbox.end(),
                                    [&](const Message& message) { return message.number == operation.message(); });
    if (taken != thread.mailbox.end()) {
      thread.last = *taken;
      thread.mailbox.erase(taken);
    }
  }
  ++thread.next;
  skip_conditions(process);
}

std::vector<std::uint64_t> MailboxExecutor::final_state() const {
  std::vector<std::uint64_t> state;
  for (const Thread& thread : threads_) {
    state.insert(state.end(), {thread.next, thread.received, thread.mailbox.size()});
    const std::size_t begin = state.size();
    for (const Message& message : thread.mailbox) state.push_back(message.number);
    std::sort(state.begin() + static_cast<std::ptrdiff_t>(begin), state.end());
  }
  return state;
}

}  // namespace mazurka::testing
