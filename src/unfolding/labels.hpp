// Labels of events, and the resources by which events find each other.
//
// A label is what a step does: a process, its alternative and the operation. Two labels are dependent if they belong to
// one process or dependence.hpp says so. To find the events that depend on a given one without looking at all, each
// label has a short list of resources (a mutex, a range of memory, a server, …) such that dependent labels share one.
//
// A use of a resource is *total* if the operation depends on every operation that uses the resource: acquiring a mutex,
// writing a variable. The total uses of one resource form a tree in an event structure, the lock trees of §5.1 of
// *Quasi-Optimal POR*; the other uses (reads, posts) hang on the last total one before them.
#pragma once

#include <array>
#include <cstdint>
#include <set>
#include <span>
#include <unordered_map>
#include <vector>

#include "core/execution.hpp"
#include "core/huge_memory.hpp"

namespace mazurka::unfolding {

using LabelId = std::uint32_t;
inline constexpr LabelId kNoLabel = UINT32_MAX;
using ResourceId = std::uint32_t;

struct Label {
  Step step;
  Operation operation;
  bool operator==(const Label&) const = default;
};

struct Use {
  ResourceId resource = 0;
  bool total = false;
};

class Labels {
 public:
  LabelId intern(Step step, const Operation& operation);

  std::size_t size() const { return labels_.size(); }
  const Label& operator[](LabelId id) const { return labels_[id]; }
  std::span<const Use> uses(LabelId id) const { return {uses_.data() + uses_begin_[id], uses_end(id)}; }
  /// Whether a process that does this can do nothing else at that point.
  bool has_single_outcome(LabelId id) const { return single_outcome_[id]; }

  /// Whether two labels interfere: of one process, or dependent operations.
  bool dependent(LabelId a, LabelId b) const { return remembered(Question::Dependent, a, b); }
  /// The same, whatever outcome the first has and whomever it wakes: what a process will do is known, whether a try
  /// succeeds is not.
  bool may_depend(LabelId undecided, LabelId other) const { return remembered(Question::MayDepend, undecided, other); }

  /// Resources are coarse or fine: memory is split into the ranges that are accessed as long as they do not overlap in
  /// part, an operation on the whole world is a resource of all once there is one, and a block that is freed is one of
  /// all that lies in it. What does not fit changes the resources of all labels; this number tells how often that has
  /// happened.
  unsigned version() const { return version_; }

 private:
  // What is asked of pairs of labels, many times of each. The answers for the first labels are remembered.
  enum class Question : std::uint8_t { Dependent = 1, MayDepend = 4 };  // a bit: asked; the bit above: yes
  static constexpr LabelId kRemembered = 1024;
  bool remembered(Question question, LabelId a, LabelId b) const {
    if ((a | b) >= kRemembered) return answer(question, a, b);
    std::uint8_t& known = static_cast<std::uint8_t*>(answers_.get())[a * kRemembered + b];
    const auto bit = static_cast<std::uint8_t>(question);
    if ((known & bit) == 0) known |= static_cast<std::uint8_t>(answer(question, a, b) ? 3 * bit : bit);
    return (known & 2 * bit) != 0;
  }
  bool answer(Question question, LabelId a, LabelId b) const;

  struct ResourceKey {
    std::uint32_t what;
    std::uint32_t size;
    std::uint64_t object;
    bool operator==(const ResourceKey&) const = default;
  };
  /// Bytes in which operations of different families meet: of a block that is freed, or the first of a synchronisation
  /// object that is initialised, destroyed or overwritten.
  struct Place {
    std::uint64_t begin;
    std::uint64_t end;
    bool operator==(const Place&) const = default;
  };
  struct ResourceHash {
    std::size_t operator()(const ResourceKey& key) const noexcept;
  };

  /// Where in the table a label is or would be.
  std::size_t place(const Label& label) const;
  std::size_t uses_end(LabelId id) const { return uses_begin_[id + 1] - uses_begin_[id]; }
  /// Whether the resources must become coarser before an operation has its place.
  bool unfit(const Operation& operation);
  bool needs_place(const Operation& operation);
  void add_uses(const Operation& operation);
  void add_uses_of(const Operation& operation);
  void add_places(const Operation& operation);
  void add_memory(std::uint64_t begin, std::uint8_t size, bool total);
  void use(std::uint32_t what, std::uint64_t object, std::uint32_t size, bool total);
  void merge_uses(std::size_t begin);

  std::vector<Label> labels_;
  std::vector<LabelId> table_;  // open addressing; kNoLabel where nothing is
  std::vector<char> single_outcome_;
  std::vector<Use> uses_;
  std::vector<std::uint32_t> uses_begin_{0};
  std::unordered_map<ResourceKey, ResourceId, ResourceHash> resources_;
  std::unordered_map<std::uint64_t, std::pair<std::uint64_t, std::uint8_t>> range_at_;  // per byte, while fine
  std::set<std::uint64_t> objects_;                                                     // synchronisation objects
  std::vector<Place> places_;
  HugeMemory answers_{std::size_t{kRemembered} * kRemembered};
  bool granules_ = false;
  bool detaches_ = false;  // some operation detaches a thread
  bool world_ = false;
  unsigned version_ = 0;
};

}  // namespace mazurka::unfolding
