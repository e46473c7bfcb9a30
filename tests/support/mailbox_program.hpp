// Small programs whose threads send each other messages, run in this process. Each thread has a mailbox, the only one
// it receives from.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/random.hpp"
#include "support/step_executor.hpp"

namespace mazurka::testing {

inline constexpr std::uint32_t kTags = 3;

struct MessageAction {
  enum class Kind : std::uint8_t {
    Send,        ///< to the mailbox of `to`
    Answer,      ///< to whoever sent the last message that was received, with the next tag; to `to` if there was none
    Receive,     ///< blocks
    TryReceive,  ///< gives up if there is no message that matches
    Unless,      ///< no step: leaves out the next action if the last receive gave up or its tag was odd
  };
  Kind kind = Kind::Send;
  std::uint8_t to = 0;
  std::optional<std::uint8_t> tag{};  ///< of a receive: any tag if there is none

  bool operator==(const MessageAction&) const = default;
};

using MailboxProgram = std::vector<std::vector<MessageAction>>;

/// `s1:0 a2 | r t0 ? r2`: a send to the mailbox of thread 1 with tag 0 and an answer; a receive of any message, a try
/// for one with tag 0, a condition and a receive of one with tag 2.
std::string to_string(const MailboxProgram& program);
MailboxProgram to_mailbox_program(const std::string& text);

/// Two to four threads.
MailboxProgram random_mailbox_program(SplitMix64& random);

class MailboxExecutor final : public StepExecutor {
 public:
  explicit MailboxExecutor(const MailboxProgram& program) : program_(program) {}

  std::size_t process_count() const override { return program_.size(); }

 private:
  struct Message {
    std::uint32_t number;
    std::uint32_t tag;
    ProcessIndex from;
  };
  struct Thread {
    std::size_t next = 0;
    std::uint64_t received = 0;  // all messages that it received, in their order
    std::optional<Message> last{};
    std::vector<std::uint32_t> sent{};  // how many messages to each mailbox
    std::vector<Message> mailbox{};
  };

  void reset() override;
  bool ended(ProcessIndex process) const override { return threads_[process].next >= program_[process].size(); }
  bool possible(ProcessIndex process) const override;
  Operation next_operation(ProcessIndex process) const override;
  void take(ProcessIndex process, const Operation& operation, Event& event) override;
  /// What each thread received and what is left in its mailbox, in no order.
  std::vector<std::uint64_t> final_state() const override;
  void skip_conditions(ProcessIndex process);

  MailboxProgram program_;
  std::vector<Thread> threads_;
};

}  // namespace mazurka::testing
