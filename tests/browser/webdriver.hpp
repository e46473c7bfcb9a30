// A browser to test pages in: headless Chromium, driven through chromedriver by the W3C WebDriver protocol. Small on
// purpose: what the tests of our pages need, and no library.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>
#include <sys/types.h>

namespace mazurka::testing {

class Browser {
 public:
  /// Throws std::runtime_error where the browser cannot be started.
  Browser();
  ~Browser();
  Browser(const Browser&) = delete;
  Browser& operator=(const Browser&) = delete;

  void open(const std::string& url);
  std::string title();
  /// The value of a JavaScript function body.
  nlohmann::json run(const std::string& script);
  /// A click of the mouse in the middle of the first element that the CSS selector matches.
  void click(const std::string& selector);
  /// Presses and releases one key: a character, or a WebDriver code point as UTF-8.
  void press(const std::string& key);
  /// A window of this size, as a phone has it or not, with the colours that the user prefers.
  void emulate(int width, int height, bool phone, bool dark);
  /// Writes a PNG of what is to be seen.
  void screenshot(const std::string& file);

  static constexpr const char* kLeft = "\ue012";
  static constexpr const char* kUp = "\ue013";
  static constexpr const char* kRight = "\ue014";
  static constexpr const char* kDown = "\ue015";
  static constexpr const char* kHome = "\ue011";
  static constexpr const char* kEnd = "\ue010";

 private:
  nlohmann::json send(const std::string& method, const std::string& path, const nlohmann::json& body);
  nlohmann::json command(const std::string& path, const nlohmann::json& body);
  nlohmann::json devtools(const std::string& name, const nlohmann::json& parameters);
  void stop();

  pid_t driver_ = -1;
  int port_ = 0;
  std::string profile_;
  std::string session_;
};

}  // namespace mazurka::testing
