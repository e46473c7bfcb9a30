#include "program/symbols.hpp"

#include <array>
#include <atomic>
#include <mutex>

#include <gtest/gtest.h>
#include <link.h>

#include "core/error.hpp"

namespace mazurka::program {

int symbols_test_table[4];
struct SymbolsTestBase {
  std::atomic<int> count{0};
};
struct SymbolsTestQueue : SymbolsTestBase {
  struct Slot {
    char tag = 0;
    std::mutex mutex;
  };
  std::array<Slot, 3> slots;
  short grid[2][5] = {};
  union {
    long number = 0;
    char bytes[8];
  };
};
SymbolsTestQueue symbols_test_queue;
[[gnu::noinline]] int symbols_test_function() { return symbols_test_table[1]; }
constexpr int kLineOfFunction = __LINE__ - 1;

namespace {

/// The load base of this program.
std::uintptr_t load_base() {
  std::uintptr_t base = 0;
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* result) {
        *static_cast<std::uintptr_t*>(result) = info->dlpi_addr;
        return 1;  // the first entry is the program
      },
      &base);
  return base;
}

TEST(Symbols, NamesFunctionsLinesAndVariables) {
  const Symbols symbols("/proc/self/exe");
  const CodePlace place = symbols.code(reinterpret_cast<std::uintptr_t>(&symbols_test_function) - load_base());
  EXPECT_NE(place.function.find("symbols_test_function"), std::string::npos) << place.function;
  EXPECT_EQ(place.file, "symbols_test.cpp");
  EXPECT_EQ(place.line, kLineOfFunction);
  const std::uint64_t table = reinterpret_cast<std::uintptr_t>(&symbols_test_table) - load_base();
  EXPECT_EQ(symbols.variable(table).name, "mazurka::program::symbols_test_table[0]");
  EXPECT_EQ(symbols.variable(table + 8).name, "mazurka::program::symbols_test_table[2]");
  EXPECT_EQ(symbols.variable(table + 9).name, "mazurka::program::symbols_test_table[2]+1");
  EXPECT_EQ(symbols.variable(3).name, "");
}

TEST(Symbols, NamesMembers) {
  const Symbols symbols("/proc/self/exe");
  const auto name = [&](const void* member) {
    const std::string text = symbols.variable(reinterpret_cast<std::uintptr_t>(member) - load_base()).name;
    const std::string prefix = "mazurka::program::symbols_test_queue";
    EXPECT_EQ(text.substr(0, prefix.size()), prefix);
    return text.substr(prefix.size());
  };
  EXPECT_EQ(name(&symbols_test_queue.count), ".count");
  EXPECT_EQ(name(&symbols_test_queue.slots[0].tag), ".slots[0].tag");
  EXPECT_EQ(name(&symbols_test_queue.slots[2].mutex), ".slots[2].mutex");
  EXPECT_EQ(name(&symbols_test_queue.grid[1][3]), ".grid[1][3]");
  EXPECT_EQ(name(&symbols_test_queue.number), ".number");
  EXPECT_EQ(name(&symbols_test_queue.bytes[2]), ".number+2") << "the first member of a union stands for all";
}

TEST(Symbols, RefusesWhatIsNotAProgram) {
  EXPECT_THROW(Symbols(MAZURKA_SOURCE_DIR "/README.md"), InputError);
  EXPECT_THROW(Symbols("/no/such/file"), InputError);
}

TEST(Symbols, SaysWhatIsKnown) {
  EXPECT_EQ(to_string({"push", "queue.cpp", "src/queue.cpp", 12}), "queue.cpp:12 (push)");
  EXPECT_EQ(to_string({"push", "", "", 0}), "push");
  EXPECT_EQ(to_string({}), "");
}

}  // namespace
}  // namespace mazurka::program
