// Labels of events, and the resources through which dependent events find each other.
//
// A label says what a step does: its process, its alternative and its operation. Two labels are dependent if they
// belong to one process or dependence.hpp says so. To find the events dependent on a given one without visiting all,
// each label has a short list of resources (a mutex, a range of memory, a server, …) such that dependent labels share a
// resource.
//
// A use of a resource is *total* if the operation depends on every operation that uses the resource: acquiring a mutex,
// writing a variable. The total uses of a resource form a tree in the event structure, the lock trees of §5.1 of
// *Quasi-Optimal POR*. Each other use (a read, a post) is attached to the last total use before it.
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
  /// Whether the process could not have done anything else at that point.
  bool has_single_outcome(LabelId id) const { return single_outcome_[id]; }

  /// Whether two labels are dependent: of one process, or with dependent operations.
  bool dependent(LabelId a, LabelId b) const { return remembered(Question::Dependent, a, b); }
  /// Whether `other` is dependent on `undecided` for some outcome of it: a pending operation is known, but not whether
  /// a try succeeds, or whom a signal wakes.
  bool may_depend(LabelId undecided, LabelId other) const { return remembered(Question::MayDepend, undecided, other); }

  /// Resources adapt to the program. Memory is split into the ranges that are accessed, while these do not overlap
  /// partially. Once an operation affects everything, there is a resource shared by all labels. A freed block is a
  /// resource of all objects in it. If a new label does not fit, the resources of all labels change; the version counts
  /// how often.
  unsigned version() const { return version_; }

 private:
  // Queries about pairs of labels, each repeated many times. The answers for the first labels are cached.
  enum class Question : std::uint8_t { Dependent = 1, MayDepend = 4 };  // a bit: cached; the next: the answer
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
  /// A range of bytes where operations of different families meet: a freed block, or the first byte of a
  /// synchronisation object that is initialised, destroyed or overwritten.
  struct ByteRange {
    std::uint64_t begin;
    std::uint64_t end;
    bool operator==(const ByteRange&) const = default;
  };
  struct ResourceHash {
    std::size_t operator()(const ResourceKey& key) const noexcept;
  };

  /// The table index where a label is or would be.
  std::size_t table_index(const Label& label) const;
  std::size_t uses_end(LabelId id) const { return uses_begin_[id + 1] - uses_begin_[id]; }
  /// Whether resources must become coarser before the operation fits.
  bool unfit(const Operation& operation);
  bool needs_shared_range(const Operation& operation);
  void add_uses(const Operation& operation);
  void add_uses_of(const Operation& operation);
  void add_shared_ranges(const Operation& operation);
  void add_memory(std::uint64_t begin, std::uint8_t size, bool total);
  void use(std::uint32_t what, std::uint64_t object, std::uint32_t size, bool total);
  void merge_uses(std::size_t begin);

  std::vector<Label> labels_;
  std::vector<LabelId> table_;  // open addressing; kNoLabel: empty
  std::vector<char> single_outcome_;
  std::vector<Use> uses_;
  std::vector<std::uint32_t> uses_begin_{0};
  std::unordered_map<ResourceKey, ResourceId, ResourceHash> resources_;
  std::unordered_map<std::uint64_t, std::pair<std::uint64_t, std::uint8_t>>
      range_at_;                     // per byte, while ranges are fine
  std::set<std::uint64_t> objects_;  // addresses of synchronisation objects
  std::vector<ByteRange> shared_ranges_;
  HugeMemory answers_{std::size_t{kRemembered} * kRemembered};
  bool granules_ = false;
  bool detaches_ = false;  // whether some operation detaches a thread
  bool world_ = false;
  unsigned version_ = 0;
};

}  // namespace mazurka::unfolding
