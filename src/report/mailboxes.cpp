#include "report/mailboxes.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace mazurka::report {
namespace {

/// A message that nobody has received.
struct Left {
  Operation send;
  std::size_t step;
};

struct Contents {
  Operation any;  ///< an operation on the mailbox
  std::vector<Left> messages;
};

Contents& contents_of(std::vector<Contents>& all, const Operation& operation) {
  const auto found = std::find_if(all.begin(), all.end(),
                                  [&](const Contents& contents) { return contents.any.object == operation.object; });
  return found != all.end() ? *found : all.emplace_back(Contents{operation, {}});
}

void account_for(Contents& contents, const Event& event, std::size_t step) {
  if (event.operation.kind == OperationKind::MailboxSend) {
    contents.messages.push_back({event.operation, step});
  } else if (takes_message(event.operation)) {
    std::erase_if(contents.messages,
                  [&](const Left& left) { return left.send.message() == event.operation.message(); });
  }
}

}  // namespace

std::vector<Story::Mailbox> mailboxes_of(const Names& names, const Execution& execution) {
  std::vector<Contents> all;
  for (std::size_t i = 0; i < execution.events.size(); ++i)
    if (family(execution.events[i].operation.kind) == Family::Mailbox)
      account_for(contents_of(all, execution.events[i].operation), execution.events[i], i + 1);
  for (const Offer& offer : execution.pending)
    if (family(offer.operation.kind) == Family::Mailbox) contents_of(all, offer.operation);
  std::vector<Story::Mailbox> result;
  for (const Contents& contents : all) {
    Story::Mailbox& mailbox = result.emplace_back();
    mailbox.object = names.object(contents.any, execution.heap);
    if (names.entry() != "main") mailbox.since = names.entry();
    for (const Left& left : contents.messages)
      mailbox.messages.push_back(
          fmt::format("tag {} from {} (step {})", left.send.tag(), names.process_name(left.send.sender()), left.step));
  }
  return result;
}

}  // namespace mazurka::report
