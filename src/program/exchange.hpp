// The data of a worker's channel: writes jobs, reads executions.
//
// Most of an execution equals the one before it. The events of the last answer are kept here, so that events restored
// from a checkpoint are not read again, and so that everything that was executed again can be compared: up to the first
// step where two schedules differ, all must be equal. An execution object that holds an earlier answer of this worker
// is updated from the first event at which a later answer has differed.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "core/execution.hpp"
#include "core/job.hpp"
#include "program/damage.hpp"
#include "program/protocol.hpp"

namespace mazurka::program {

class Exchange {
 public:
  explicit Exchange(protocol::Channel& channel);

  /// \pre The worker waits for a job.
  void write(const Job& job, const std::vector<protocol::Wait>& waits);
  /// Prefetches the cache lines that the worker has written, which are in the other CPU's cache.
  void prefetch() const;
  /// Replaces the contents of `into` by the answer, or by what a dead worker left behind: events, offers, pending
  /// operations and outcome. If a repeated event differs, the execution ends with it, and the difference is returned.
  /// The program has `processes` processes. Throws DamagedSegment if that cannot be an answer.
  std::optional<Difference> read(bool answered, std::size_t processes, Execution& into);
  /// Drops the last answer: the next one is not compared with it.
  void forget();
  /// Call after the channel was cleared: resets everything. Returns the events that were read before the damage was
  /// noticed.
  std::vector<Event> start_over();

 private:
  /// How much an answer shares with the one before it.
  struct Shared {
    std::uint64_t answer;
    std::size_t events;  ///< number of leading events that are the same
  };

  std::optional<Difference> read_events(bool answered, std::uint32_t offer_count);
  void note_shared(std::size_t events);
  /// The number of leading events that are the same in all answers since this one.
  std::size_t shared_since(const AnswerMark& mark) const;
  void write_prefix(const std::vector<Step>& prefix);
  void read_footprints(std::size_t processes);
  void read_pending(std::size_t processes, std::vector<Offer>& pending) const;
  /// Converts a section's footprint number from that in the segment to that in this process, and back.
  void translate(Operation& operation) const;
  void translate_back(Operation& operation);
  /// Adds a footprint that only other workers have met.
  std::uint64_t enter_footprint(const Operation& section);

  protocol::Channel& channel_;
  std::size_t prefix_length_ = 0;  ///< of the job
  bool is_sample_ = false;         ///< the job is random from the start: it has nothing in common with other jobs
  PossibleOperations possible_{0};
  const std::uint64_t source_;    ///< identifies the marks of this exchange
  std::uint64_t answer_ = 0;      ///< number of the last answer
  std::vector<Event> last_;       ///< its events
  std::uint32_t wait_count_ = 0;  ///< of the last answer
  bool is_complete_ = false;      ///< last_ has all events of the channel
  /// The minima from the right: of all answers since the first, those that share less with their predecessor than any
  /// later one does.
  std::vector<Shared> shared_;
  std::vector<std::uint64_t> footprints_;  ///< by their numbers in the segment
  std::unordered_map<std::uint64_t, std::uint64_t> footprint_numbers_;
};

}  // namespace mazurka::program
