#include "dpor/member.hpp"

#include <chrono>
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
    constexpr auto kBetween = std::chrono::milliseconds(5);
    const auto now = std::chrono::steady_clock::now();
    if (now - last_ >= kBetween) {
      last_ = now;
      ByteWriter told = message(Message::Progress);
      put(told, statistics);
      link_.send(told);
      link_.poll();
    }
    return !link_.stops();
  }

 private:
  Link& link_;
  const MemberNotes& notes_;
  std::chrono::steady_clock::time_point last_;
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
    case Message::End: ended_ = true; break;
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
    transport_.wait(in_vain);
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
  stops_ = wanted_ = false;
  rest_due_ = rest_over_ = 0;
  return begin;
}

std::optional<SearchPath::Prefix> RemoteCoordinator::take() {
  if (stops()) return std::nullopt;
  link_.handed_over();  // what was wanted before concerns somebody who had something
  link_.send(message(Message::Take));
  const std::optional<Bytes> taken = link_.await(Message::Taken, Message::Over, true);
  if (!taken) {
    is_over_ = true;
    return std::nullopt;
  }
  ByteReader reader(*taken);
  reader.number(before_);
  before_ -= std::min(before_, begun_);
  SearchPath::Prefix prefix = read_prefix(reader);
  reader.end();
  return prefix;
}

void RemoteCoordinator::finish(const Counted& counted) {
  ByteWriter told = message(Message::Finish);
  put(told, counted);
  link_.send(told);
}

Planned RemoteCoordinator::insert(Reversal& v) {
  if (stops()) return Planned::Open;
  ByteWriter told = message(Message::Insert);
  put(told, v);
  link_.send(told);
  if (options_.algorithm == Algorithm::Source) return Planned::Settled;  // whatever becomes of it
  const std::optional<Bytes> inserted = link_.await(Message::Inserted);
  if (!inserted) return Planned::Open;
  ByteReader reader(*inserted);
  return reader.choice(Planned::Open);
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
  link_.send(told);
}

bool RemoteCoordinator::rest_is_due() {
  link_.poll();  // once before each execution
  return link_.rest_due() != 0;
}

void RemoteCoordinator::rest(const Counted& counted) {
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
  if (!is_over_ && !stops()) link_.send(message(Message::Stop));
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
