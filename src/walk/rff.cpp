#include "walk/rff.hpp"

#include <algorithm>

namespace mazurka::walk {

void RffSampler::begin() {
  users_.clear();
  possible_.clear();
  unseen_.clear();
  seen_.clear();
  often_.clear();
  corpus_.clear();
  last_ = {};
}

void RffSampler::prepare(Job& job) {
  job.continuation = Continuation::ReadsFrom;
  SplitMix64 random(mixed(job.seed ^ 0x524646));
  last_ = {};
  constexpr std::uint64_t kWithoutAims = 8;  // one in this many has no aims
  if (!corpus_.empty() && !possible_.empty() && random.below(kWithoutAims) != 0) {
    last_ = choose(random).aims;
    mutate(last_, random);
  }
  job.guidance.aim_count = last_.count;
  std::copy_n(last_.aims, last_.count, job.guidance.aims);
}

const RffSampler::Entry& RffSampler::choose(SplitMix64& random) const {
  const Entry* rarest = nullptr;
  for (int i = 0; i < 3; ++i) {
    const Entry& entry = corpus_[random.below(corpus_.size())];
    if (rarest == nullptr || often_.at(entry.signature) < often_.at(rarest->signature)) rarest = &entry;
  }
  return *rarest;
}

void RffSampler::mutate(Aims& aims, SplitMix64& random) {
  enum { kAdd, kAddAnother, kReplace, kRemove, kKinds };
  const auto kind = random.below(kKinds);
  if (aims.count == 0 || (kind <= kAddAnother && aims.count < Guidance::kMaxAims)) {
    aims.aims[aims.count++] = new_aim(random);
    return;
  }
  Aim& aim = aims.aims[random.below(aims.count)];
  if (kind == kRemove)
    aim = aims.aims[--aims.count];
  else
    aim = new_aim(random);
}

Aim RffSampler::new_aim(SplitMix64& random) {
  while (!unseen_.empty() && random.below(2) == 0) {
    const std::size_t place = random.below(unseen_.size());
    const ReadsFrom& pair = possible_[unseen_[place]];
    if (!seen_.at(key(pair))) return {pair, true};
    unseen_[place] = unseen_.back();
    unseen_.pop_back();
  }
  return {possible_[random.below(possible_.size())], random.below(4) != 0};
}

void RffSampler::learn(const Execution& execution) {
  note_users(execution.events);
  std::uint64_t signature = 0;
  std::vector<std::uint64_t> keys;
  for (const ReadsFrom& pair : reads_from_.of(execution.events)) keys.push_back(key(pair));
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  for (const std::uint64_t one : keys) {
    signature += mixed(one);
    if (const auto known = seen_.find(one); known != seen_.end()) known->second = true;
  }
  if (often_[signature]++ == 0 && corpus_.size() < kMostEntries) corpus_.push_back({last_, signature});
}

void RffSampler::note_users(const std::vector<Event>& events) {
  const auto is_new = [](std::vector<std::uint64_t>& places, std::uint64_t place) {
    if (std::find(places.begin(), places.end(), place) != places.end()) return false;
    places.push_back(place);
    return true;
  };
  for (const Event& event : events) {
    const std::uint64_t object = event.operation.object;
    const bool reads = is_reader(event.operation);
    const bool writes = is_writer(event.operation);
    if ((!reads && !writes) || event.site == 0) continue;
    Users& users = users_[object];
    if (reads && is_new(users.readers, event.site)) {
      add_possible({object, 0, event.site});
      for (const std::uint64_t writer : users.writers) add_possible({object, writer, event.site});
    }
    if (writes && is_new(users.writers, event.site))
      for (const std::uint64_t reader : users.readers) add_possible({object, event.site, reader});
  }
}

void RffSampler::add_possible(const ReadsFrom& pair) {
  if (possible_.size() == kMostPairs || !seen_.emplace(key(pair), false).second) return;
  unseen_.push_back(static_cast<std::uint32_t>(possible_.size()));
  possible_.push_back(pair);
}

}  // namespace mazurka::walk
