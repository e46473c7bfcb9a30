// One growing set of enriched conditions per enriched condition: the rows of a relation such as `∥`.
//
// A row has a base and a tail. The base is fixed at creation, contains older elements only, and is shared by all
// conditions that one history produces. The tail contains younger elements, appended in ascending order to a list of
// chunks. So a test between two elements is one binary search in the base of the younger, and rows are never moved or
// copied.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "prefix/block_set.hpp"

namespace mazurka::prefix {

class RowStore {
 public:
  using Row = std::uint32_t;

  /// Stores a set that rows may use as base.
  BlockSpan store(BlockSpan blocks);

  Row add_row(BlockSpan base);
  void append(Row row, Block block);

  bool base_contains(Row row, std::uint32_t element) const { return contains(rows_[row].base(), element); }
  BlockSpan base(Row row) const { return rows_[row].base(); }
  bool empty(Row row) const { return rows_[row].base_length == 0 && rows_[row].first == nullptr; }
  std::size_t blocks(Row row) const { return rows_[row].base_length + rows_[row].tail_length; }

  // The following operate on a set that the caller owns; `scratch` saves an allocation.
  void copy_to(Row row, BlockVector& out) const;
  void intersect(BlockVector& set, Row row, BlockVector& scratch) const;
  void subtract(BlockVector& set, Row row) const;
  /// out ∪= set ∩ row, where `out` is a subset of `set` with the same keys (masks may be zero).
  void mark(BlockSpan set, Row row, BlockVector& out) const;

 private:
  struct Chunk {
    Chunk* next;
    std::uint32_t used;
    std::uint32_t capacity;
    Block* blocks() { return reinterpret_cast<Block*>(this + 1); }
    const Block* blocks() const { return reinterpret_cast<const Block*>(this + 1); }
  };

  struct RowData {
    const Block* base_blocks;
    Chunk* first;
    Chunk* last;
    std::uint32_t base_length;
    std::uint32_t tail_length;
    BlockSpan base() const { return {base_blocks, base_length}; }
  };

  /// Calls visit(BlockSpan) for the base and then for each chunk; keys ascend, but one key may end a span and start the
  /// next.
  template <typename Visit>
  void for_each_span(Row row, Visit&& visit) const {
    const RowData& data = rows_[row];
    if (data.base_length != 0) visit(data.base());
    for (const Chunk* chunk = data.first; chunk != nullptr; chunk = chunk->next)
      visit(BlockSpan{chunk->blocks(), chunk->used});
  }

  Block* allocate(std::size_t blocks);

  std::vector<RowData> rows_;
  std::vector<std::unique_ptr<Block[]>> pages_;
  Block* page_next_ = nullptr;
  Block* page_end_ = nullptr;
};

}  // namespace mazurka::prefix
