// Rarer calls of the C library and the kernel: what escapes control is refused by name, the rest does what Linux does.
#include <map>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "program/executor.hpp"
#include "program/program_test.hpp"
#include "support/exhaustive.hpp"

namespace mazurka::program {
namespace {

std::set<std::string> ends(const char* family, const char* scenario, protocol::Plain plain) {
  Configuration configuration = configure(family, "calls", {scenario});
  configuration.settings.plain = plain;
  ProgramExecutor executor(configuration);
  std::set<std::string> found;
  testing::Exhaustive(executor, [&](const Execution& execution) {
    const bool is_refused = execution.outcome == Outcome::Unsupported;
    found.insert(is_refused ? std::string(execution.failure.words()) : output_or_failure(execution));
  }).run();
  return found;
}

TEST(Calls, AreRefusedByNameWhereTheyEscapeControl) {
  const std::map<const char*, std::string> messages = {
      {"queues_signal", "sigqueue()"},
      {"kills_group", "killpg()"},
      {"kills_stranger", "tgkill() of another process"},
      {"kills_nobody", "tgkill() of an unknown thread"},
      {"becomes_daemon", "daemon()"},
      {"waits_for_child", "wait4()"},
      {"runs_command", "wordexp() of a command"},
      {"changes_user", "setuid()"},
      {"reads_later", "aio_read()"},
      {"locks_all", "mlockall()"},
      {"prefers_writers", "a read-write lock that prefers writers"},
      {"prefers_writers_statically", "a read-write lock that prefers writers"},
      {"posts_beyond", "sem_post() beyond SEM_VALUE_MAX"},
      {"protects", "mprotect()"},
  };
  for (const auto& [scenario, message] : messages)
    EXPECT_TRUE(ends("gcc", scenario, protocol::Plain::Check).contains(message + " cannot be controlled")) << scenario;
}

TEST(Calls, DoWhatLinuxDoes) {
  const std::map<const char*, std::string> outputs = {
      {"expands", ""}, {"signals_itself", ""}, {"fails_as_in_linux", ""}, {"starts_anew", "1"}, {"drops_contents", ""}};
  for (const auto& [scenario, output] : outputs)
    for (const char* family : {"gcc", "clang"})
      for (const protocol::Plain plain : {protocol::Plain::Ignore, protocol::Plain::Check, protocol::Plain::Explore}) {
        if (plain == protocol::Plain::Explore && scenario == std::string("drops_contents")) continue;  // many pages
        EXPECT_EQ(ends(family, scenario, plain), std::set<std::string>{output}) << family << ' ' << scenario;
      }
}

TEST(Calls, ThatDropContentsAreWrites) {
  for (const char* scenario :
       {"drops_what_another_writes", "maps_over_what_another_writes", "moves_what_another_writes"})
    for (const char* family : {"gcc", "clang"})
      for (const std::string& end : ends(family, scenario, protocol::Plain::Check))
        EXPECT_TRUE(end.starts_with("data race") || end.starts_with("use after")) << family << ' ' << scenario << end;
}

TEST(Calls, OfAtomicOperationsAccessPlainVariables) {
  for (const char* scenario : {"fails_to_exchange", "loads_into_plain", "stores_from_plain"})
    for (const char* family : {"gcc", "clang"})
      for (const std::string& end : ends(family, scenario, protocol::Plain::Check))
        EXPECT_TRUE(end.starts_with("data race")) << family << ' ' << scenario << ' ' << end;
}

}  // namespace
}  // namespace mazurka::program
