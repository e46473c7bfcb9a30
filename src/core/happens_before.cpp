#include "core/happens_before.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "core/dependence.hpp"
#include "core/invariant.hpp"
#include "core/observation.hpp"

namespace mazurka {

void HappensBefore::truncate(std::size_t length) {
  while (entries_.size() > length) {
    const Entry& last = entries_.back();
    for (; links_.size() > last.links_begin; links_.pop_back()) {
      chains_.pop(links_.back().chain);
      if (links_.back().replaced != kNoEvent) [[unlikely]]
        put_back(links_.back());
    }
    touched_.erase(touched_.begin() + last.chains_begin, touched_.end());
    if (interferes_with_everything(last.operation)) world_.pop_back();
    histories_[last.process].pop_back();
    direct_.erase(direct_.begin() + last.direct_begin, direct_.end());
    entries_.pop_back();
  }
}

void HappensBefore::assign(const std::vector<Event>& events) {
  truncate(0);
  for (const Event& event : events) append(event);
}

void HappensBefore::widen(std::size_t processes) {
  const std::size_t width = std::max(processes, width_ * 2);
  std::vector<std::uint32_t> clocks(entries_.size() * width, 0);
  for (std::size_t i = 0; i < entries_.size(); ++i) std::copy_n(clock(i), width_, clocks.data() + i * width);
  clocks_ = std::move(clocks);
  width_ = width;
  histories_.resize(width);
}

void HappensBefore::join(std::uint32_t* mine, EventIndex other) {
  direct_.push_back(other);
  const std::uint32_t* theirs = clock(other);
  for (std::size_t p = 0; p < width_; ++p) mine[p] = std::max(mine[p], theirs[p]);
}

void HappensBefore::join_chain(std::uint32_t* mine, ObjectChains::ChainIndex chain, const Event& event,
                               const Seen& seen) {
  // Backwards, so that an event already covered by a later one, directly or through its clock, costs one comparison.
  const std::vector<EventIndex>& events = chains_.events(chain);
  const bool uniform = chains_.uniform(chain);
  // A delivery is ordered after the previous delivery; else only after receives on its mailbox that gave up.
  const bool after_last = uniform && event.operation.kind == OperationKind::MailboxSend && !seen.some_only &&
                          !chains_.seen_any(chain, set_of(OperationKind::MailboxTryReceive));
  const auto is_last = [&](EventIndex i) {
    const Entry& other = entries_[i];
    const bool unordered = seen.some_only && are_deliveries(other.operation, event.operation) &&
                           std::find(seen.deliveries.begin(), seen.deliveries.end(), i) == seen.deliveries.end();
    const bool related = !unordered && depends(other.operation, event.operation, seen.unobserved);
    if (related && mine[other.process] < other.position) join(mine, i);
    return related && uniform && (other.covers || (after_last && other.operation.kind == event.operation.kind));
  };
  std::size_t i = events.size();
  if (i > kShort) [[unlikely]] {
    for (EventIndex e = events.back(); e != kNoEvent; e = older(e, chain))
      if (is_last(e)) return;
    i = kShort;
  }
  while (i-- > 0)
    if (is_last(events[i])) return;
}

/// If one process does the same operation repeatedly, as in a loop of loads, only the latest of these events matters:
/// whatever depends on the earlier ones depends on it, and it happens after them. So the events of a long chain, apart
/// from the first kShort, form a list, latest first. The list omits an event if a later one of the same process has the
/// same operation and no covering event lies between them. Walking the list thus takes time proportional to processes
/// times kinds of operations, not to the length of the chain.
void HappensBefore::push_on_long_chain(EventIndex index, ObjectChains::ChainIndex chain) {
  const Entry& entry = entries_[index];
  const std::vector<EventIndex>& events = chains_.events(chain);
  const EventIndex latest = events.size() == kShort ? kNoEvent : events.back();
  chains_.push(chain, index, entry.operation);
  Link& mine = links_.emplace_back(Link{chain, latest, kNoEvent});
  if (entry.covers) return;
  EventIndex* link = &mine.older;
  for (EventIndex i = latest; i != kNoEvent && !entries_[i].covers; i = *link) {
    EventIndex* const next = &older(i, chain);
    if (entries_[i].process == entry.process && entries_[i].operation == entry.operation) {
      mine.replaced = i;
      *link = *next;
      return;
    }
    link = next;
  }
}

/// Undoes push_on_long_chain() for the last event: reinserts the event that it replaced.
void HappensBefore::put_back(const Link& last) {
  if (last.older == kNoEvent || last.older < last.replaced) return;  // it is the head of the list again
  // The list is in execution order, and the event still has the link to its successor.
  EventIndex* link = &older(last.older, last.chain);
  while (*link != kNoEvent && *link > last.replaced) link = &older(*link, last.chain);
  *link = last.replaced;
}

void HappensBefore::append(const Event& event, const Seen& seen) {
  const ProcessIndex process = event.process;
  if (process >= width_) widen(std::size_t{process} + 1);
  const auto index = static_cast<EventIndex>(entries_.size());
  std::vector<EventIndex>& history = histories_[process];
  const ObjectChains::ChainIndex only = chains_.only(event.operation);
  if (only == ObjectChains::kNoChain) chains_.find(event.operation, set_);
  const std::span<const ObjectChains::ChainIndex> related =
      only != ObjectChains::kNoChain ? std::span(&only, 1) : std::span(std::as_const(set_.related));
  const std::span<const ObjectChains::ChainIndex> own =
      only != ObjectChains::kNoChain ? std::span(&only, 1) : std::span(std::as_const(set_.own));
  entries_.push_back({event.operation, process, static_cast<std::uint32_t>(history.size() + 1),
                      static_cast<std::uint32_t>(touched_.size()), static_cast<std::uint32_t>(links_.size()),
                      static_cast<std::uint32_t>(direct_.size()),
                      orders_everything(event.operation) && !seen.unobserved});
  if (clocks_.size() < entries_.size() * width_) clocks_.resize(2 * entries_.size() * width_);
  std::uint32_t* mine = clocks_.data() + index * width_;
  if (history.empty())
    std::fill_n(mine, width_, 0U);
  else
    std::copy_n(clock(history.back()), width_, mine);
  mine[process] = entries_[index].position;

  if (interferes_with_everything(event.operation)) {
    for (EventIndex i = index; i-- > 0;)
      if (mine[entries_[i].process] < entries_[i].position) join(mine, i);
    world_.push_back(index);
  } else {
    for (const ObjectChains::ChainIndex chain : related) join_chain(mine, chain, event, seen);
    if (!world_.empty() && mine[entries_[world_.back()].process] < entries_[world_.back()].position)
      join(mine, world_.back());
    for (const ObjectChains::ChainIndex chain : own) {
      if (chains_.events(chain).size() < kShort) [[likely]] {
        chains_.push(chain, index, event.operation);
        links_.push_back({chain, kNoEvent, kNoEvent});
      } else {
        push_on_long_chain(index, chain);
      }
    }
    for (const ObjectChains::ChainIndex chain : related) touched_.push_back(chain);
  }
  history.push_back(index);
  MZ_INVARIANT(mine[process] == entries_[index].position, "happens-before is irreflexive");
}

}  // namespace mazurka
