#include "program/symbols.hpp"

#include <gtest/gtest.h>
#include <link.h>

#include "core/error.hpp"

namespace mazurka::program {

int symbols_test_table[4];
[[gnu::noinline]] int symbols_test_function() { return symbols_test_table[1]; }
constexpr int kLineOfFunction = __LINE__ - 1;

namespace {

/// Where this program's own image was loaded.
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
  EXPECT_EQ(symbols.variable(table), "mazurka::program::symbols_test_table");
  EXPECT_EQ(symbols.variable(table + 8), "mazurka::program::symbols_test_table+8");
  EXPECT_EQ(symbols.variable(3), "");
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
