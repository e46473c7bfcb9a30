#include "dpor/team.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/execution_bytes.hpp"
#include "core/interrupt.hpp"
#include "core/invariant.hpp"
#include "dpor/failed_rank.hpp"
#include "dpor/rank_messages.hpp"
#include "dpor/value_bytes.hpp"

namespace mazurka::dpor {

Team::~Team() {
  for (std::uint32_t rank = 1; rank < peers_.size(); ++rank) send(rank, message(Message::End));
}

void Team::begin(Search& search, std::size_t first) {
  search_ = &search;
  told_to_stop_ = false;
  failure_ = nullptr;
  busy_ = size();
  ByteWriter begin = message(Message::Begin);
  put(begin, search.options);
  put(begin, search.awaited);
  ByteWriter note;
  notes_.write(note);
  begin.bytes(note.written());
  for (std::uint32_t rank = 1; rank < peers_.size(); ++rank) {
    peers_[rank] = {};
    peers_[rank].search = std::make_unique<LocalCoordinator>(search, first + rank - 1);
    send(rank, begin);
  }
}

void Team::serve(Listener& listener, std::span<Result> results) {
  constexpr unsigned kAtOnce = 64;  // messages, before a look at what concerns all ranks
  for (unsigned in_vain = 0; busy_ != 0;) {
    unsigned count = 0;
    for (; count < kAtOnce; ++count) {
      const std::optional<Transport::Received> received = transport_.receive();
      if (!received) break;
      MZ_INVARIANT(received->from > 0 && received->from < peers_.size(), "rank 0 sends no message to itself");
      ByteReader all(received->message);
      while (!all.is_empty()) {
        ByteReader reader(all.part());
        handle(received->from, reader, listener, results);
      }
    }
    if (interrupted()) search_->frontier.stop();
    if (!listener.on_progress(total())) search_->frontier.stop();
    if (search_->frontier.stops()) stop_all();
    call_to_rest();
    for (std::uint32_t rank = 1; rank < peers_.size(); ++rank) serve(rank);
    call_for_work();
    look_who_is_late();
    if (count != 0)
      in_vain = 0;
    else if (busy_ != 0)
      transport_.wait(in_vain++);
  }
  listener.on_progress(total());
  if (failure_) std::rethrow_exception(failure_);
}

void Team::handle(std::uint32_t rank, ByteReader& reader, Listener& listener, std::span<Result> results) {
  Peer& peer = peers_[rank];
  const auto read_note = [&] {
    const Bytes note = reader.bytes();
    ByteReader note_reader(note);
    notes_.read(rank, note_reader);
  };
  switch (reader.choice(kLastMessage)) {
    case Message::Take: reader.number(peer.takes); break;
    case Message::GiveBack: {
      const auto begin = reader.number<std::uint64_t>();
      peer.search->give_back(begin, reader.number<std::uint64_t>());
      peer.knows_wanted = false;
      break;
    }
    case Message::Finish:
      peer.search->finish(read_counted(reader));
      peer.knows_wanted = false;
      break;
    case Message::Insert: return insert(peer, reader);
    case Message::HandOver:
      peer.search->hand_over(read_handed_over(reader));
      peer.knows_wanted = false;
      break;
    case Message::Executed: {
      const auto length = reader.number<std::uint64_t>();
      peer.search->mark_executed(length, reader.flag());
      break;
    }
    case Message::Rest: {
      const auto number = reader.number<std::uint64_t>();
      const Counted counted = read_counted(reader);
      read_note();
      if (number != peer.rest) break;  // it has been told by now that this one is over
      peer.search->begin_rest(counted);
      peer.rests = true;
      break;
    }
    case Message::BeginAnew: peer.search->begin_anew(read_awaited(reader)); break;
    case Message::Stop: search_->frontier.stop(); break;
    case Message::Count: {
      ByteWriter granted = message(Message::Granted);
      granted.number(grant());
      send(rank, granted);
      break;
    }
    case Message::Error: {
      const auto number = reader.number<std::uint64_t>();
      if (!listener.on_error(read_execution(reader), number)) search_->frontier.stop();
      break;
    }
    case Message::Cut: listener.on_cut(read_execution(reader)); break;
    case Message::Progress: update(peer, read_statistics(reader)); break;
    case Message::Ask: {
      const Bytes question = reader.bytes();
      ByteReader asked(question);
      ByteWriter said;
      notes_.answer(rank, asked, said);
      ByteWriter answer = message(Message::Answer);
      answer.bytes(said.written());
      send(rank, answer);
      break;
    }
    case Message::Done:
      results[rank - 1] = read_result(reader);
      update(peer, results[rank - 1].statistics);
      read_note();
      if (peer.search->held() != 0)
        search_->frontier.stop();  // it was interrupted alone, and nobody else has what it left
      peer.is_done = true;
      --busy_;
      break;
    case Message::Failed:
      if (!failure_) failure_ = read_failure(reader, rank);
      search_->frontier.stop();
      peer.is_done = true;
      --busy_;
      break;
    default: throw DamagedMessage();
  }
  reader.end();
}

/// Gives a rank what it waits for, as soon as that is possible.
void Team::serve(std::uint32_t rank) {
  Peer& peer = peers_[rank];
  if (peer.is_done) return;
  if (peer.rests && !peer.search->is_resting()) {
    peer.rests = false;
    end_rest(rank);
  }
  if (!peer.answers.empty()) {
    ByteWriter inserted = message(Message::Inserted);
    inserted.list(std::exchange(peer.answers, {}), [&](Planned planned) { inserted.choice(planned); });
    send(rank, inserted);
  }
  if (peer.takes == 0 || peer.rests) return;
  bool over = false;
  const std::size_t share = std::max<std::size_t>(search_->frontier.stock() / size(), 1);
  std::vector<SearchPath::Prefix> taken;
  while (taken.size() < std::min(share, peer.takes)) {
    std::optional<SearchPath::Prefix> prefix = peer.search->try_take(over);
    if (!prefix) break;
    taken.push_back(std::move(*prefix));
  }
  if (over) {
    peer.takes = 0;
    send(rank, message(Message::Over));
  } else if (!taken.empty()) {
    peer.takes = 0;
    ByteWriter answer = message(Message::Taken);
    answer.number(search_->runs.load(std::memory_order_relaxed));
    answer.list(taken, [&](const SearchPath::Prefix& prefix) { put(answer, prefix); });
    send(rank, answer);
  }
}

/// A reversal whose history an explorer has extended, because it did not know yet that it is settled, is not needed.
void Team::insert(Peer& peer, ByteReader& reader) {
  for (const auto learnt = reader.number<Ticket>(); peer.first <= learnt; ++peer.first) {
    if (peer.inserted.empty()) throw DamagedMessage();
    peer.inserted.pop_front();
  }
  const auto unless_settled = reader.number<Ticket>();
  const bool wants_answer = reader.flag();
  ByteReader reversal(reader.part());
  reader.end();
  if (unless_settled != kNoTicket) {
    // What is known there already is no condition any more.
    if (unless_settled < peer.first || unless_settled - peer.first >= peer.inserted.size()) throw DamagedMessage();
    if (peer.inserted[unless_settled - peer.first] == Planned::Settled) return;
  }
  Reversal v = read_reversal(reversal);
  reversal.end();
  const Planned planned = peer.search->insert(v);
  if (!wants_answer || search_->options.algorithm == Algorithm::Source) return;
  peer.inserted.push_back(planned);
  peer.answers.push_back(planned);
}

/// An idle rank never rests, and must not rest alone later: RestOver revokes RestDue. If its Rest crosses RestOver,
/// that rest is over already.
void Team::call_to_rest() {
  SearchKeeper* const keeper = search_->options.keeper;
  const bool due = keeper != nullptr && !search_->frontier.stops() && keeper->is_due();
  if (due && std::ranges::any_of(peers_, [](const Peer& peer) { return peer.search && peer.rest == 0; })) ++rests_;
  for (std::uint32_t rank = 1; rank < peers_.size(); ++rank) {
    Peer& peer = peers_[rank];
    if (peer.is_done || due == (peer.rest != 0)) continue;
    if (due) {
      peer.rest = rests_;
      ByteWriter told = message(Message::RestDue);
      told.number(rests_);
      send(rank, told);
    } else if (!peer.rests) {
      end_rest(rank);
    }
  }
}

void Team::end_rest(std::uint32_t rank) {
  ByteWriter told = message(Message::RestOver);
  told.number(std::exchange(peers_[rank].rest, 0));
  send(rank, told);
}

void Team::call_for_work() {
  if (!search_->frontier.is_short_of_work()) return;
  for (std::uint32_t rank = 1; rank < peers_.size(); ++rank) {
    Peer& peer = peers_[rank];
    if (peer.is_done || peer.knows_wanted || peer.search->held() == 0) continue;
    peer.knows_wanted = true;
    send(rank, message(Message::Wanted));
  }
}

void Team::stop_all() {
  if (std::exchange(told_to_stop_, true)) return;
  for (std::uint32_t rank = 1; rank < peers_.size(); ++rank)
    if (!peers_[rank].is_done) send(rank, message(Message::Stops));
}

void Team::look_who_is_late() {
  // A launcher that ends all ranks because one has died gives them a second after its signal.
  constexpr double kBeforeKill = 0.6;
  constexpr double kLong = 15;
  if (!end_wanted()) return;
  const auto now = std::chrono::steady_clock::now();
  if (!end_wanted_) end_wanted_ = now;
  const double seconds = std::chrono::duration<double>(now - *end_wanted_).count();
  if (seconds < (signalled() ? kBeforeKill : kLong)) return;
  for (std::uint32_t rank = 1; rank < peers_.size(); ++rank) {
    const Peer& peer = peers_[rank];
    if (!peer.is_done && !peer.rests && peer.search->held() != 0) notes_.is_late(rank, seconds);
  }
}

void Team::update(Peer& peer, const Statistics& statistics) {
  // Where executions are limited, they were counted when they were granted.
  if (search_->options.max_executions == UINT64_MAX)
    search_->runs.fetch_add(statistics.runs() - peer.latest.runs(), std::memory_order_relaxed);
  peer.latest = statistics;
}

/// A share of the executions that are left: large at first, so that ranks seldom have to ask.
std::uint64_t Team::grant() {
  constexpr std::uint64_t kShares = 16;  // for each explorer
  const std::uint64_t most = search_->options.max_executions;
  const std::uint64_t begun = search_->runs.load(std::memory_order_relaxed);
  const std::uint64_t share = std::max<std::uint64_t>((most - std::min(most, begun)) / (kShares * peers_.size()), 1);
  const std::uint64_t before = search_->runs.fetch_add(share, std::memory_order_relaxed);
  return before >= most ? 0 : std::min(share, most - before);
}

Statistics Team::total() const {
  Statistics all;
  for (const Peer& peer : peers_) all.add(peer.latest);
  return all;
}

}  // namespace mazurka::dpor
