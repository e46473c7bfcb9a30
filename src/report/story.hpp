// A failing execution with everything in words: what all reports are made from, so that they tell the same story. It no
// longer needs the system it came from.
#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include "core/execution.hpp"
#include "core/names.hpp"
#include "report/values.hpp"

namespace mazurka::report {

inline constexpr std::size_t kNowhere = std::numeric_limits<std::size_t>::max();

/// A place in the code and the text of that line, where the file can be read.
struct Spot {
  CodePlace place;
  std::string text;

  /// Whether it is in a file that the user wrote, as far as one can tell.
  bool known() const;
};

struct Story {
  struct Thread {
    std::string name;
    std::size_t first = kNowhere;  ///< its first step
    std::size_t last = kNowhere;
    std::size_t created = kNowhere;  ///< the step that created it
    bool waits = false;              ///< at the end it waits for something that never comes
  };

  struct DescribedStep {
    std::size_t thread = 0;
    OperationKind kind = OperationKind::None;
    std::string operation;  ///< `lock queue.mutex_`
    std::string object;     ///< `queue.mutex_`
    Values values;          ///< what it found and wrote
    std::uint32_t alternative = 0;
    Spot spot;
    std::vector<std::size_t> causes;  ///< the steps of other threads it directly happens after
    std::string acquires;             ///< a lock that is held from here on
    std::string releases;
    bool alone = true;  ///< no other thread has a step, or waits for one, that depends on it

    /// `load ready (4 bytes): 0`
    std::string text() const { return values.text.empty() ? operation : operation + ": " + values.text; }
  };

  /// What a thread waits for at the end, one entry for each alternative.
  struct BlockedOn {
    std::size_t thread = 0;
    OperationKind kind = OperationKind::None;
    std::string operation;
    std::string object;
    Spot spot;
    std::size_t holder = kNowhere;  ///< the thread that has it, where that is known
  };

  struct Held {
    std::size_t thread = 0;
    std::string object;
    std::size_t since = 0;  ///< the step that took it
  };

  /// What is left in a mailbox, oldest first.
  struct Mailbox {
    std::string object;
    std::vector<std::string> messages;  ///< `tag 3 from 0.1 (step 7)`
    std::string since;  ///< what began when there may have been others already; empty if there were none
  };

  /// What a thread printed between two steps.
  struct Printed {
    std::size_t after = 0;  ///< so many steps
    std::size_t thread = 0;
    std::string text;
  };

  FailureKind kind = FailureKind::None;
  std::string message;  ///< its first line is the headline
  std::vector<Thread> threads;
  std::vector<DescribedStep> steps;
  std::vector<BlockedOn> waiting;  ///< of a deadlock
  std::vector<Held> held;
  std::vector<Mailbox> mailboxes;        ///< of a deadlock: those that were sent to or are waited at
  std::vector<std::string> descriptors;  ///< of a deadlock: where those that are waited for come from
  std::vector<Printed> printed;
  std::size_t failing = kNowhere;  ///< the thread that failed
  Spot failure;                    ///< where it did
  std::vector<std::string> warnings;
  std::size_t switches = 0;        ///< steps whose thread is not that of the step before
  std::size_t switches_found = 0;  ///< before the schedule was minimised
  bool minimised = false;
  bool minimal = false;  ///< no schedule with fewer switches fails so

  std::string replay;  ///< the command that runs it again; empty where it was not saved
};

Story tell(const Names& names, const Execution& execution);

/// How it could come to that, in sentences: who waits for whom, which signal came too early.
std::vector<std::string> explain(const Story& story);

std::size_t context_switches(const std::vector<Event>& events);

}  // namespace mazurka::report
