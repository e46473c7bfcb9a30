#include "program/exchange.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <span>
#include <type_traits>
#include <utility>

#include "core/error.hpp"
#include "core/footprints.hpp"
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
/// Cheap test: most events are bitwise equal.
bool identical(const Event& a, const Event& b) {
  static_assert(std::has_unique_object_representations_v<Event>);
  return std::memcmp(&a, &b, sizeof(Event)) == 0;
}

/// How many cache lines to prefetch.
constexpr std::size_t kLinesAhead = 12;

std::uint64_t new_source() {
  static std::atomic<std::uint64_t> sources = 0;
  return ++sources;
}

}  // namespace

Exchange::Exchange(protocol::Channel& channel) : channel_(channel), source_(new_source()) {}

void Exchange::write(const Job& job, const std::vector<protocol::Wait>& waits) {
  if (job.prefix.size() > protocol::kMaxEvents || job.sleep.size() + job.postponed.size() > protocol::kMaxSleepers)
    throw UnsupportedError("the schedule is too long for a worker");
  if (waits.size() > protocol::kMaxWaits) throw UnsupportedError("more than 512 places where threads wait in loops");
  channel_.continuation = job.continuation;
  channel_.seed = job.seed;
  is_sample_ = job.prefix.empty() && is_sampled(job.continuation);
  if (goes_by_priority(job.continuation)) channel_.guidance = job.guidance;
  channel_.learns = job.learns ? 1 : 0;
  channel_.waits_are_new =
      channel_.wait_count != waits.size() || !std::equal(waits.begin(), waits.end(), channel_.waits) ? 1 : 0;
  if (channel_.waits_are_new != 0) std::copy(waits.begin(), waits.end(), channel_.waits);
  channel_.wait_count = static_cast<std::uint32_t>(waits.size());
  channel_.max_steps = job.max_steps;
  if (channel_.settings.keeps_states)
    channel_.states_from = job.deltas ? static_cast<std::uint32_t>(job.deltas_from) : UINT32_MAX;
  channel_.bound = job.bound;
  const auto postponed_count = static_cast<std::uint32_t>(job.postponed.size());
  const std::uint32_t sleeper_count = postponed_count + static_cast<std::uint32_t>(job.sleep.size());
  prefix_length_ = job.prefix.size();
  channel_.prefix_length = static_cast<std::uint32_t>(prefix_length_);
  channel_.postponed_count = postponed_count;
  channel_.sleeper_count = sleeper_count;
  write_prefix(job.prefix);
  std::copy(job.sleep.begin(), job.sleep.end(),
            std::copy(job.postponed.begin(), job.postponed.end(), channel_.sleepers));
  for (std::uint32_t i = 0; i < sleeper_count; ++i) translate_back(channel_.sleepers[i].operation);
}

/// By cache line, and only if it changes: see protocol::put().
void Exchange::write_prefix(const std::vector<Step>& prefix) {
  constexpr std::size_t kSteps = 64 / sizeof(Step);  // per cache line
  for (std::size_t i = 0; i < prefix.size(); i += kSteps) {
    const std::size_t bytes = std::min(kSteps, prefix.size() - i) * sizeof(Step);
    if (std::memcmp(channel_.prefix + i, prefix.data() + i, bytes) != 0)
      std::memcpy(channel_.prefix + i, prefix.data() + i, bytes);
  }
}

void Exchange::prefetch() const {
  __builtin_prefetch(&channel_.event_count);
  __builtin_prefetch(&channel_.load_base);
  const Event* const first = channel_.events + (prefix_length_ == 0 ? 0 : prefix_length_ - 1);
  for (std::size_t i = 0; i < kLinesAhead; ++i) __builtin_prefetch(first + i);
}

