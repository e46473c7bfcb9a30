#include "runtime/detector/intended_races.hpp"

#include "runtime/worker/image.hpp"
#include "runtime/worker/outcome.hpp"
#include "runtime/worker/worker.hpp"

namespace mazurka::runtime {
namespace {

using protocol::IntendedRace;

struct BenignRange {
  std::uint64_t begin;
  std::uint64_t end;
};
constexpr std::uint32_t kMostBenign = 1024;
// In the program's memory, so that the snapshot restores it.
std::uint32_t benign_count;
BenignRange benign[kMostBenign];

bool is_benign(std::uint64_t address) {
  for (std::uint32_t i = 0; i < benign_count; ++i)
    if (address >= benign[i].begin && address < benign[i].end) return true;
  return false;
}

/// The suppression rule for an address relative to the load base; kNoRule if none.
constexpr std::uint32_t kNoRule = IntendedRace::kByCaller;
std::uint32_t rule_at(const protocol::SuppressedRanges& table, std::uint64_t address) {
  std::uint32_t low = 0;
  std::uint32_t high = table.count;
  while (low < high) {
    const std::uint32_t middle = low + (high - low) / 2;
    if (table.ranges[middle].end <= address)
      low = middle + 1;
    else
      high = middle;
  }
  return low < table.count && address >= table.ranges[low].begin ? table.ranges[low].rule : kNoRule;
}

/// A return address is behind its call instruction.
std::uint64_t relative(const void* place) { return reinterpret_cast<std::uint64_t>(place) - image.base - 1; }

std::uint32_t rule_of_code(std::uint64_t relative_address) {
  const protocol::Suppressions& all = worker.channel->suppressions;
  const std::uint32_t rule = rule_at(all.calls, relative_address);
  return rule != kNoRule ? rule : rule_at(all.accesses, relative_address);
}

Use use_of(Touch touch) {
  switch (touch) {
    case Touch::AtomicRead: return Use::AtomicRead;
    case Touch::AtomicWrite: return Use::AtomicWrite;
    case Touch::Read: return Use::Read;
    case Touch::Freed: return Use::Free;
    default: return Use::Write;
  }
}

/// The rule that suppresses the later access.
std::uint32_t rule_of(const Access& now, const void* place) {
  const std::uint32_t rule = rule_of_code(relative(place));
  if (rule != kNoRule || now.intended != Intended::Suppressed) return rule;
  return self().suppressing_rule;
}

/// Lists each pair of sites once: there are many executions.
void note(const IntendedRace& race) {
  protocol::Channel& channel = *worker.channel;
  for (std::uint32_t i = 0; i < channel.intended_race_count; ++i) {
    const IntendedRace& known = channel.intended_races[i];
    if (known.before == race.before && known.now == race.now && known.rule == race.rule) return;
  }
  if (channel.intended_race_count < protocol::kMaxIntendedRaces)
    channel.intended_races[channel.intended_race_count++] = race;
}

}  // namespace

bool has_suppressions() {
  const protocol::Suppressions& all = worker.channel->suppressions;
  return all.calls.count + all.accesses.count + all.variables.count != 0;
}

bool is_suppressed_code(const void* place) { return rule_of_code(relative(place)) != kNoRule; }

bool is_intended(const Access& before, const Access& now, std::uint64_t address, const void* place) {
  // In the other order, which is not explored, the access would be a use after free: nobody intends that.
  if (before.touch >= Touch::Freed || now.touch >= Touch::Freed) return false;
  const auto first = static_cast<std::uint64_t>(__builtin_ctz(before.bytes & now.bytes));
  const std::uint64_t byte = (address & ~7ULL) + first;
  IntendedRace race{byte, before.site, now.site, use_of(before.touch), use_of(now.touch), IntendedRace::kAnnotated};
  if (detector.suppressing) {
    race.rule = rule_at(worker.channel->suppressions.variables, byte - image.base);
    if (race.rule == kNoRule && now.intended == Intended::Suppressed) race.rule = rule_of(now, place);
    if (race.rule == kNoRule && before.intended == Intended::Suppressed)
      race.rule = before.site == 0 ? IntendedRace::kByCaller : rule_of_code(before.site - 1);
    const bool suppressed = race.rule != kNoRule || before.intended == Intended::Suppressed;
    if (!suppressed) race.rule = IntendedRace::kAnnotated;
  }
  const bool annotated =
      before.intended == Intended::Annotated || now.intended == Intended::Annotated || is_benign(byte);
  if (race.rule == IntendedRace::kAnnotated && !annotated) return false;
  note(race);
  return true;
}

void enter_suppressed(const void* return_address) {
  Thread& thread = self();
  if (thread.suppressed_calls > 0) {
    ++thread.suppressed_calls;
    return;
  }
  const std::uint32_t rule = rule_at(worker.channel->suppressions.calls, relative(return_address));
  if (rule == kNoRule) return;
  thread.suppressed_calls = 1;
  thread.suppressing_rule = rule;
}

void leave_suppressed() {
  Thread& thread = self();
  if (thread.suppressed_calls > 0) --thread.suppressed_calls;
}

void add_benign_range(const volatile void* address, std::uint64_t bytes, std::uint64_t site) {
  const auto begin = reinterpret_cast<std::uint64_t>(address);
  for (std::uint32_t i = 0; i < benign_count; ++i)
    if (benign[i].begin == begin && benign[i].end == begin + bytes) return;
  if (benign_count == kMostBenign) unsupported("annotating more than 1024 benign races", site);
  benign[benign_count++] = {begin, begin + bytes};
}

}  // namespace mazurka::runtime
