#include "program/exchange.hpp"

#include <algorithm>
#include <atomic>
#include <span>

#include "core/error.hpp"
#include "core/footprints.hpp"

namespace mazurka::program {
namespace {

bool same(const Event& a, const Event& b) {
  return a.process == b.process && a.alternative == b.alternative && a.operation == b.operation &&
         a.observed() == b.observed() && a.written == b.written && a.site == b.site;
}

std::uint64_t new_source() {
  static std::atomic<std::uint64_t> sources = 0;
  return ++sources;
}

}  // namespace

Exchange::Exchange(protocol::Channel& channel) : channel_(channel), source_(new_source()) {}

void Exchange::write(const Job& job) {
  if (job.prefix.size() > protocol::kMaxEvents || job.sleep.size() + job.put_off.size() > protocol::kMaxSleepers)
    throw UnsupportedError("the schedule is too long for a worker");
  channel_.continuation = job.continuation;
  channel_.seed = job.seed;
  channel_.max_steps = job.max_steps;
  channel_.prefix_length = static_cast<std::uint32_t>(job.prefix.size());
  channel_.put_off_count = static_cast<std::uint32_t>(job.put_off.size());
  channel_.sleeper_count = channel_.put_off_count + static_cast<std::uint32_t>(job.sleep.size());
  for (std::size_t i = 0; i < job.prefix.size(); ++i) protocol::put(channel_.prefix[i], job.prefix[i]);
  std::copy(job.sleep.begin(), job.sleep.end(), std::copy(job.put_off.begin(), job.put_off.end(), channel_.sleepers));
  for (std::uint32_t i = 0; i < channel_.sleeper_count; ++i) translate_back(channel_.sleepers[i].operation);
}

std::optional<Difference> Exchange::read(bool answered, Execution& into) {
  read_footprints();
  std::optional<Difference> difference = read_events(answered);
  // Of what it holds, the first events are right already.
  std::vector<Event> events = std::move(into.events);
  const std::size_t known = std::min({shared_since(into.mark), events.size(), last_.size()});
  into.clear();
  events.resize(last_.size());
  std::copy(last_.begin() + static_cast<std::ptrdiff_t>(known), last_.end(),
            events.begin() + static_cast<std::ptrdiff_t>(known));
  into.events = std::move(events);
  into.mark = {source_, answer_};
  into.outcome = channel_.outcome;
  into.offers.assign(channel_.offers, channel_.offers + channel_.offer_count);
  into.pending.resize(channel_.pending_count);
  for (std::size_t j = 0; j < into.pending.size(); ++j) {
    Offer& offer = into.pending[j] = channel_.pending[j].offer;
    offer.holder = offer.operation.kind == OperationKind::ThreadJoin ? kNoProcess : channel_.pending[j].holder;
  }
  return difference;
}

/// Brings `last_` up to date.
std::optional<Difference> Exchange::read_events(bool answered) {
  Event section;
  const bool has_sections = channel_.footprint_count != 0;
  const auto now = [&](std::size_t i) -> const Event& {
    const Event& event = answered ? channel_.events[i] : channel_.journal[i];
    if (!has_sections || event.operation.kind != OperationKind::AtomicSection) [[likely]]
      return event;
    section = event;
    translate(section.operation);
    return section;
  };
  const std::size_t count = channel_.event_count;
  // What was not executed again is there already.
  std::size_t i = answered && is_complete_ ? std::min<std::size_t>(channel_.resumed, count) : 0;
  const std::size_t comparable = std::min<std::size_t>({last_.size(), count, channel_.prefix_length});
  std::size_t shared = SIZE_MAX;
  std::optional<Difference> difference;
  for (; i < comparable && !difference; ++i) {
    const Event& event = now(i);
    Event& before = last_[i];
    if (event.step() != before.step()) break;
    const bool is_same = same(event, before);
    if (is_same && event.offers_begin == before.offers_begin && event.offers_count == before.offers_count) continue;
    if (!is_same) difference = {i, before, event};
    shared = std::min(shared, i);
    before = event;
  }
  note_shared(std::min(shared, i));
  last_.resize(difference ? i : count);
  for (; i < last_.size(); ++i) last_[i] = now(i);
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

void Exchange::read_footprints() {
  for (std::size_t i = footprints_.size(); i < channel_.footprint_count; ++i) {
    const Footprint& footprint = channel_.footprints[i];
    const std::span operations(channel_.footprint_operations + footprint.begin, footprint.count);
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
  read_footprints();
  const Footprint& footprint = footprint_table.entries[section.object];
  const std::uint32_t number = channel_.footprint_count;
  const std::uint32_t begin = channel_.footprint_operation_count;
  if (number == protocol::kMaxFootprints || footprint.count > protocol::kMaxFootprintOperations - begin)
    throw UnsupportedError("too many different atomic sections for a worker");
  std::copy_n(footprint_table.operations + footprint.begin, footprint.count, channel_.footprint_operations + begin);
  channel_.footprints[number] = {begin, footprint.count, footprint.choices, 0, footprint.ends_program};
  channel_.footprint_operation_count = begin + footprint.count;
  channel_.footprint_count = number + 1;
  read_footprints();
  return number;
}

}  // namespace mazurka::program
