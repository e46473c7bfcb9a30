#include "core/happens_before.hpp"

#include <algorithm>

#include "core/dependence.hpp"
#include "core/invariant.hpp"
#include "core/observation.hpp"

namespace mazurka {
namespace {

/// Whether an operation on an object that all others access as a whole interferes with each of them.
bool interferes_with_all(const Operation& operation, bool unobserved) {
  switch (family(operation.kind)) {
    case Family::Memory: return detail::writes(operation) && !unobserved;
    case Family::Mutex: return !operation.failed();
    case Family::Server:
    case Family::Lifetime:
    case Family::Mailbox: return true;
    default: return false;
  }
}

}  // namespace

void HappensBefore::truncate(std::size_t length) {
  while (entries_.size() > length) {
    const Entry& last = entries_.back();
    for (; own_.size() > last.own_begin; own_.pop_back()) chains_.pop(own_.back());
    touched_.resize(last.chains_begin);
    if (interferes_with_everything(last.operation)) world_.pop_back();
    histories_[last.process].pop_back();
    direct_.resize(last.direct_begin);
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
                               bool unobserved) {
  // Backwards: an event that is already covered, or whose clock a later one brought in, costs one comparison.
  const std::vector<EventIndex>& events = chains_.events(chain);
  const bool uniform = chains_.uniform(chain);
  for (std::size_t i = events.size(); i-- > 0;) {
    const Entry& other = entries_[events[i]];
    const bool related = depends(other.operation, event.operation, unobserved);
    if (related && mine[other.process] < other.position) join(mine, events[i]);
    if (related && uniform && other.covers) return;
  }
}

void HappensBefore::append(const Event& event, bool unobserved) {
  const ProcessIndex process = event.process;
  if (process >= width_) widen(std::size_t{process} + 1);
  const auto index = static_cast<EventIndex>(entries_.size());
  std::vector<EventIndex>& history = histories_[process];
  chains_.find(event.operation, set_);
  entries_.push_back({event.operation, process, static_cast<std::uint32_t>(history.size() + 1),
                      static_cast<std::uint32_t>(touched_.size()), static_cast<std::uint32_t>(own_.size()),
                      static_cast<std::uint32_t>(direct_.size()), interferes_with_all(event.operation, unobserved)});
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
    for (const ObjectChains::ChainIndex chain : set_.related) join_chain(mine, chain, event, unobserved);
    if (!world_.empty() && mine[entries_[world_.back()].process] < entries_[world_.back()].position)
      join(mine, world_.back());
    for (const ObjectChains::ChainIndex chain : set_.own) {
      chains_.push(chain, index, event.operation);
      own_.push_back(chain);
    }
    touched_.insert(touched_.end(), set_.related.begin(), set_.related.end());
  }
  history.push_back(index);
  MZ_INVARIANT(mine[process] == entries_[index].position, "happens-before is irreflexive");
}

}  // namespace mazurka
