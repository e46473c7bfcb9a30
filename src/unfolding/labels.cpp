#include "unfolding/labels.hpp"

#include <algorithm>

#include "core/dependence.hpp"
#include "core/random.hpp"

namespace mazurka::unfolding {
namespace {

using enum OperationKind;

// Kinds of resources beyond those that are families.
constexpr std::uint32_t kWorldResource = 100;
constexpr std::uint32_t kGranule = 101;
constexpr std::uint32_t kSharedRange = 102;

bool touches_memory(const Operation& o) { return facts(o.kind).access != Access::NoBytes && o.size != 0; }

/// Whether a write, or one inside a section, may overwrite a synchronisation object.
bool any_overwrites(const Operation& writer, const Operation& use) {
  if (writer.kind != AtomicSection) return detail::overwrites(writer, use);
  if (writer.object == kUnknownFootprint) return false;  // it is related to everything anyway
  const FootprintRange footprint(writer);
  return std::any_of(footprint.begin(), footprint.end(),
                     [&](const Operation& inside) { return detail::overwrites(inside, use); });
}

/// Whether the operation depends on every other one that uses its object.
bool is_total(const Operation& o, bool detaches) {
  return orders_everything(o) || (facts(o.kind).orders == Orders::Undetached && !detaches);
}

}  // namespace

std::size_t Labels::table_index(const Label& label) const {
  const Operation& o = label.operation;
  const std::uint64_t what = static_cast<std::uint64_t>(o.kind) << 56 | static_cast<std::uint64_t>(o.flags) << 48 |
                             static_cast<std::uint64_t>(o.detail) << 24;
  const std::uint64_t who = label.step.process * 0x100000001b3U + label.step.alternative;
  std::size_t at = mixed(what ^ who ^ o.object ^ o.second << 32) & (table_.size() - 1);
  while (table_[at] != kNoLabel && labels_[table_[at]] != label) at = (at + 1) & (table_.size() - 1);
  return at;
}

std::size_t Labels::ResourceHash::operator()(const ResourceKey& key) const noexcept {
  return mixed(mixed(key.object) ^ (static_cast<std::uint64_t>(key.what) << 32 | key.size));
}

bool Labels::answer(Question question, LabelId a, LabelId b) const {
  const Operation& one = labels_[a].operation;
  const Operation& other = labels_[b].operation;
  if (labels_[a].step.process == labels_[b].step.process || mazurka::dependent(one, other)) return true;
  if (question == Question::Dependent || !outcome_varies(one.kind)) return false;
  if (one.kind == AtomicSection) return false;  // its other outcomes are found together with this one
  Operation variant = one;
  if (state_decides_alternatives(one.kind)) {
    variant.set_woken(other.waiter());  // as if it woke that one
  } else {
    variant.flags ^= kFailed;
    // As if it took that message; a receive of another message does not depend on the send.
    if (one.kind == MailboxTryReceive && one.failed())
      variant.set_message(one.matches(other.tag()) ? other.message() : 0);
  }
  return mazurka::dependent(variant, other);
}

LabelId Labels::intern(Step step, const Operation& operation) {
  const Label label{step, operation};
  if (table_.size() < 2 * (labels_.size() + 1)) {
    table_.assign(std::max<std::size_t>(64, 2 * table_.size()), kNoLabel);
    for (LabelId id = 0; id < labels_.size(); ++id) table_[table_index(labels_[id])] = id;
  }
  LabelId& id = table_[table_index(label)];
  if (id != kNoLabel) return id;
  id = static_cast<LabelId>(labels_.size());
  labels_.push_back(label);
  single_outcome_.push_back(mazurka::has_single_outcome(operation) ? 1 : 0);
  if (unfit(operation)) {
    ++version_;
    resources_.clear();
    uses_.clear();
    uses_begin_.assign(1, 0);
    for (std::size_t i = 0; i + 1 < labels_.size(); ++i) add_uses(labels_[i].operation);
  }
  add_uses(operation);
  return id;
}

bool Labels::unfit(const Operation& operation) {
  if (!world_ && interferes_with_everything(operation)) return world_ = true;
  if (!detaches_ && operation.kind == ThreadDetach) return detaches_ = true;
  if (operation.kind == AtomicSection) {
    bool any = false;
    if (operation.object != kUnknownFootprint)
      for (const Operation& inside : FootprintRange(operation)) any |= unfit(inside);
    return any;
  }
  const bool is_new = needs_shared_range(operation);
  if (granules_ || !touches_memory(operation)) return is_new;
  const std::pair range{operation.object, operation.size};
  for (std::uint64_t byte = operation.object; byte < operation.object + operation.size; ++byte)
    if (range_at_.try_emplace(byte, range).first->second != range) return granules_ = true;
  return is_new;
}

/// Whether labels of different families now share bytes for the first time: these bytes get a resource.
bool Labels::needs_shared_range(const Operation& operation) {
  const auto add = [this](const ByteRange& range) {
    const bool is_new = std::find(shared_ranges_.begin(), shared_ranges_.end(), range) == shared_ranges_.end();
    if (is_new) shared_ranges_.push_back(range);
    return is_new;
  };
  if (family(operation.kind) == Family::Lifetime) return add({operation.object, operation.object + extent(operation)});
  bool added = false;
  if (is_synchronisation_object(family(operation.kind))) {
    const auto meet = [&](std::uint64_t object) {
      if (!objects_.insert(object).second) return;
      for (const Label& label : labels_)
        if (any_overwrites(label.operation, operation)) added |= add({object, object + 1});
    };
    meet(operation.object);
    if (operation.kind == ConditionWait) meet(operation.released_mutex());
  } else if (writes_memory(operation)) {
    for (auto object = objects_.lower_bound(operation.object);
         object != objects_.end() && *object < operation.object + operation.size; ++object)
      added |= add({*object, *object + 1});
  }
  return added;
}

/// Blocks contain objects, never the other way round: the end of a block's lifetime finds them by its own resource.
void Labels::add_shared_ranges(const Operation& o) {
  const Family f = family(o.kind);
  if (!lies_in_memory(f)) return;
  const ByteRange own{o.object, o.object + extent(o)};
  const bool is_life = f == Family::Lifetime;
  for (std::size_t i = 0; i < shared_ranges_.size(); ++i) {
    const ByteRange& range = shared_ranges_[i];
    const bool inside = is_life && range != own && own.begin <= range.begin && range.end <= own.end;
    const bool meets = range.begin < own.end && own.begin < range.end && !inside;
    const bool meets_second =
        o.kind == ConditionWait && range.begin <= o.released_mutex() && o.released_mutex() < range.end;
    if (meets || meets_second) use(kSharedRange, i, 0, is_life && range == own);
  }
}

void Labels::use(std::uint32_t what, std::uint64_t object, std::uint32_t size, bool total) {
  const auto id = static_cast<ResourceId>(resources_.size());
  uses_.push_back({resources_.try_emplace({what, size, object}, id).first->second, total});
}

void Labels::add_memory(std::uint64_t begin, std::uint8_t size, bool total) {
  if (size == 0) return;
  if (!granules_) {
    use(static_cast<std::uint32_t>(Family::Memory), begin, size, total);
    return;
  }
  for (std::uint64_t granule = begin / 8; granule <= (begin + size - 1) / 8; ++granule)
    use(kGranule, granule, 0, false);
}

/// A section may use a resource in several ways: keep the strongest use of each.
void Labels::merge_uses(std::size_t begin) {
  const auto first = uses_.begin() + static_cast<std::ptrdiff_t>(begin);
  std::sort(first, uses_.end(), [](const Use& a, const Use& b) {
    return a.resource != b.resource ? a.resource < b.resource : a.total && !b.total;
  });
  uses_.erase(std::unique(first, uses_.end(), [](const Use& a, const Use& b) { return a.resource == b.resource; }),
              uses_.end());
}

void Labels::add_uses(const Operation& o) {
  const std::size_t begin = uses_.size();
  if (world_) use(kWorldResource, 0, 0, interferes_with_everything(o));
  if (o.kind != AtomicSection) {
    add_uses_of(o);
  } else if (o.object != kUnknownFootprint) {
    for (const Operation& inside : FootprintRange(o)) add_uses_of(inside);
    merge_uses(begin);
  }
  uses_begin_.push_back(static_cast<std::uint32_t>(uses_.size()));
}

void Labels::add_uses_of(const Operation& o) {
  const Family f = family(o.kind);
  if (f == Family::Memory) {
    add_memory(o.object, o.size, is_total(o, detaches_));
  } else if (f != Family::Local && f != Family::World && f != Family::Lifetime) {
    use(static_cast<std::uint32_t>(f), o.object, 0, is_total(o, detaches_));
    if (touches_memory(o)) add_memory(o.object, o.size, false);
    // A wait releases its mutex, and is woken through its condition variable.
    if (o.kind == ConditionWait) use(static_cast<std::uint32_t>(Family::Mutex), o.released_mutex(), 0, true);
    if (o.reacquires()) use(static_cast<std::uint32_t>(Family::Condition), o.awaited_condition(), 0, false);
  }
  if (!shared_ranges_.empty() && f != Family::Local && f != Family::World) add_shared_ranges(o);
}

}  // namespace mazurka::unfolding
