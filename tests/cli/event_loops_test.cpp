// Event loops of libraries at the command line: Asio, which is compiled with the program, and libuv, which is not.
#include <string>

#include <nlohmann/json.hpp>

#include "cli/command_line_fixture.hpp"

namespace {

class EventLoops : public mazurka::testing::CommandLine {
 protected:
  nlohmann::json check(const std::string& program, const std::string& options) const {
    const auto answer =
        shell("timeout 300 " MAZURKA_BINARY " check --json " MAZURKA_SOURCE_DIR "/tests/programs/event_loops/" +
              program + " " + options);
    nlohmann::json json = nlohmann::json::parse(answer.out, nullptr, false);
    if (json.is_object()) json["code"] = answer.exit_code;
    EXPECT_TRUE(json.is_object()) << program << ' ' << options << ": " << answer.out << answer.err;
    return json;
  }
};

TEST_F(EventLoops, OfAsioLackAStrand) {
  const nlohmann::json answer = check("asio.cpp", "-DNO_STRAND");
  EXPECT_EQ(answer["code"], 1);
  EXPECT_EQ(answer["errors"][0]["kind"], "data race");
}

TEST_F(EventLoops, OfLibuvHaveANoteOnWhatIsNotSeen) {
  const nlohmann::json answer = check("libuv.c", "-luv");
  EXPECT_EQ(answer["code"], 0) << answer;
  EXPECT_NE(answer.dump().find("libuv"), std::string::npos) << answer;
}

}  // namespace
