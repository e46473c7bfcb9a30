#include "program/process_registry.hpp"

#include <gtest/gtest.h>

#include "core/process.hpp"

namespace mazurka::program {
namespace {

using Entries = ProcessRegistry::Entries;
using protocol::ProcessEntry;

constexpr ProcessEntry kMain{kNoProcess, 1};

TEST(SharedRegistry, KeepsWhatIsNewWhereItIs) {
  SharedRegistry registry;
  const Entries met{kMain, {0, 1}, {0, 2}};
  EXPECT_EQ(registry.agree(0, met), met);
  EXPECT_EQ(registry.agree(0, met), met) << "a second time it is not new";
  EXPECT_EQ(registry.agree(3, {}), Entries{});
  EXPECT_EQ(registry.agree(1, {}), (Entries{{0, 1}, {0, 2}}));
}

TEST(SharedRegistry, PutsWhatAnotherHasMetElsewhereBehindWhatIsThere) {
  //   first rank   0 main   1 main.1   2 main.2   3 main.1.1
  //   second rank  0 main   1 main.1   2 main.2   3 main.2.1   4 main.2.1.1
  SharedRegistry registry;
  const Entries both{kMain, {0, 1}, {0, 2}};
  registry.agree(0, both);
  const Entries first{{1, 1}};
  EXPECT_EQ(registry.agree(3, first), first);
  const Entries second{{2, 1}, {3, 1}};
  EXPECT_EQ(registry.agree(3, second), (Entries{{1, 1}, {2, 1}, {4, 1}}));
  // With that table the second rank meets the same threads again, at their places.
  EXPECT_EQ(registry.agree(6, {}), Entries{});
  // And the first one learns of them as soon as it meets another.
  const Entries third{{3, 2}};
  EXPECT_EQ(registry.agree(4, third), (Entries{{2, 1}, {4, 1}, {3, 2}}));
}

}  // namespace
}  // namespace mazurka::program
