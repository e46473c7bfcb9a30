// An explorer in a rank other than 0. What it would ask of a search in its own process it asks rank 0 (team.hpp), by
// messages.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "core/bytes.hpp"
#include "core/executor.hpp"
#include "core/listener.hpp"
#include "core/transport.hpp"
#include "dpor/coordinator.hpp"
#include "dpor/explore.hpp"
#include "dpor/rank_messages.hpp"

namespace mazurka::dpor {

/// A rank's connection to rank 0.
class Link {
 public:
  explicit Link(Transport& transport) : transport_(transport) {}

  void send(const ByteWriter& message) { transport_.send(0, message.written()); }
  /// Handles all messages that have arrived; does not block.
  void poll() {
    while (take_one()) {
    }
  }
  /// Waits a little. \see Transport::wait
  void wait(unsigned n) { transport_.wait(n); }
  /// Blocks until a message of this kind arrives. Nullopt if the search stops first: then nobody needs the answer.
  std::optional<Bytes> await(Message kind) { return await(kind, kind, true); }
  /// The same, but also nullopt if a message of kind `other` arrives.
  std::optional<Bytes> await(Message kind, Message other, bool unless_stopped);
  /// Blocks until rank 0's TeamNotes has answered, also while the search stops. Throws UnsupportedError if rank 0 has
  /// ended.
  Bytes ask(std::span<const std::byte> question);
  /// Blocks until rank 0 begins another search. Nullopt if there will be none.
  std::optional<Bytes> await_begin();

  bool stops() const { return stops_ || ended_; }
  /// Whether rank 0 has asked for work since the last call of handed_over().
  bool is_wanted() const { return wanted_; }
  void handed_over() { wanted_ = false; }
  /// The number of the rest that is due, 0 if none is.
  std::uint64_t rest_due() const { return rest_due_; }
  std::uint64_t rest_over() const { return rest_over_; }

 private:
  bool take_one();

  Transport& transport_;
  bool stops_ = false;
  bool ended_ = false;
  bool wanted_ = false;
  std::uint64_t rest_due_ = 0;
  std::uint64_t rest_over_ = 0;
  std::optional<Message> reply_kind_;  ///< of the last message that was a reply, not a notice
  Bytes reply_;
};

class RemoteCoordinator final : public Coordinator {
 public:
  /// `note` writes the note that goes with a rest (MemberNotes::write). \pre All outlive it.
  RemoteCoordinator(Link& link, const Options& options, const std::function<void(ByteWriter&)>& note)
      : link_(link), options_(options), note_(note) {}

  std::optional<SearchPath::Prefix> take() override;
  void finish(const Counted& counted) override;
  Planned insert(Reversal& v) override;
  bool is_short_of_work() const override { return link_.is_wanted(); }
  void hand_over(const HandedOver& all) override;
  void mark_executed(std::size_t length, bool fatal) override;
  bool rest_is_due() override;
  void rest(const Counted& counted) override;
  bool count_execution() override;
  std::uint64_t executions() const override { return before_ + begun_; }
  void begin_anew(const Awaited& awaited) override;
  void stop() override;
  bool stops() const override { return link_.stops(); }

 private:
  Link& link_;
  const Options& options_;
  const std::function<void(ByteWriter&)>& note_;
  std::uint64_t before_ = 0;  ///< executions of the other explorers when this one last took a prefix
  std::uint64_t begun_ = 0;
  std::uint64_t granted_ = 0;
  bool is_over_ = false;
};

/// What a rank exchanges with rank 0 besides the search (TeamNotes).
class MemberNotes {
 public:
  MemberNotes() = default;
  MemberNotes(const MemberNotes&) = delete;
  MemberNotes& operator=(const MemberNotes&) = delete;
  virtual ~MemberNotes() = default;

  /// Before a search: reads the note of rank 0 (TeamNotes::write).
  virtual void read(ByteReader& note) = 0;
  /// At the end of a search and before a rest: writes a note for rank 0 (TeamNotes::read).
  virtual void write(ByteWriter& note) = 0;
  /// Whether a failure ends the search.
  virtual bool ends_at_errors() const = 0;
  virtual bool deadlocks_fail() const = 0;
};

/// Takes part in every search of rank 0, until rank 0 ends.
void explore_for_rank_0(Link& link, Executor& executor, MemberNotes& notes);

}  // namespace mazurka::dpor
