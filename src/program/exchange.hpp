// What goes through a worker's channel: jobs in, executions out. Several jobs may go together: the worker does them one
// after the other, and leaves a record of each execution but the last, whose answer the channel itself has.
//
// Most of an execution is like the one before it. The events of the last answer are kept here, so that what the worker
// did not execute again is not read again, and so that everything that was executed again can be compared: up to the
// first step where two schedules differ, all must be the same. And an execution that holds an earlier answer of this
// worker is brought up to date from where the answers since have differed from it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "core/execution.hpp"
#include "core/job.hpp"
#include "program/protocol.hpp"

namespace mazurka::program {

/// An execution as it stands in the segment.
struct Answer {
  const Event* events;  ///< from `resumed` on they are there; all of them where the channel has the answer
  const Offer* offers;
  const protocol::PendingRecord* pending;
  const protocol::OutputPart* output_parts;
  const char* output;
  std::uint32_t event_count;
  std::uint32_t offer_count;
  std::uint32_t resumed;
  std::uint32_t pending_count;
  std::uint32_t output_part_count;
  std::uint32_t output_length;
  std::uint32_t stopped_by;
  std::uint32_t warnings;
  std::uint32_t unjoined;
  std::uint32_t unjoined_count;
  std::uint32_t left_running;
  std::int32_t exit_status;
  Outcome outcome;
  bool is_record;  ///< another job followed: nothing was learnt in this one
};

class Exchange {
 public:
  explicit Exchange(protocol::Channel& channel);

  /// \pre The worker waits for a job.
  void write(const Job& job, const std::vector<protocol::Wait>& waits);
  /// Another job, to be done after those written since. Whether there is room, and it needs no guidance;
  /// \pre can_queue().
  bool queue(const Job& job);
  /// Whether other jobs may follow the one just written: its record will say only how it differs from the last answer.
  bool can_queue() const { return is_complete_ && channel_.waits_are_new == 0 && wait_count_ == channel_.wait_count; }
  /// Asks for the lines of memory that the worker has written, all at once: the other processor has them.
  void prefetch() const;
  /// The number of records, and the next of them: the answer to the first of the jobs that has not been read yet.
  /// Throws DamagedSegment where there can be none.
  std::uint32_t record_count() const;
  Answer next_record();
  /// The answer in the channel, or what a worker that died left behind, to the first job that has not been read yet.
  /// Throws DamagedSegment where that cannot be an answer.
  Answer answer(bool answered) const;
  /// Puts it in the place of what `into` holds: events, offers, pending operations and outcome. Where a repeated event
  /// differs, the execution ends with it. The program has `processes` processes. Throws DamagedSegment where that
  /// cannot be an answer.
  std::optional<Difference> read(const Answer& answer, bool answered, std::size_t processes, Execution& into);
  std::optional<Difference> read(bool answered, std::size_t processes, Execution& into) {
    return read(answer(answered), answered, processes, into);
  }
  /// Whether records can be read: they say how an execution differs from the last.
  bool is_complete() const { return is_complete_; }
  /// The next answer is not compared with the last.
  void forget();
  /// The channel was cleared: forgets everything. Returns the events that were read before the damage was noticed.
  std::vector<Event> start_over();

 private:
  /// Of the job that is answered next.
  std::size_t prefix_length() const { return prefix_lengths_[std::min(read_, prefix_lengths_.size() - 1)]; }
  /// What two answers have in common.
  struct Shared {
    std::uint64_t answer;
    std::size_t events;  ///< so many of the first are those of the answer before
  };

  std::optional<Difference> read_events(const Answer& answer, bool answered, std::size_t processes);
  void note_shared(std::size_t events);
  /// How many of the first events are the same in all answers from this one on.
  std::size_t shared_since(const AnswerMark& mark) const;
  void write_prefix(const std::vector<Step>& prefix);
  void read_footprints(std::size_t processes);
  static void read_pending(const Answer& answer, std::size_t processes, std::vector<Offer>& pending);
  /// The number of a section's footprint in this process for that in the segment, and back.
  void translate(Operation& operation) const;
  void translate_back(Operation& operation);
  /// Enters a footprint that another worker has met.
  std::uint64_t enter_footprint(const Operation& section);

  protocol::Channel& channel_;
  std::vector<std::size_t> prefix_lengths_{0};  ///< of the jobs
  std::size_t read_ = 0;                        ///< how many of them have been answered
  std::uint32_t record_bytes_ = 0;              ///< of the records that were read
  std::vector<Step> written_;                   ///< the prefix of the last job
  std::uint32_t queued_steps_ = 0;
  std::uint32_t queued_sleepers_ = 0;
  const std::uint64_t source_;    ///< of the marks
  std::uint64_t answer_ = 0;      ///< the number of the last one
  std::vector<Event> last_;       ///< its events
  std::uint32_t wait_count_ = 0;  ///< of the last one
  bool is_complete_ = false;      ///< they are all that the channel has
  /// Of the answers since the first, those with less in common with the one before than any later one.
  std::vector<Shared> shared_;
  std::vector<std::uint64_t> footprints_;  ///< by their numbers in the segment
  std::unordered_map<std::uint64_t, std::uint64_t> footprint_numbers_;
};

}  // namespace mazurka::program
