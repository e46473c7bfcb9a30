#include "dpor/member.hpp"

#include <algorithm>
#include <cmath>
#include <exception>
#include <set>
#include <utility>

#include "core/error.hpp"
#include "core/execution_bytes.hpp"
#include "core/interrupt.hpp"
#include "dpor/explorer.hpp"
#include "dpor/failed_rank.hpp"
#include "dpor/value_bytes.hpp"

namespace mazurka::dpor {
namespace {

/// Forwards findings and progress to the listener at rank 0.
class RemoteListener final : public Listener {
 public:
  RemoteListener(Link& link, const MemberNotes& notes) : link_(link), notes_(notes) {}

  bool on_error(const Execution& execution, std::uint64_t number) override {
    ByteWriter told = message(Message::Error);
    told.number(number);
    put(told, execution);
    link_.send(told);
    return !notes_.ends_at_errors();
  }
  bool deadlocks_fail() const override { return notes_.deadlocks_fail(); }
  void on_cut(const Execution& execution) override {
    // Under a bound, nearly all executions may be cut. Rank 0 needs every reason, and some examples of places.
    constexpr std::uint64_t kExamples = 256;
    const bool is_new = reasons_.insert(execution.stopped_by).second;
    if (++cut_ > kExamples && !is_new) return;
    ByteWriter told = message(Message::Cut);
    put(told, execution);
    link_.send(told);
  }
  bool on_progress(const Statistics& statistics) override {
    constexpr double kBetween = 5e-3;
    const double now = link_.now();
    if (now - last_ >= kBetween) {
      last_ = now;
      ByteWriter told = message(Message::Progress);
      put(told, statistics);
      link_.send_soon(told);
      link_.poll();
    }
    return !link_.stops();
  }