std::optional<Difference> Exchange::read(bool answered, std::size_t processes, Execution& into) {
  read_footprints(processes);
  if (possible_.processes() != processes) possible_ = PossibleOperations(processes);
  const std::uint32_t wait_count = checked_count(channel_.wait_count, protocol::kMaxWaits, "the waits");
  if (std::exchange(wait_count_, wait_count) != wait_count) forget();  // their operations have changed
  const std::uint32_t offer_count = checked_count(channel_.offer_count, protocol::kMaxOffers, "the alternatives");
  std::vector<Event> events = std::move(into.events);
  if (is_sample_) last_.swap(events);  // nothing there is compared
  std::optional<Difference> difference = read_events(answered, offer_count);
  const std::size_t known = std::min({shared_since(into.mark), events.size(), last_.size()});
  into.clear();
  into.outcome = checked(channel_.outcome);
  if (is_sample_) {
    last_.swap(events);
    if (into.outcome == Outcome::Finished)
      forget();  // nobody repeats it
    else
      last_ = events;
  } else {  // the first events of the caller are correct already
    events.resize(last_.size());
    std::copy(last_.begin() + static_cast<std::ptrdiff_t>(known), last_.end(),
              events.begin() + static_cast<std::ptrdiff_t>(known));
  }
  into.events = std::move(events);
  into.mark = {source_, answer_};
  into.stopped_by = answered ? checked_count(channel_.stopped_by, kStoppedByAny, "the limits that were met") : 0;
  into.offers.assign(channel_.offers, channel_.offers + offer_count);
  for (const Offer& offer : into.offers)
    if (!possible_.contain(offer)) throw DamagedSegment{"the alternatives"};
  read_pending(processes, into.pending);
  return difference;
}

void Exchange::read_pending(std::size_t processes, std::vector<Offer>& pending) const {
  pending.resize(checked_count(channel_.pending_count, protocol::kMaxPending, "the pending operations"));
  ProcessIndex before = 0;
  for (std::size_t j = 0; j < pending.size(); ++j) {
    const protocol::PendingRecord record = channel_.pending[j];
    Offer& offer = pending[j] = record.offer;
    if (!possible_.contain(offer) || offer.process < before ||
        (record.holder != kNoProcess && record.holder >= processes))
      throw DamagedSegment{"the pending operations"};
    before = offer.process;
    offer.holder = offer.operation.kind == OperationKind::ThreadJoin ? kNoProcess : record.holder;
  }
}

/// Updates `last_`.
std::optional<Difference> Exchange::read_events(bool answered, std::uint32_t offer_count) {
  const std::size_t count = checked_count(channel_.event_count, protocol::kMaxEvents, "the events");
  // Events restored from a checkpoint are there already.
  std::size_t i = 0;
  if (answered && is_complete_)
    i = checked_count(channel_.resumed, std::min({last_.size(), count, prefix_length_}), "the events");
  const Event* const raw = answered ? channel_.events : channel_.journal;
  // The offers of each event follow those of the event before it.
  std::uint64_t offers_end = i == 0 ? 0 : std::uint64_t{last_[i - 1].offers_begin} + last_[i - 1].offers_count;
  const auto copy = [&](std::size_t at, Event & event) __attribute__((always_inline)) {
    event = raw[at];
    if (!(possible_.contain(event) && event.offers_begin == offers_end)) [[unlikely]] {
      last_.resize(at);
      throw DamagedSegment{"the events"};
    }
    offers_end += event.offers_count;
    translate(event.operation);
  };
  const std::size_t comparable = std::min({last_.size(), count, prefix_length_});
  std::size_t shared = SIZE_MAX;
  std::optional<Difference> difference;
  for (; i < comparable && !difference; ++i) {
    Event& before = last_[i];
    if (before.operation.kind != OperationKind::AtomicSection && identical(raw[i], before) &&
        before.offers_begin == offers_end) [[likely]] {
      offers_end += before.offers_count;
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
  for (; i < last_.size(); ++i) {
    __builtin_prefetch(raw + i + kLinesAhead);
    copy(i, last_[i]);
  }
  if (offers_end > offer_count) throw DamagedSegment{"the alternatives"};
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
  return later->events;  // the minimum over all answers since then
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
  const PossibleOperations possible(processes);
  for (std::size_t i = footprints_.size(); i < count; ++i) {
    const Footprint footprint = channel_.footprints[i];
    if (footprint.begin > end || footprint.count > end - footprint.begin || footprint.choices > footprint.count)
      throw DamagedSegment{"the atomic sections"};
    const Operation* const first = channel_.footprint_operations + footprint.begin;
    const std::vector<Operation> operations(first, first + footprint.count);
    for (std::size_t j = 0; j < operations.size(); ++j)
      if (!possible.contain(operations[j]) || operations[j].kind == OperationKind::AtomicSection ||
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
  if (channel_.footprint_count == 0) channel_.footprint_count = 1;  // entry 0 is the unknown footprint
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
