#include "prefix/row_store.hpp"

#include <set>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "support/property.hpp"
#include "support/random_nets.hpp"

namespace mazurka::prefix {
namespace {

using Elements = std::set<std::uint32_t>;

BlockVector blocks_of(const Elements& elements) {
  BlockVector blocks;
  for (std::uint32_t x : elements) append(blocks, {key_of(x), bit_of(x)});
  return blocks;
}

Elements elements_of(BlockSpan blocks) {
  Elements elements;
  for_each(blocks, [&](std::uint32_t x) { elements.insert(x); });
  return elements;
}

Elements arbitrary_set(unsigned end) {
  const auto list = *rc::gen::container<std::vector<unsigned>>(testing::below(end));
  return {list.begin(), list.end()};
}

/// A row whose elements below `split` are its base and whose others were appended one by one.
RowStore::Row row_of(RowStore& store, const Elements& elements, std::uint32_t split) {
  Elements base;
  for (std::uint32_t x : elements)
    if (x < split) base.insert(x);
  const auto row = store.add_row(store.store(blocks_of(base)));
  for (std::uint32_t x : elements)
    if (x >= split) store.append(row, {key_of(x), bit_of(x)});
  return row;
}

TEST(RowStore, ComputesLikeSets) {
  EXPECT_TRUE(testing::property("rows are sets", 2000, [] {
    RowStore store;
    const unsigned end = *rc::gen::element(40U, 400U, 5000U);
    const Elements a = arbitrary_set(end);
    const Elements b = arbitrary_set(end);
    const auto row = row_of(store, b, *testing::below(end + 1));

    BlockVector copy;
    store.copy_to(row, copy);
    RC_ASSERT(elements_of(copy) == b);
    RC_ASSERT(store.empty(row) == b.empty());

    BlockVector both = blocks_of(a);
    BlockVector scratch;
    BlockVector marked = both;
    for (Block& block : marked) block.mask = 0;
    store.mark(both, row, marked);
    BlockVector without = both;
    store.subtract(without, row);
    store.intersect(both, row, scratch);
    Elements common;
    Elements rest;
    for (std::uint32_t x : a) (b.contains(x) ? common : rest).insert(x);
    RC_ASSERT(elements_of(both) == common);
    RC_ASSERT(elements_of(marked) == common);
    RC_ASSERT(elements_of(without) == rest);
    for (std::uint32_t x = 0; x < end; ++x) RC_ASSERT(contains(both, x) == common.contains(x));
  }));
}

}  // namespace
}  // namespace mazurka::prefix
