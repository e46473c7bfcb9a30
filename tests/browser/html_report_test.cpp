// The HTML report in a real browser: what it shows, and stepping through it by keyboard and mouse. With
// MAZURKA_SCREENSHOTS=FOLDER it also leaves pictures there, for people to look at.
#include <cstdlib>
#include <memory>
#include <string>

#include "browser/webdriver.hpp"
#include "cli/command_line_fixture.hpp"

namespace {

using mazurka::testing::Browser;

const std::string kExamples = MAZURKA_SOURCE_DIR "/examples/";

class HtmlReport : public mazurka::testing::CommandLine {
 protected:
  static void SetUpTestSuite() { browser = std::make_unique<Browser>(); }
  static void TearDownTestSuite() { browser.reset(); }

  void SetUp() override {
    CommandLine::SetUp();
    browser->emulate(1280, 900, false, false);
  }

  /// Checks an example, which has a bug, and opens its page.
  void show(const std::string& system, const std::string& options = "") {
    const auto answer = mazurka("check " + options + " --html page.html " + kExamples + system);
    ASSERT_EQ(answer.exit_code, 1) << answer.out << answer.err;
    browser->open("file://" + (folder_ / "page.html").string());
  }

  static std::string value(const std::string& expression) {
    const auto json = browser->run("return " + expression);
    return json.is_string() ? json.get<std::string>() : json.dump();
  }
  static std::string text(const std::string& selector) {
    return value("document.querySelector('" + selector + "').innerText");
  }
  /// The numbers of the rows that are selected.
  static std::string selected() {
    return value(
        "[...document.querySelectorAll('.steps li')].map((row, i) => row.ariaSelected === 'true' ? i + 1 : "
        "0).filter(Boolean).join(' ')");
  }
  static std::string count(const std::string& selector) {
    return value("document.querySelectorAll('" + selector + "').length");
  }
  void picture(const std::string& name) const {
    if (const char* folder = std::getenv("MAZURKA_SCREENSHOTS")) browser->screenshot(std::string(folder) + "/" + name);
  }

