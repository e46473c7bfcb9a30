// The race detector keeps one record for a page that is accessed as a whole (runtime/detector/pages.hpp). What it finds
// must not depend on that: the same program is explored with accesses of whole ranges and with accesses byte by byte.
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/foata.hpp"
#include "dpor/explore.hpp"
#include "program/program_test.hpp"

namespace mazurka {
namespace {

/// The classes of executions and how each ended.
class Ends final : public Listener {
 public:
  void on_execution(const Execution& execution) override {
    FoataForm form = foata_normal_form(execution.events);
    form.push_back(static_cast<std::uint32_t>(execution.outcome));
    form.push_back(static_cast<std::uint32_t>(execution.failure.kind));
    races += execution.failure.kind == FailureKind::DataRace ? 1 : 0;
    all.insert(std::move(form));
  }
  bool on_error(const Execution&, std::uint64_t) override { return true; }
  bool on_progress(const Statistics&) override { return true; }

  std::set<FoataForm> all;
  std::size_t races = 0;
};

void explore(const std::string& family, int seed, const char* how, Ends& ends) {
  program::Configuration configuration = program::configure(family, "pages", {std::to_string(seed), how});
  configuration.settings.plain = protocol::Plain::Check;
  program::ProgramExecutor executor(configuration);
  dpor::explore(executor, {}, ends);
}

TEST(Pages, AsAWholeAndByteByByteRaceAlike) {
  std::size_t races = 0;
  std::size_t executions = 0;
  for (int seed = 0; seed < 60; ++seed) {
    const std::string family = seed % 2 == 0 ? "gcc" : "clang";
    Ends whole;
    Ends bytes;
    explore(family, seed, "whole", whole);
    explore(family, seed, "bytes", bytes);
    ASSERT_EQ(whole.all, bytes.all) << family << " pages " << seed;
    races += whole.races;
    executions += whole.all.size();
  }
  EXPECT_GT(races, 50U) << "of " << executions;
  EXPECT_GT(executions - races, 50U) << "of " << executions;
}

}  // namespace
}  // namespace mazurka
