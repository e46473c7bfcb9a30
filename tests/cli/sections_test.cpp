// Atomic sections and the end of the process at the command line, with every algorithm.
#include <string>

#include <nlohmann/json.hpp>

#include "cli/command_line_fixture.hpp"

namespace {

class Sections : public mazurka::testing::CommandLine {
 protected:
  nlohmann::json check(const std::string& program, const std::string& options) const {
    const auto answer = shell("timeout 100 " MAZURKA_BINARY " check --json " + options +
                              " " MAZURKA_SOURCE_DIR "/tests/programs/sections/" + program);
    nlohmann::json json = nlohmann::json::parse(answer.out, nullptr, false);
    if (json.is_object()) json["code"] = answer.exit_code;
    EXPECT_TRUE(json.is_object()) << program << ' ' << options << ": " << answer.out << answer.err;
    return json;
  }
};

constexpr const char* kAlgorithms[] = {"optimal", "source", "observers", "unfolding", "naive"};
constexpr const char* kExploring[] = {"optimal", "source", "observers", "unfolding"};

TEST_F(Sections, HaveAsManyClassesAsWhatTheyTouchAllows) {
  for (const std::string algorithm : kExploring)
    for (const std::string plain : {"check", "explore", "ignore"}) {
      const std::string options = "--algorithm=" + algorithm + " --plain=" + plain + " --cflags=-DNUM=";
      EXPECT_EQ(check("shared.c", options + "2")["executions"], 6) << options;
      EXPECT_EQ(check("shared.c", options + "4")["executions"], 70) << options;
      EXPECT_EQ(check("independent.c", options + "1")["executions"], 1) << options;
    }
}

TEST_F(Sections, BranchAtTheirChoices) {
  for (const std::string algorithm : kAlgorithms)
    EXPECT_EQ(check("choice.c", "--algorithm=" + algorithm)["code"], 1) << algorithm;
  EXPECT_EQ(check("choice.c", "--algorithm=random --max-executions 100")["code"], 1);
}

TEST_F(Sections, HaveNoEffectWhereAnAssumptionFails) {
  for (const std::string algorithm : kAlgorithms) {
    EXPECT_TRUE(check("assumption.c", "--algorithm=" + algorithm)["errors"].empty()) << algorithm;
    EXPECT_EQ(check("assumption_hides_nothing.c", "--algorithm=" + algorithm)["code"], 1) << algorithm;
  }
}

TEST_F(Sections, MayBeFunctions) {
  for (const std::string algorithm : kAlgorithms)
    for (const std::string level : {"-O0", "-O1", "-O2"})
      EXPECT_EQ(check("function.c", "--algorithm=" + algorithm + " --cflags=" + level)["code"], 0)
          << algorithm << level;
}

TEST_F(Sections, OrderOnlyWhatTouchesTheSame) {
  for (const std::string algorithm : kExploring) {
    const nlohmann::json answer = check("outside_race.c", "--algorithm=" + algorithm);
    EXPECT_EQ(answer["code"], 1) << algorithm;
    EXPECT_EQ(answer["errors"][0]["kind"], "data race") << algorithm;
  }
}

TEST_F(Sections, TheEndOfTheProcessRacesWithEverything) {
  for (const std::string algorithm : kAlgorithms)
    EXPECT_EQ(check("end_of_process.cpp", "--exit=process --algorithm=" + algorithm)["code"], 1) << algorithm;
}

}  // namespace
