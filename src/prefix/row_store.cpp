#include "prefix/row_store.hpp"

#include <cstring>
#include <new>

namespace mazurka::prefix {
namespace {

constexpr std::size_t kPageBlocks = std::size_t{1} << 15;
constexpr std::uint32_t kFirstChunk = 2;
constexpr std::uint32_t kLargestChunk = 64;
constexpr std::size_t kGallopRatio = 8;

/// The first block of `span` at or after `from` whose key is at least `key`, by galloping search.
std::size_t gallop(BlockSpan span, std::size_t from, std::uint32_t key) {
  std::size_t step = 1;
  std::size_t low = from;
  while (low + step < span.size() && span[low + step].key < key) {
    low += step;
    step *= 2;
  }
  const std::size_t high = std::min(low + step + 1, span.size());
  const auto at = std::lower_bound(span.begin() + static_cast<std::ptrdiff_t>(low),
                                   span.begin() + static_cast<std::ptrdiff_t>(high), key,
                                   [](const Block& block, std::uint32_t k) { return block.key < k; });
  return static_cast<std::size_t>(at - span.begin());
}

/// Calls match(i, j) for each pair of equal keys set[i], span[j]; `i` starts at `from`, and its last value is returned.
/// It stays on a matching key, since the next span of a row may start with the same key.
template <typename Match>
std::size_t join(BlockSpan set, std::size_t from, BlockSpan span, Match&& match) {
  std::size_t i = from;
  const bool leap = span.size() > kGallopRatio * (set.size() - from);
  for (std::size_t j = 0; j < span.size();) {
    while (i < set.size() && set[i].key < span[j].key) ++i;
    if (i == set.size()) break;
    if (set[i].key == span[j].key)
      match(i, j++);
    else
      j = leap ? gallop(span, j, set[i].key) : j + 1;
  }
  return i;
}

}  // namespace

Block* RowStore::allocate(std::size_t blocks) {
  if (static_cast<std::size_t>(page_end_ - page_next_) < blocks) {
    const std::size_t size = std::max(blocks, kPageBlocks);
    pages_.push_back(std::make_unique_for_overwrite<Block[]>(size));
    page_next_ = pages_.back().get();
    page_end_ = page_next_ + size;
  }
  Block* const result = page_next_;
  page_next_ += blocks;
  return result;
}

BlockSpan RowStore::store(BlockSpan blocks) {
  if (blocks.empty()) return {};
  Block* const copy = allocate(blocks.size());
  std::copy(blocks.begin(), blocks.end(), copy);
  return {copy, blocks.size()};
}

RowStore::Row RowStore::add_row(BlockSpan base) {
  rows_.push_back({base.data(), nullptr, nullptr, static_cast<std::uint32_t>(base.size()), 0});
  return static_cast<Row>(rows_.size() - 1);
}

void RowStore::append(Row row, Block block) {
  RowData& data = rows_[row];
  Chunk* last = data.last;
  if (last != nullptr && last->blocks()[last->used - 1].key == block.key) {
    last->blocks()[last->used - 1].mask |= block.mask;
    return;
  }
  if (last == nullptr || last->used == last->capacity) {
    const std::uint32_t capacity = last == nullptr ? kFirstChunk : std::min(2 * last->capacity, kLargestChunk);
    static_assert(sizeof(Chunk) % sizeof(Block) == 0 && alignof(Chunk) <= alignof(std::max_align_t));
    auto* const chunk = new (allocate(sizeof(Chunk) / sizeof(Block) + capacity)) Chunk{nullptr, 0, capacity};
    (last == nullptr ? data.first : last->next) = chunk;
    data.last = last = chunk;
  }
  last->blocks()[last->used++] = block;
  ++data.tail_length;
}

void RowStore::copy_to(Row row, BlockVector& out) const {
  out.clear();
  for_each_span(row, [&](BlockSpan span) {
    std::size_t start = 0;
    if (!out.empty() && out.back().key == span.front().key) out.back().mask |= span[start++].mask;
    out.insert(out.end(), span.begin() + static_cast<std::ptrdiff_t>(start), span.end());
  });
}

void RowStore::intersect(BlockVector& set, Row row, BlockVector& scratch) const {
  scratch.clear();
  std::size_t from = 0;
  for_each_span(row, [&](BlockSpan span) {
    from = join(set, from, span, [&](std::size_t i, std::size_t j) {
      const std::uint32_t mask = set[i].mask & span[j].mask;
      if (mask != 0) prefix::append(scratch, {span[j].key, mask});
    });
  });
  set.swap(scratch);
}

void RowStore::subtract(BlockVector& set, Row row) const {
  std::size_t from = 0;
  for_each_span(row, [&](BlockSpan span) {
    from = join(set, from, span, [&](std::size_t i, std::size_t j) { set[i].mask &= ~span[j].mask; });
  });
}

void RowStore::mark(BlockSpan set, Row row, BlockVector& out) const {
  std::size_t from = 0;
  for_each_span(row, [&](BlockSpan span) {
    from = join(set, from, span, [&](std::size_t i, std::size_t j) { out[i].mask |= set[i].mask & span[j].mask; });
  });
}

}  // namespace mazurka::prefix
