#include "program/exchange.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <span>
#include <type_traits>
#include <utility>

#include "core/error.hpp"
#include "core/footprints.hpp"
#include "core/invariant.hpp"
#include "program/damage.hpp"

namespace mazurka::program {
namespace {

bool same_but_offers(const Event& a, const Event& b) {
  return a.process == b.process && a.alternative == b.alternative && a.operation == b.operation &&
         a.observed() == b.observed() && a.written == b.written && a.site == b.site;
}
bool same(const Event& a, const Event& b) {
  return same_but_offers(a, b) && a.offers_begin == b.offers_begin && a.offers_count == b.offers_count;
}
/// The quick test: most events are the same to the last bit.
bool identical(const Event& a, const Event& b) {
  static_assert(std::has_unique_object_representations_v<Event>);
  return std::memcmp(&a, &b, sizeof(Event)) == 0;
}

/// Of memory that the other processor has, asked for before they are needed.
constexpr std::size_t kLinesAhead = 12;

std::uint64_t new_source() {
  static std::atomic<std::uint64_t> sources = 0;
  return ++sources;
}

}  // namespace

Exchange::Exchange(protocol::Channel& channel) : channel_(channel), source_(new_source()) {}

void Exchange::write(const Job& job, const std::vector<protocol::Wait>& waits) {
  if (job.prefix.size() > protocol::kMaxEvents || job.sleep.size() + job.put_off.size() > protocol::kMaxSleepers)
    throw UnsupportedError("the schedule is too long for a worker");
  if (waits.size() > protocol::kMaxWaits) throw UnsupportedError("more than 512 places where threads wait in loops");
  channel_.continuation = job.continuation;
  channel_.seed = job.seed;
  if (goes_by_priority(job.continuation)) channel_.guidance = job.guidance;
  channel_.learns = job.learns ? 1 : 0;
  channel_.waits_are_new = channel_.wait_count != waits.size() ? 1 : 0;
  if (channel_.waits_are_new != 0) std::copy(waits.begin(), waits.end(), channel_.waits);
  channel_.wait_count = static_cast<std::uint32_t>(waits.size());
  channel_.max_steps = job.max_steps;
  channel_.bound = job.bound;
  const auto put_off_count = static_cast<std::uint32_t>(job.put_off.size());
  const std::uint32_t sleeper_count = put_off_count + static_cast<std::uint32_t>(job.sleep.size());
  prefix_lengths_.assign(1, job.prefix.size());
  read_ = 0;
  record_bytes_ = queued_steps_ = queued_sleepers_ = 0;
  written_ = job.prefix;
  channel_.queued_count = channel_.hurries = 0;
  channel_.record_count = channel_.record_bytes = 0;
  channel_.prefix_length = static_cast<std::uint32_t>(job.prefix.size());
  channel_.put_off_count = put_off_count;
  channel_.sleeper_count = sleeper_count;
  write_prefix(job.prefix);
  std::copy(job.sleep.begin(), job.sleep.end(), std::copy(job.put_off.begin(), job.put_off.end(), channel_.sleepers));
  for (std::uint32_t i = 0; i < sleeper_count; ++i) translate_back(channel_.sleepers[i].operation);
}

bool Exchange::queue(const Job& job) {
  const std::size_t most = std::min(job.prefix.size(), written_.size());
  const auto shared = static_cast<std::size_t>(
      std::mismatch(job.prefix.begin(), job.prefix.begin() + static_cast<std::ptrdiff_t>(most), written_.begin())
          .first -
      job.prefix.begin());
  const std::size_t steps = job.prefix.size() - shared;
  const std::size_t sleepers = job.put_off.size() + job.sleep.size();
  if (goes_by_priority(job.continuation) || channel_.queued_count == protocol::kMaxQueued ||
      job.prefix.size() > protocol::kMaxEvents || steps > protocol::kMaxQueuedSteps - queued_steps_ ||
      sleepers > protocol::kMaxQueuedSleepers - queued_sleepers_)
    return false;
  protocol::QueuedJob& queued = channel_.queued[channel_.queued_count];
  queued.seed = job.seed;
  queued.max_steps = job.max_steps;
  queued.bound = job.bound;
  queued.shared = static_cast<std::uint32_t>(shared);
  queued.prefix_length = static_cast<std::uint32_t>(job.prefix.size());
  queued.steps_begin = queued_steps_;
  queued.sleepers_begin = queued_sleepers_;
  queued.sleeper_count = static_cast<std::uint32_t>(sleepers);
  queued.put_off_count = static_cast<std::uint32_t>(job.put_off.size());
  queued.learns = job.learns ? 1 : 0;
  queued.continuation = job.continuation;
  std::copy(job.prefix.begin() + static_cast<std::ptrdiff_t>(shared), job.prefix.end(),
            channel_.queued_steps + queued_steps_);
  Sleeper* const first = channel_.queued_sleepers + queued_sleepers_;
  std::copy(job.sleep.begin(), job.sleep.end(), std::copy(job.put_off.begin(), job.put_off.end(), first));
  for (std::size_t i = 0; i < sleepers; ++i) translate_back(first[i].operation);
  queued_steps_ += static_cast<std::uint32_t>(steps);
  queued_sleepers_ += static_cast<std::uint32_t>(sleepers);
  written_.resize(shared);
  written_.insert(written_.end(), job.prefix.begin() + static_cast<std::ptrdiff_t>(shared), job.prefix.end());
  prefix_lengths_.push_back(job.prefix.size());
  ++channel_.queued_count;
  return true;
}

/// Line by line: see protocol::put().
void Exchange::write_prefix(const std::vector<Step>& prefix) {
  constexpr std::size_t kSteps = 64 / sizeof(Step);  // in a line
  for (std::size_t i = 0; i < prefix.size(); i += kSteps) {
    const std::size_t bytes = std::min(kSteps, prefix.size() - i) * sizeof(Step);
    if (std::memcmp(channel_.prefix + i, prefix.data() + i, bytes) != 0)
      std::memcpy(channel_.prefix + i, prefix.data() + i, bytes);
  }
}

void Exchange::prefetch() const {
  __builtin_prefetch(&channel_.event_count);
  __builtin_prefetch(&channel_.load_base);
  const std::size_t prefix = prefix_length();
  const Event* const first = channel_.events + (prefix == 0 ? 0 : prefix - 1);
  for (std::size_t i = 0; i < kLinesAhead; ++i) __builtin_prefetch(first + i);
}

std::uint32_t Exchange::record_count() const {
  return checked_count(channel_.record_count, prefix_lengths_.size() - 1, "the records");
}

Answer Exchange::next_record() {
  constexpr const char* kWhat = "the records";
  const std::uint32_t room = protocol::kRecordBytes - record_bytes_;
  if (room < sizeof(protocol::AnswerRecord)) throw DamagedSegment{kWhat};
  const char* place = channel_.records + record_bytes_;
  protocol::AnswerRecord record;
  std::memcpy(&record, place, sizeof record);  // once: the program may write there
  Answer answer{};
  answer.is_record = true;
  answer.event_count = checked_count(record.event_count, protocol::kMaxEvents, "the events");
  answer.resumed = checked_count(record.resumed, answer.event_count, "the events");
  answer.offer_count = checked_count(record.offer_count, protocol::kMaxOffers, "the alternatives");
  answer.pending_count = checked_count(record.pending_count, protocol::kMaxPending, "the pending operations");
  answer.output_part_count = checked_count(record.output_part_count, protocol::kMaxOutputParts, "the output");
  answer.output_length = checked_count(record.output_length, protocol::kOutputBytes, "the output");
  answer.stopped_by = checked_count(record.stopped_by, kStoppedByAny, "the limits that were met");
  answer.warnings = record.warnings;
  answer.unjoined = record.unjoined;
  answer.unjoined_count = record.unjoined_count;
  answer.left_running = record.left_running;
  answer.exit_status = record.exit_status;
  answer.outcome = checked(record.outcome);
  place += sizeof record;
  const auto take = [&]<class T>(const T*& first, std::size_t count) {
    first = reinterpret_cast<const T*>(place);
    place += count * sizeof(T);
  };
  take(answer.events, answer.event_count - answer.resumed);
  answer.events -= answer.resumed;
  take(answer.offers, answer.offer_count);
  take(answer.pending, answer.pending_count);
  take(answer.output_parts, answer.output_part_count);
  take(answer.output, answer.output_length);
  const auto bytes = static_cast<std::size_t>(place - channel_.records) - record_bytes_;
  if (record.bytes != (bytes + 63) / 64 * 64 || record.bytes > room) throw DamagedSegment{kWhat};
  record_bytes_ += record.bytes;
  return answer;
}

Answer Exchange::answer(bool answered) const {
  Answer answer{};
  answer.events = answered ? channel_.events : channel_.journal;
  answer.offers = channel_.offers;
  answer.pending = channel_.pending;
  answer.output_parts = channel_.output_parts;
  answer.output = channel_.output;
  answer.event_count = checked_count(channel_.event_count, protocol::kMaxEvents, "the events");
  answer.offer_count = checked_count(channel_.offer_count, protocol::kMaxOffers, "the alternatives");
  answer.resumed = answered ? checked_count(channel_.resumed, answer.event_count, "the events") : 0;
  answer.pending_count = checked_count(channel_.pending_count, protocol::kMaxPending, "the pending operations");
  answer.output_part_count = std::min(channel_.output_part_count, protocol::kMaxOutputParts);
  answer.output_length = checked_count(channel_.output_length, protocol::kOutputBytes, "the output");
  answer.stopped_by = answered ? checked_count(channel_.stopped_by, kStoppedByAny, "the limits that were met") : 0;
  answer.warnings = channel_.warnings;
  answer.unjoined = channel_.unjoined;
  answer.unjoined_count = channel_.unjoined_count;
  answer.left_running = channel_.left_running;
  answer.exit_status = channel_.exit_status;
  answer.outcome = checked(channel_.outcome);
  return answer;
}

std::optional<Difference> Exchange::read(const Answer& answer, bool answered, std::size_t processes, Execution& into) {
  read_footprints(processes);
  const std::uint32_t wait_count =
      answer.is_record ? wait_count_ : checked_count(channel_.wait_count, protocol::kMaxWaits, "the waits");
  if (std::exchange(wait_count_, wait_count) != wait_count) forget();  // operations there are others now
  std::optional<Difference> difference = read_events(answer, answered, processes);
  // Of what it holds, the first events are right already.
  std::vector<Event> events = std::move(into.events);
  const std::size_t known = std::min({shared_since(into.mark), events.size(), last_.size()});
  into.clear();
  events.resize(last_.size());
  std::copy(last_.begin() + static_cast<std::ptrdiff_t>(known), last_.end(),
            events.begin() + static_cast<std::ptrdiff_t>(known));
  into.events = std::move(events);
  into.mark = {source_, answer_};
  into.outcome = answer.outcome;
  into.stopped_by = answer.stopped_by;
  into.offers.assign(answer.offers, answer.offers + answer.offer_count);
  for (const Offer& offer : into.offers)
    if (!is_possible(offer, processes)) throw DamagedSegment{"the alternatives"};
  read_pending(answer, processes, into.pending);
  ++read_;
  return difference;
}

void Exchange::read_pending(const Answer& answer, std::size_t processes, std::vector<Offer>& pending) {
  pending.resize(answer.pending_count);
  ProcessIndex before = 0;
  for (std::size_t j = 0; j < pending.size(); ++j) {
    const protocol::PendingRecord record = answer.pending[j];
    Offer& offer = pending[j] = record.offer;
    if (!is_possible(offer, processes) || offer.process < before ||
        (record.holder != kNoProcess && record.holder >= processes))
      throw DamagedSegment{"the pending operations"};
    before = offer.process;
    offer.holder = offer.operation.kind == OperationKind::ThreadJoin ? kNoProcess : record.holder;
  }
}

/// Brings `last_` up to date.
std::optional<Difference> Exchange::read_events(const Answer& answer, bool answered, std::size_t processes) {
  const std::size_t count = answer.event_count;
  const std::uint32_t offer_count = answer.offer_count;
  const std::size_t prefix_length = this->prefix_length();
  MZ_INVARIANT(is_complete_ || !answer.is_record, "a record says how an execution differs from the last");
  // What was not executed again is there already.
  std::size_t i = 0;
  if (answered && is_complete_)
    i = checked_count(answer.resumed, std::min({last_.size(), count, prefix_length}), "the events");
  const Event* const raw = answer.events;
  // The alternatives of events stand in their order.
  std::uint32_t offers_end = i == 0 ? 0 : last_[i - 1].offers_begin + last_[i - 1].offers_count;
  const auto copy = [&](std::size_t at, Event & event) __attribute__((always_inline)) {
    event = raw[at];
    const bool good = is_possible(event, processes) && event.offers_begin >= offers_end &&
                      event.offers_begin <= offer_count && event.offers_count <= offer_count - event.offers_begin;
    if (!good) [[unlikely]] {
      last_.resize(at);
      throw DamagedSegment{"the events"};
    }
    offers_end = event.offers_begin + event.offers_count;
    translate(event.operation);
  };
  const std::size_t comparable = std::min({last_.size(), count, prefix_length});
  std::size_t shared = SIZE_MAX;
  std::optional<Difference> difference;
  for (; i < comparable && !difference; ++i) {
    Event& before = last_[i];
    if (before.operation.kind != OperationKind::AtomicSection && identical(raw[i], before)) [[likely]] {
      offers_end = before.offers_begin + before.offers_count;
      continue;
    }
    if (raw[i].step() != before.step()) break;
    Event event;
    copy(i, event);
    if (same(event, before)) continue;
    if (!same_but_offers(event, before)) difference = {i, before, event};
    shared = std::min(shared, i);
    before = event;
  }
  note_shared(std::min(shared, i));
  last_.resize(difference ? i : count);
  if (offers_end > offer_count) throw DamagedSegment{"the alternatives"};
  for (; i < last_.size(); ++i) {
    __builtin_prefetch(raw + i + kLinesAhead);
    copy(i, last_[i]);
  }
  is_complete_ = answered && !difference;
  return difference;
}

void Exchange::note_shared(std::size_t events) {
  while (!shared_.empty() && shared_.back().events >= events) shared_.pop_back();
  shared_.push_back({++answer_, events});
}

std::size_t Exchange::shared_since(const AnswerMark& mark) const {
  if (!mark.is_from(source_)) return 0;
  const auto later = std::upper_bound(shared_.begin(), shared_.end(), mark.number(),
                                      [](std::uint64_t number, const Shared& s) { return number < s.answer; });
  return later->events;  // no answer since then has less in common with the one before
}

void Exchange::forget() {
  last_.clear();
  is_complete_ = false;
}

std::vector<Event> Exchange::start_over() {
  std::vector<Event> events = std::move(last_);
  forget();
  footprints_.clear();
  footprint_numbers_.clear();
  return events;
}

void Exchange::read_footprints(std::size_t processes) {
  const std::size_t count = checked_count(channel_.footprint_count, protocol::kMaxFootprints, "the atomic sections");
  if (count == footprints_.size()) [[likely]]
    return;
  if (count < footprints_.size()) throw DamagedSegment{"the atomic sections"};
  const std::size_t end = checked_count(channel_.footprint_operation_count, protocol::kMaxFootprintOperations,
                                        "the operations of atomic sections");
  for (std::size_t i = footprints_.size(); i < count; ++i) {
    const Footprint footprint = channel_.footprints[i];
    if (footprint.begin > end || footprint.count > end - footprint.begin || footprint.choices > footprint.count)
      throw DamagedSegment{"the atomic sections"};
    const Operation* const first = channel_.footprint_operations + footprint.begin;
    const std::vector<Operation> operations(first, first + footprint.count);
    for (std::size_t j = 0; j < operations.size(); ++j)
      if (!is_possible(operations[j], processes) || operations[j].kind == OperationKind::AtomicSection ||
          (operations[j].kind == OperationKind::Choose) != (j < footprint.choices))
        throw DamagedSegment{"the operations of atomic sections"};
    footprints_.push_back(i == 0 ? kUnknownFootprint : intern_footprint(operations, footprint.choices));
    footprint_numbers_.emplace(footprints_.back(), i);
  }
}

void Exchange::translate(Operation& operation) const {
  if (operation.kind != OperationKind::AtomicSection || operation.object == kUnknownFootprint) return;
  operation.object = operation.object < footprints_.size() ? footprints_[operation.object] : kUnknownFootprint;
}

void Exchange::translate_back(Operation& operation) {
  if (operation.kind != OperationKind::AtomicSection || operation.object == kUnknownFootprint) return;
  const auto known = footprint_numbers_.find(operation.object);
  operation.object = known != footprint_numbers_.end() ? known->second : enter_footprint(operation);
}

std::uint64_t Exchange::enter_footprint(const Operation& section) {
  if (channel_.footprint_count == 0) channel_.footprint_count = 1;  // the unknown one
  read_footprints(protocol::kMaxProcesses);
  const Footprint& footprint = footprint_table.entries[section.object];
  const std::uint32_t number = channel_.footprint_count;
  const std::uint32_t begin = channel_.footprint_operation_count;
  if (number == protocol::kMaxFootprints || footprint.count > protocol::kMaxFootprintOperations - begin)
    throw UnsupportedError("too many different atomic sections for a worker");
  std::copy_n(footprint_table.operations + footprint.begin, footprint.count, channel_.footprint_operations + begin);
  channel_.footprints[number] = {begin, footprint.count, footprint.choices, 0, footprint.ends_program};
  channel_.footprint_operation_count = begin + footprint.count;
  channel_.footprint_count = number + 1;
  read_footprints(protocol::kMaxProcesses);
  return number;
}

}  // namespace mazurka::program
