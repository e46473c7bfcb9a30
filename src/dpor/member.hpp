// An explorer in a rank other than 0. What it would ask of a search in its own process it asks rank 0 (team.hpp), by
// messages.
#pragma once

#include <cstdint>
#include <deque>
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

  /// Sends a message, and those before it that have not been sent yet.
  void send(const ByteWriter& message) {
    send_soon(message);
    flush();
  }
  /// The same, but it may wait for others.
  void send_soon(const ByteWriter& message);
  /// Takes note of all messages that are there, and sends what has waited for too long.
  void poll();
  /// Waits a little. \see Transport::wait
  void wait(unsigned n) {
    flush();
    transport_.wait(n);
  }
  /// Blocks until a message of this kind arrives. Nullopt if the search stops first: then nobody needs the answer.
  std::optional<Bytes> await(Message kind) { return await(kind, kind, true); }
  /// The same, but also nullopt if a message of kind `other` arrives.
  std::optional<Bytes> await(Message kind, Message other, bool unless_stopped);
  /// Blocks until rank 0's TeamNotes has answered, also while the search stops. Throws UnsupportedError if rank 0 has
  /// ended.
  Bytes ask(std::span<const std::byte> question);
  /// Blocks until rank 0 begins another search. Nullopt if there will be none.
  std::optional<Bytes> await_begin();

  /// An answer to Take or Insert, without its first byte. None if none has come since the last one.
  struct Late {
    Message kind;
    Bytes message;
  };
  std::optional<Late> next_answer();
  /// Nothing is left to explore.
  bool is_over() const { return over_; }
  double now() const { return transport_.now(); }

  bool stops() const { return stops_ || ended_; }
  /// Whether rank 0 has asked for work since the last call of handed_over().
  bool is_wanted() const { return wanted_; }
  void handed_over() { wanted_ = false; }
  /// The number of the rest that is due, 0 if none is.
  std::uint64_t rest_due() const { return rest_due_; }
  std::uint64_t rest_over() const { return rest_over_; }

 private:
  bool take_one();
  void flush();

  Transport& transport_;
  ByteWriter unsent_;
  double oldest_ = 0;     ///< when the first message of `unsent_` was written
  double last_poll_ = 0;  ///< when that was
  std::deque<Late> late_;
  bool stops_ = false;
  bool over_ = false;
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
  void pass_on_answers(const Learn& learn) override;
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
  void read_answers();
  void ask_for_more();
  enum class Answer { Wanted, Ignored };
  void send_insertion(Ticket unless_settled, Answer answer, const Bytes& reversal);
  void send_conditional();
  void give_back();

  Link& link_;
  const Options& options_;
  const std::function<void(ByteWriter&)>& note_;
  std::uint64_t before_ = 0;  ///< executions of the other explorers when this one last took a prefix
  std::uint64_t begun_ = 0;
  std::uint64_t granted_ = 0;
  struct Queued {
    std::uint64_t number;  ///< of all that were taken, from 0
    SearchPath::Prefix prefix;
  };
  std::deque<Queued> queue_;      ///< that were taken and are to be explored later
  std::uint64_t taken_ = 0;       ///< prefixes so far
  bool has_asked_ = false;        ///< an answer to Take is to come
  double asked_ = 0;              ///< when it did
  double round_trip_ = 0;         ///< seconds from Take to its answer, where that was there at once
  double begun_at_ = 0;           ///< when it began to explore the last prefix
  double per_prefix_ = 0;         ///< seconds that it explores one, lately
  Ticket tickets_ = kNoTicket;    ///< the last one
  Ticket learnt_ = kNoTicket;     ///< the last one whose answer was passed on
  std::vector<Planned> answers_;  ///< of the tickets after that
  struct Conditional {
    Ticket ticket;  ///< the reversal is planned only if this one is not settled
    Bytes reversal;
  };
  std::vector<Conditional> conditional_;  ///< those whose answer has not come
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
