#include "program/one_processor.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "program/executor.hpp"
#include "program/program_test.hpp"

namespace mazurka::program {
namespace {

cpu_set_t processors_of(pid_t process) {
  cpu_set_t set;
  CPU_ZERO(&set);
  EXPECT_EQ(sched_getaffinity(process, sizeof set, &set), 0);
  return set;
}

TEST(OneProcessor, KeepsTwoProcessesTogetherAndLetsThemGo) {
  const cpu_set_t before = processors_of(0);
  const pid_t other = fork();
  if (other == 0)
    for (;;) pause();
  {
    OneProcessor processor;
    EXPECT_TRUE(processor.look(other));
    const cpu_set_t mine = processors_of(0);
    const cpu_set_t others = processors_of(other);
    EXPECT_EQ(CPU_COUNT(&mine), 1);
    EXPECT_TRUE(CPU_EQUAL(&mine, &others));
    processor.part(other);
    const cpu_set_t apart = processors_of(other);
    EXPECT_TRUE(CPU_EQUAL(&before, &apart));
    EXPECT_FALSE(processor.look(other)) << "not at once again";
    EXPECT_FALSE(processor.look(0)) << "there is no other";
  }
  const cpu_set_t after = processors_of(0);
  EXPECT_TRUE(CPU_EQUAL(&before, &after));
  kill(other, SIGKILL);
  waitpid(other, nullptr, 0);
}

TEST(OneProcessor, IsNotNoticedByTheProgram) {
  const cpu_set_t before = processors_of(0);
  const std::string all = fmt::format("{0} {0} {0} {0}", CPU_COUNT(&before));
  Configuration configuration = configure("gcc", "standard", {"processors"});
  ProgramExecutor executor(configuration);
  for (int i = 0; i < 100; ++i) {
    const Execution execution = executor.run({});
    ASSERT_EQ(execution.outcome, Outcome::Finished);
    ASSERT_EQ(execution.output, all) << "in execution " << i;
    const cpu_set_t confined = processors_of(executor.worker().process());
    EXPECT_TRUE(i != 1 || CPU_COUNT(&confined) == 1) << "as soon as it has started";
  }
}

}  // namespace
}  // namespace mazurka::program