 private:
  Link& link_;
  const MemberNotes& notes_;
  double last_ = 0;
  std::uint64_t cut_ = 0;
  std::set<std::uint32_t> reasons_;  ///< why they were
};

void explore_once(Link& link, Executor& executor, MemberNotes& notes, const Bytes& begin) {
  ByteReader reader(begin);
  const Options options = read_options(reader);
  const Awaited awaited = read_awaited(reader);
  const Bytes note = reader.bytes();
  reader.end();
  ByteReader note_reader(note);
  notes.read(note_reader);
  const std::function<void(ByteWriter&)> describe = [&](ByteWriter& to) { notes.write(to); };
  RemoteCoordinator coordinator(link, options, describe);
  RemoteListener listener(link, notes);
  Explorer explorer(executor, options, awaited, {}, coordinator, listener);
  explorer.run();
  ByteWriter done = message(Message::Done);
  put(done, explorer.result());
  ByteWriter last;
  notes.write(last);
  done.bytes(last.written());
  link.send(done);
}

}  // namespace

void Link::send_soon(const ByteWriter& message) {
  if (unsent_.written().empty()) oldest_ = now();
  unsent_.bytes(message.written());
}

void Link::flush() {
  if (unsent_.written().empty()) return;
  const Bytes messages = unsent_.take();
  unsent_ = {};
  transport_.send(0, messages);
}

void Link::poll() {
  constexpr double kLongest = 1e-4;  // what a message may wait for others, and a round of an explorer last at most
  constexpr std::size_t kLargest = 1U << 16;
  while (take_one()) {
  }
  const double last = std::exchange(last_poll_, now());
  if (last_poll_ - last > kLongest || last_poll_ - oldest_ > kLongest || unsent_.written().size() > kLargest) flush();
}

std::optional<Link::Late> Link::next_answer() {
  if (late_.empty()) return std::nullopt;
  Late first = std::move(late_.front());
  late_.pop_front();
  return first;
}

bool Link::take_one() {
  std::optional<Transport::Received> received = transport_.receive();
  if (!received) return false;
  ByteReader reader(received->message);
  switch (const Message kind = reader.choice(kLastMessage)) {
    case Message::Wanted: wanted_ = true; break;
    case Message::RestDue: reader.number(rest_due_); break;
    case Message::RestOver:
      reader.number(rest_over_);
      if (rest_over_ >= rest_due_) rest_due_ = 0;
      break;
    case Message::Stops: stops_ = true; break;
    case Message::Over: over_ = true; break;
    case Message::End: ended_ = true; break;
    case Message::Taken:
    case Message::Inserted:
      late_.push_back({kind, Bytes(received->message.begin() + 1, received->message.end())});
      break;
    default: reply_kind_ = kind; reply_ = Bytes(received->message.begin() + 1, received->message.end());
  }
  return true;
}

std::optional<Bytes> Link::await(Message kind, Message other, bool unless_stopped) {
  for (unsigned in_vain = 0;; ++in_vain) {
    while (take_one()) {
      const std::optional<Message> replied = std::exchange(reply_kind_, std::nullopt);
      if (replied == kind) return std::move(reply_);
      if (replied == other) return std::nullopt;
      // Else it is a notice, or an answer that came too late for a search that was stopped.
    }
    if (ended_ || (unless_stopped && (stops_ || interrupted()))) return std::nullopt;
    wait(in_vain);
  }
}

Bytes Link::ask(std::span<const std::byte> question) {
  ByteWriter asked = message(Message::Ask);
  asked.bytes(question);
  send(asked);
  std::optional<Bytes> answer = await(Message::Answer, Message::Answer, false);
  if (!answer) throw UnsupportedError("rank 0 has ended");
  ByteReader reader(*answer);
  return reader.bytes();
}

std::optional<Bytes> Link::await_begin() {
  std::optional<Bytes> begin = await(Message::Begin, Message::Begin, false);
  stops_ = wanted_ = over_ = false;
  late_.clear();
  rest_due_ = rest_over_ = 0;
  return begin;
}

std::optional<SearchPath::Prefix> RemoteCoordinator::take() {
  for (unsigned in_vain = 0;; ++in_vain) {
    link_.poll();
    read_answers();
    if (stops() || link_.is_over() || interrupted()) return std::nullopt;
    if (!queue_.empty()) break;
    ask_for_more();
    link_.wait(in_vain);
  }
  SearchPath::Prefix prefix = std::move(queue_.front().prefix);
  queue_.pop_front();
  begun_at_ = link_.now();
  ask_for_more();
  return prefix;
}

void RemoteCoordinator::read_answers() {
  while (const std::optional<Link::Late> late = link_.next_answer()) {
    ByteReader reader(late->message);
    if (late->kind == Message::Taken) {
      reader.number(before_);
      before_ -= std::min(before_, begun_);
      for (SearchPath::Prefix& prefix : reader.list<SearchPath::Prefix>([&] { return read_prefix(reader); }))
        queue_.push_back({taken_++, std::move(prefix)});
      has_asked_ = false;
      const double took = link_.now() - asked_;
      round_trip_ = round_trip_ == 0 ? took : std::min(round_trip_, took);
    } else {
      for (const Planned planned : reader.list<Planned>([&] { return reader.choice(Planned::Open); }))
        answers_.push_back(planned);
    }
    reader.end();
  }
}

/// Asks for so many prefixes that there is something to do until the next ones come.
void RemoteCoordinator::ask_for_more() {
  constexpr double kMost = 64;
  constexpr double kRoundTrips = 2;
  if (has_asked_) return;
  double wanted = 1;
  if (per_prefix_ > 0) wanted = std::clamp(std::ceil(kRoundTrips * round_trip_ / per_prefix_), 1.0, kMost);
  const auto least = static_cast<std::size_t>(wanted);
  if (queue_.size() >= least) return;
  ByteWriter take = message(Message::Take);
  take.number(static_cast<std::uint64_t>(2 * least - queue_.size()));
  link_.send(take);
  has_asked_ = true;
  asked_ = link_.now();
}

/// Others explore half of what this explorer has not begun.
void RemoteCoordinator::give_back() {
  const std::size_t kept = queue_.size() / 2;
  ByteWriter told = message(Message::GiveBack);
  told.number(queue_[kept].number);
  told.number(taken_);
  link_.send(told);
  queue_.erase(queue_.begin() + static_cast<std::ptrdiff_t>(kept), queue_.end());
  link_.handed_over();
}

void RemoteCoordinator::finish(const Counted& counted) {
  constexpr double kNew = 0.25;  // weight of the newest
  const double took = link_.now() - begun_at_;
  per_prefix_ = per_prefix_ == 0 ? took : (1 - kNew) * per_prefix_ + kNew * took;
  send_conditional();
  ByteWriter told = message(Message::Finish);
  put(told, counted);
  link_.send_soon(told);
  link_.handed_over();  // what was wanted before concerns somebody who had something
}

Planned RemoteCoordinator::insert(Reversal& v) {
  if (stops()) return Planned::Open;
  ByteWriter written;
  put(written, v);
  if (v.unless_settled != kNoTicket) {
    constexpr std::size_t kMost = 1024;
    conditional_.push_back({v.unless_settled, written.take()});
    if (conditional_.size() >= kMost) send_conditional();
    return Planned::Open;
  }
  send_insertion(kNoTicket, Answer::Wanted, written.written());
  if (options_.algorithm == Algorithm::Source) return Planned::Settled;  // whatever becomes of it
  v.ticket = ++tickets_;
  return Planned::Open;
}

void RemoteCoordinator::send_insertion(Ticket unless_settled, Answer answer, const Bytes& reversal) {
  ByteWriter told = message(Message::Insert);
  told.number(learnt_);
  told.number(unless_settled);
  told.flag(answer == Answer::Wanted);
  told.bytes(reversal);
  link_.send_soon(told);
}

/// Sends what has waited for an answer, without it: rank 0 knows what it was.
void RemoteCoordinator::send_conditional() {
  for (const Conditional& waiting : conditional_) send_insertion(waiting.ticket, Answer::Ignored, waiting.reversal);
  conditional_.clear();
}

void RemoteCoordinator::pass_on_answers(const Learn& learn) {
  read_answers();
  if (answers_.empty()) return;
  const Ticket first = learnt_ + 1;
  learn(first, answers_);
  learnt_ += answers_.size();
  std::erase_if(conditional_, [&](const Conditional& waiting) {
    if (waiting.ticket > learnt_) return false;
    if (answers_[waiting.ticket - first] == Planned::Open) send_insertion(kNoTicket, Answer::Ignored, waiting.reversal);
    return true;
  });
  answers_.clear();
}

void RemoteCoordinator::hand_over(const HandedOver& all) {
  ByteWriter told = message(Message::HandOver);
  put(told, all);
  link_.send(told);
  link_.handed_over();
}

void RemoteCoordinator::mark_executed(std::size_t length, bool fatal) {
  ByteWriter told = message(Message::Executed);
  told.number(std::uint64_t{length});
  told.flag(fatal);
  link_.send_soon(told);
}

bool RemoteCoordinator::rest_is_due() {
  link_.poll();  // once before each execution
  read_answers();
  if (link_.is_wanted() && !queue_.empty()) give_back();
  return link_.rest_due() != 0;
}

void RemoteCoordinator::rest(const Counted& counted) {
  send_conditional();
  const std::uint64_t number = link_.rest_due();
  ByteWriter told = message(Message::Rest);
  told.number(number);
  put(told, counted);
  ByteWriter note;
  note_(note);
  told.bytes(note.written());
  link_.send(told);
  for (unsigned in_vain = 0; link_.rest_over() < number && !stops() && !interrupted(); ++in_vain) {
    link_.wait(in_vain);
    link_.poll();
  }
}

bool RemoteCoordinator::count_execution() {
  ++begun_;
  if (options_.max_executions == UINT64_MAX) return true;
  if (granted_ == 0) {
    link_.send(message(Message::Count));
    const std::optional<Bytes> granted = link_.await(Message::Granted);
    if (!granted) return false;
    ByteReader reader(*granted);
    reader.number(granted_);
    if (granted_ == 0) return false;
  }
  --granted_;
  return true;
}

void RemoteCoordinator::begin_anew(const Awaited& awaited) {
  ByteWriter told = message(Message::BeginAnew);
  put(told, awaited);
  link_.send(told);
}

void RemoteCoordinator::stop() {
  if (!link_.is_over() && !stops()) link_.send(message(Message::Stop));
}

void explore_for_rank_0(Link& link, Executor& executor, MemberNotes& notes) {
  while (const std::optional<Bytes> begin = link.await_begin()) {
    ByteWriter failed = message(Message::Failed);
    try {
      explore_once(link, executor, notes, *begin);
      continue;
    } catch (...) {
      write_failure(failed, std::current_exception());
    }
    link.send(failed);
  }
}

}  // namespace mazurka::dpor