  static std::unique_ptr<Browser> browser;
};
std::unique_ptr<Browser> HtmlReport::browser;

TEST_F(HtmlReport, ShowsADeadlockOfThreeThreads) {
  show("philosophers.cpp");
  EXPECT_EQ(browser->title(), "deadlock: 4 threads are blocked forever - Mazurka");
  EXPECT_EQ(text("h1"), "deadlock4 threads are blocked forever");
  EXPECT_EQ(text(".names"), "0\n0.1\n0.2\n0.3");
  // Nine steps and four threads that wait; each thread has a lane with a dashed end, and each start an arrow.
  EXPECT_EQ(count(".steps li"), "13");
  EXPECT_EQ(count(".steps li.end"), "4");
  EXPECT_EQ(count("svg .dot"), "9");
  EXPECT_EQ(count("svg .lane.waits"), "4");
  EXPECT_EQ(count("svg .arrow"), "3");
  EXPECT_EQ(count(".thread"), "4");
  EXPECT_NE(text(".why").find("circular wait: 0.1 -> 0.2 -> 0.3 -> 0.1"), std::string::npos);
  picture("deadlock-desktop.png");
}

TEST_F(HtmlReport, StepsByKeyboard) {
  show("philosophers.cpp");
  EXPECT_EQ(selected(), "1");
  EXPECT_EQ(text(".where"), "step 1 of 9");
  browser->press(Browser::kRight);
  EXPECT_EQ(selected(), "2");
  browser->press(Browser::kDown);
  browser->press("j");
  EXPECT_EQ(selected(), "4");
  browser->press("k");
  EXPECT_EQ(selected(), "3");
  browser->press(Browser::kLeft);
  browser->press(Browser::kUp);
  browser->press(Browser::kUp);
  EXPECT_EQ(selected(), "1") << "there is nothing before the first step";
  browser->press(Browser::kEnd);
  EXPECT_EQ(selected(), "10 11 12 13") << "at the end all threads wait";
  EXPECT_EQ(text(".where"), "the end");
  browser->press(Browser::kRight);
  EXPECT_EQ(selected(), "10 11 12 13");
  EXPECT_NE(text(".thread:nth-child(2)").find("held by 0.2"), std::string::npos) << text(".thread:nth-child(2)");
  picture("deadlock-end.png");
  browser->press(Browser::kHome);
  EXPECT_EQ(selected(), "1");
}

TEST_F(HtmlReport, StepsByClicking) {
  show("philosophers.cpp");
  browser->click("#row5");
  EXPECT_EQ(selected(), "5");
  EXPECT_EQ(text(".where"), "step 5 of 9");
  EXPECT_NE(text(".thread.acts").find("holds forks"), std::string::npos) << text(".thread.acts");
  EXPECT_EQ(text(".thread.acts .here"), "11  std::lock_guard<std::mutex> left(forks[seat]);");
  browser->click("button[aria-label=Forward]");
  EXPECT_EQ(selected(), "6");
  EXPECT_EQ(count("svg .arrow.lit"), "1") << "the thread starts because it was created";
  browser->click("button[aria-label=Back]");
  EXPECT_EQ(selected(), "5");
  browser->click("button[aria-label=\"The end\"]");
  EXPECT_EQ(selected(), "10 11 12 13");
  browser->click("button[aria-label=\"First step\"]");
  EXPECT_EQ(selected(), "1");
}

TEST_F(HtmlReport, ShowsWhereAnAssertionFails) {
  show("bank.c");
  browser->press(Browser::kEnd);
  EXPECT_EQ(selected(), "12");
  EXPECT_EQ(text(".thread.acts .here"), "20    assert(balance >= 0);");
  EXPECT_EQ(text("#row12 .at"), ":20") << "all is in one file";
  picture("assertion-desktop.png");
}

TEST_F(HtmlReport, ShowsADataRaceWithBothAccesses) {
  show("publication.cpp");
  EXPECT_EQ(text(".badge"), "data race");
  EXPECT_NE(text("header").find("publication.cpp:11"), std::string::npos) << text("header");
  EXPECT_NE(text("header").find("publication.cpp:16"), std::string::npos) << text("header");
  browser->press(Browser::kEnd);
  EXPECT_NE(text(".thread.acts .here").find("std::printf"), std::string::npos) << text(".thread.acts");
  picture("race-desktop.png");
  browser->emulate(390, 844, true, false);
  EXPECT_EQ(value("document.documentElement.scrollWidth <= innerWidth"), "true");
  picture("race-phone.png");
}

TEST_F(HtmlReport, IsReadableOnAPhoneAndInTheDark) {
  show("lost_wakeup.cpp");
  const std::string light = value("getComputedStyle(document.body).backgroundColor");
  browser->emulate(390, 844, true, true);
  EXPECT_NE(value("getComputedStyle(document.body).backgroundColor"), light);
  EXPECT_EQ(value("document.documentElement.scrollWidth <= innerWidth"), "true") << "nothing sticks out";
  EXPECT_EQ(value("matchMedia('(prefers-color-scheme: dark)').matches"), "true");
  for (int i = 0; i < 6; ++i) browser->press("j");
  EXPECT_EQ(selected(), "7");
  const std::string box = "document.getElementById('row7').getBoundingClientRect()";
  EXPECT_EQ(value(box + ".top >= document.querySelector('.threads').getBoundingClientRect().bottom - 1 && " + box +
                  ".bottom <= document.querySelector('.controls').getBoundingClientRect().top"),
            "true")
      << "the current step can be seen";
  EXPECT_EQ(value("[...document.querySelectorAll('.thread')].filter(card => card.offsetHeight > 0).length"), "1");
  EXPECT_EQ(value("[...document.querySelectorAll('.controls button')].every(b => b.offsetHeight >= 44)"), "true")
      << "large enough for a thumb";
  picture("wakeup-phone-dark.png");
  browser->emulate(390, 844, true, false);
  picture("wakeup-phone-light.png");
  browser->emulate(1280, 900, false, true);
  EXPECT_EQ(value("[...document.querySelectorAll('.thread')].filter(card => card.offsetHeight > 0).length"), "3");
  picture("wakeup-desktop-dark.png");
}

TEST_F(HtmlReport, LoadsNothingFromElsewhere) {
  show("bank.c");
  EXPECT_EQ(value("performance.getEntriesByType('resource').length"), "0");
  const std::string page = read("page.html");
  EXPECT_EQ(page.find("src="), std::string::npos);
  EXPECT_EQ(page.find("<link"), std::string::npos);
  EXPECT_NE(page.find("default-src 'none'"), std::string::npos);
}

TEST_F(HtmlReport, TextOfTheProgramIsNeverMarkup) {
  write("markup.c",
        "#include <assert.h>\n"
        "#include <pthread.h>\n"
        "static int x; static void* f(void* p) { return p; }\n"
        "int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_join(t, 0);\n"
        "  assert(x && \"</script><script>document.title='broken'</script><b id='injected'>\"); }\n");
  ASSERT_EQ(mazurka("check --html page.html markup.c").exit_code, 1);
  browser->open("file://" + (folder_ / "page.html").string());
  EXPECT_EQ(count("#injected"), "0");
  EXPECT_EQ(browser->title().find("assertion: "), 0U) << browser->title();
  EXPECT_NE(text("h1").find("</script>"), std::string::npos) << text("h1");
}

TEST_F(HtmlReport, ShowsValuesAndOutputAtEachStep) {
  write("talk.c",
        "#include <assert.h>\n#include <stdatomic.h>\n#include <stdio.h>\nstatic atomic_int x;\n"
        "int main(void) {\n  puts(\"begin\");\n  x = 7;\n  puts(\"<b>end</b>\");\n  int seen = x;\n  assert(seen != "
        "7);\n}\n");
  ASSERT_EQ(mazurka("check --html page.html talk.c").exit_code, 1);
  std::string page = read("page.html");
  if (const std::size_t store = page.find("\"kind\":\"store\","); page.find("\"values\"") == std::string::npos)
    page.insert(store, "\"values\":\"7\",");
  write("page.html", page);
  browser->open("file://" + (folder_ / "page.html").string() + "#1.1");
  EXPECT_EQ(text(".memory"), "memory\nx\n7");
  EXPECT_EQ(text(".output pre"), "begin\n<b>end</b>\n");
  EXPECT_EQ(count(".output b"), "1") << "the heading; what is printed is no markup";
  EXPECT_EQ(text("#row1 .prints"), " prints \"<b>end</b>\\n\"");
  EXPECT_EQ(count("#row2 .prints"), "0");
  picture("values.png");
}

TEST_F(HtmlReport, NamesOfThreadsDoNotOverlap) {
  browser->emulate(500, 900, false, false);
  show("philosophers.tck");
  EXPECT_EQ(text(".names"), "plato\nkant\narendt");
  browser->run("window.boxes = [...document.querySelectorAll('.names span')].map((n) => n.getBoundingClientRect())");
  EXPECT_EQ(value("boxes.every((box, i) => i === 0 || boxes[i - 1].right <= box.left)"), "true");
  EXPECT_EQ(value("boxes.every((box) => box.bottom <= document.querySelector('.track').getBoundingClientRect().top)"),
            "true");
}

/// Lanes move closer where there are many threads, so that the text of the steps can be read.
TEST_F(HtmlReport, LanesLeaveRoomForTheSteps) {
  write("many.cpp",
        "#include <atomic>\n#include <cassert>\n#include <thread>\n#include <vector>\nstd::atomic<int> served;\n"
        "int main() {\n  std::vector<std::thread> all;\n"
        "  for (int i = 0; i < 20; ++i) all.emplace_back([] { served = served + 1; });\n"
        "  for (auto& each : all) each.join();\n  assert(served == 20);\n}\n");
  ASSERT_EQ(mazurka("check --no-minimise --html page.html many.cpp").exit_code, 1);
  browser->open("file://" + (folder_ / "page.html").string());
  const std::string text_width = "document.querySelector('.steps .what').clientWidth";
  const std::string width = "document.querySelector('.timeline').clientWidth";
  EXPECT_EQ(value(text_width + " > " + width + " / 4"), "true") << value(text_width) << " of " << value(width);
  EXPECT_EQ(count(".names.tight"), "1");
  EXPECT_EQ(
      value("[...document.querySelectorAll('.steps .what')].every((what) => what.scrollWidth <= what.clientWidth)"),
      "true")
      << "no value is cut off";
}

TEST_F(HtmlReport, SeveralErrorsAreTabs) {
  write("two.c",
        "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n"
        "static atomic_int x;\n"
        "static void* f(void* p) { x = 1; x = 2; return p; }\n"
        "int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); int seen = x;\n"
        "  assert(seen != 1); assert(seen != 2); pthread_join(t, 0); }\n");
  ASSERT_EQ(mazurka("check --keep-going --html page.html two.c").exit_code, 1);
  browser->open("file://" + (folder_ / "page.html").string());
  ASSERT_EQ(count(".tabs button"), "2");
  const std::string first = text("h1");
  browser->click(".tabs button:nth-child(2)");
  EXPECT_NE(text("h1"), first);
  EXPECT_EQ(selected(), "1");
}

}  // namespace
