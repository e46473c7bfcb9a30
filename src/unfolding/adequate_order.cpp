#include "unfolding/adequate_order.hpp"

#include <algorithm>
#include <optional>

namespace mazurka::unfolding {
namespace {

/// The object to whose word the operation contributes a letter. All operations with the same object here are pairwise
/// dependent.
std::optional<std::uint64_t> object_of_word(const Operation& operation) {
  using enum OperationKind;
  switch (operation.kind) {
    case MutexLock:
    case MutexUnlock:
    case Synchronise: return operation.object * 2;
    case Store:
    case ReadModifyWrite: return operation.object * 2 + 1;
    default: return std::nullopt;
  }
}

using Letters = std::vector<Shape::Letter>;

/// The end of the word that starts at `begin`.
Letters::const_iterator word_end(Letters::const_iterator begin, Letters::const_iterator end) {
  return std::find_if(begin, end, [&](const Shape::Letter& letter) { return letter.object != begin->object; });
}

}  // namespace

bool smaller(const Shape& a, const Shape& b) {
  if (a.size != b.size) return a.size < b.size;
  if (a.counts.empty() || b.counts.empty()) return false;
  if (a.counts != b.counts) return a.counts < b.counts;
  auto [x, y] = std::mismatch(a.letters.begin(), a.letters.end(), b.letters.begin(), b.letters.end());
  if (x == a.letters.end() || y == b.letters.end()) return x == a.letters.end() && y != b.letters.end();
  // The first difference lies in the word of the smaller object, which starts where the object last changed.
  const std::uint16_t object = std::min(x->object, y->object);
  const auto begin_of = [&](const Letters& letters) {
    return std::lower_bound(letters.begin(), letters.end(), object,
                            [](const Shape::Letter& letter, std::uint16_t number) { return letter.object < number; });
  };
  const auto length = [&](const Letters& letters) {
    const auto begin = begin_of(letters);
    return begin == letters.end() || begin->object != object ? 0 : word_end(begin, letters.end()) - begin;
  };
  const auto length_a = length(a.letters);
  const auto length_b = length(b.letters);
  if (length_a != length_b) return length_a < length_b;
  return x->process < y->process;
}

void Shapes::begin() {
  shape_.size = 0;
  shape_.counts.clear();
  shape_.letters.clear();
}

void Shapes::add(EventId e) {
  const Label& label = events_.label_of(e);
  const ProcessIndex process = label.step.process;
  if (++shape_.size > Shape::kMost) return;
  if (shape_.counts.size() <= process) shape_.counts.resize(process + 1, 0);
  ++shape_.counts[process];
  const std::optional<std::uint64_t> object = object_of_word(label.operation);
  if (!object) return;
  const std::size_t number = numbers_.try_emplace(*object, numbers_.size()).first->second;
  if (number > UINT16_MAX || process > UINT16_MAX) return;  // the shape leaves out such letters
  shape_.letters.push_back({static_cast<std::uint16_t>(number), static_cast<std::uint16_t>(process)});
}

const Shape& Shapes::end() {
  if (shape_.size > Shape::kMost) {
    shape_.counts.clear();
    shape_.letters.clear();
  }
  std::stable_sort(shape_.letters.begin(), shape_.letters.end(),
                   [](const Shape::Letter& x, const Shape::Letter& y) { return x.object < y.object; });
  return shape_;
}

}  // namespace mazurka::unfolding
