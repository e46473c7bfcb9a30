#include "walk/coverage.hpp"

#include <algorithm>

#include "core/random.hpp"

namespace mazurka::walk {

ReadsFromPairs::Last& ReadsFromPairs::last(std::uint64_t object) {
  if (2 * used_ >= table_.size()) {
    std::vector<Last> old(2 * table_.size());
    old.swap(table_);
    used_ = 0;
    for (const Last& entry : old)
      if (entry.execution == execution_) last(entry.object).writer = entry.writer;
  }
  std::size_t place = mixed(object) & (table_.size() - 1);
  while (table_[place].execution == execution_ && table_[place].object != object)
    place = (place + 1) & (table_.size() - 1);
  Last& entry = table_[place];
  if (entry.execution != execution_) {
    entry = {object, 0, execution_};
    ++used_;
  }
  return entry;
}

const std::vector<ReadsFrom>& ReadsFromPairs::of(const std::vector<Event>& events) {
  ++execution_;
  used_ = 0;
  pairs_.clear();
  for (const Event& event : events) {
    const bool reads = is_reader(event.operation);
    const bool writes = is_writer(event.operation);
    if (!reads && !writes) continue;
    Last& entry = last(event.operation.object);
    if (reads) pairs_.push_back({event.operation.object, entry.writer, event.site});
    if (writes) entry.writer = event.site;
  }
  return pairs_;
}

/// A sum over all events of a hash of their level and step: equal for equal Foata normal forms (core/foata.hpp).
std::uint64_t Coverage::class_of(const std::vector<Event>& events) {
  order_.assign(events);
  levels_.assign(events.size(), 0);
  last_level_.assign(order_.width(), 0);
  std::uint64_t sum = 0;
  for (EventIndex i = 0; i < events.size(); ++i) {
    const Event& event = events[i];
    std::uint32_t level = last_level_[event.process];
    for (const EventIndex before : order_.direct(i)) level = std::max(level, levels_[before]);
    last_level_[event.process] = levels_[i] = level + 1;
    sum += mixed(mixed(mixed(levels_[i]) + event.process + 1) + event.alternative + 1);
  }
  return sum;
}

void Coverage::add(const Execution& execution) {
  if (execution.outcome != Outcome::Limit && !is_full()) classes_.insert(class_of(execution.events));
  for (const ReadsFrom& pair : reads_from_.of(execution.events)) pairs_.insert(mixed(mixed(pair.writer) + pair.reader));
}

void Coverage::clear() {
  classes_.clear();
  pairs_.clear();
}

}  // namespace mazurka::walk
