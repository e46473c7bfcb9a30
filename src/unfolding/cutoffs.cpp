#include "unfolding/cutoffs.hpp"

#include "core/invariant.hpp"

namespace mazurka::unfolding {

void Cutoffs::judge(EventId e, const Configuration& c, const StateHash& delta, bool ends_program) {
  if (records_.size() < events_.size()) records_.resize(events_.size());
  Record record;
  record.delta = record.state = delta;
  record.size = 1;
  for (std::size_t i = 0; i < c.size(); ++i) {
    const EventId cause = c[i];
    if (!events_.before_in_configuration(cause, e)) continue;
    MZ_INVARIANT(records_[cause].verdict == Verdict::Kept, "nothing follows a cutoff");
    record.state ^= records_[cause].delta;
    ++record.size;
  }
  const auto found = smallest_.find(record.state);
  const bool is_cutoff = !ends_program && found != smallest_.end() && found->second.size < record.size;
  record.verdict = is_cutoff ? Verdict::Cutoff : Verdict::Kept;
  records_[e] = record;
  if (is_cutoff) {
    ++statistics_.cutoffs;
    statistics_.cache_hits += found->second.forgotten ? 1 : 0;
  } else if (!ends_program) {
    remember(record);
  }
}

void Cutoffs::remember(const Record& record) {
  const auto [place, is_new] = smallest_.try_emplace(record.state, Smallest{record.size, false});
  statistics_.states += is_new ? 1 : 0;
  if (is_new || place->second.size < record.size) return;
  forgotten_ -= place->second.forgotten ? 1 : 0;
  place->second = {record.size, false};
}

void Cutoffs::renumber(const std::vector<EventId>& renumbered) {
  std::size_t kept = 0;
  for (std::size_t e = 0; e < records_.size(); ++e)
    if (renumbered[e] != kNoEvent) records_[kept++] = records_[e];
  records_.resize(kept);
  // What U has does not count for G.
  for (auto& [state, smallest] : smallest_) smallest.forgotten = smallest.size > 0;
  forgotten_ = smallest_.size() - 1;
  for (const Record& record : records_)
    if (record.verdict == Verdict::Kept) remember(record);
  if (forgotten_ > cache_) empty_cache();
}

void Cutoffs::empty_cache() {
  ++statistics_.emptied;
  std::erase_if(smallest_, [](const auto& entry) { return entry.second.forgotten; });
  forgotten_ = 0;
}

}  // namespace mazurka::unfolding
