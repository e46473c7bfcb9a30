// What goes through a worker's channel: jobs in, executions out.
//
// Most of an execution is like the one before it. The events of the last answer are kept here, so that what the worker
// did not execute again is not read again, and so that everything that was executed again can be compared: up to the
// first step where two schedules differ, all must be the same. And an execution that holds an earlier answer of this
// worker is brought up to date from where the answers since have differed from it.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "core/execution.hpp"
#include "core/job.hpp"
#include "program/protocol.hpp"

namespace mazurka::program {

class Exchange {
 public:
  explicit Exchange(protocol::Channel& channel);

  /// \pre The worker waits for a job.
  void write(const Job& job, const std::vector<protocol::Wait>& waits);
  /// Asks for the lines of memory that the worker has written, all at once: the other processor has them.
  void prefetch() const;
  /// Puts the answer, or what a worker that died left behind, in the place of what `into` holds: events, offers,
  /// pending operations and outcome. Where a repeated event differs, the execution ends with it. The program has
  /// `processes` processes. Throws DamagedSegment where that cannot be an answer.
  std::optional<Difference> read(bool answered, std::size_t processes, Execution& into);
  /// The next answer is not compared with the last.
  void forget();
  /// The channel was cleared: forgets everything. Returns the events that were read before the damage was noticed.
  std::vector<Event> start_over();

 private:
  /// What two answers have in common.
  struct Shared {
    std::uint64_t answer;
    std::size_t events;  ///< so many of the first are those of the answer before
  };

  std::optional<Difference> read_events(bool answered, std::size_t processes, std::uint32_t offer_count);
  void note_shared(std::size_t events);
  /// How many of the first events are the same in all answers from this one on.
  std::size_t shared_since(const AnswerMark& mark) const;
  void write_prefix(const std::vector<Step>& prefix);
  void read_footprints(std::size_t processes);
  void read_pending(std::size_t processes, std::vector<Offer>& pending) const;
  /// The number of a section's footprint in this process for that in the segment, and back.
  void translate(Operation& operation) const;
  void translate_back(Operation& operation);
  /// Enters a footprint that another worker has met.
  std::uint64_t enter_footprint(const Operation& section);

  protocol::Channel& channel_;
  std::size_t prefix_length_ = 0;  ///< of the job
  const std::uint64_t source_;     ///< of the marks
  std::uint64_t answer_ = 0;       ///< the number of the last one
  std::vector<Event> last_;        ///< its events
  std::uint32_t wait_count_ = 0;   ///< of the last one
  bool is_complete_ = false;       ///< they are all that the channel has
  /// Of the answers since the first, those with less in common with the one before than any later one.
  std::vector<Shared> shared_;
  std::vector<std::uint64_t> footprints_;  ///< by their numbers in the segment
  std::unordered_map<std::uint64_t, std::uint64_t> footprint_numbers_;
};

}  // namespace mazurka::program
