#include "browser/webdriver.hpp"

#include <algorithm>
#include <cctype>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <thread>

#include <arpa/inet.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace mazurka::testing {
namespace {

using Json = nlohmann::json;

sockaddr_in local(int port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

int free_port() {
  const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address = local(0);
  socklen_t size = sizeof address;
  const bool bound = bind(socket, reinterpret_cast<sockaddr*>(&address), size) == 0 &&
                     getsockname(socket, reinterpret_cast<sockaddr*>(&address), &size) == 0;
  close(socket);
  if (!bound) throw std::runtime_error("no port is free");
  return ntohs(address.sin_port);
}

/// Whether an HTTP answer has all of its body; the driver keeps the connection whatever we ask for.
bool is_complete(const std::string& answer) {
  const std::size_t blank = answer.find("\r\n\r\n");
  if (blank == std::string::npos) return false;
  std::string head = answer.substr(0, blank);
  std::transform(head.begin(), head.end(), head.begin(), [](unsigned char c) { return std::tolower(c); });
  const std::string name = "content-length:";
  const std::size_t length = head.find(name);
  return length != std::string::npos && answer.size() >= blank + 4 + std::stoul(head.substr(length + name.size()));
}

/// One HTTP request; the body of the answer, or an empty text where nobody answers.
std::string http(int port, const std::string& method, const std::string& path, const std::string& body) {
  const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
  const sockaddr_in address = local(port);
  std::string answer;
  if (connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) {
    const std::string request = method + " " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n" +
                                "Content-Type: application/json\r\nContent-Length: " + std::to_string(body.size()) +
                                "\r\n\r\n" + body;
    std::size_t sent = 0;
    while (sent < request.size()) {
      const ssize_t count = ::send(socket, request.data() + sent, request.size() - sent, MSG_NOSIGNAL);
      if (count <= 0) break;
      sent += static_cast<std::size_t>(count);
    }
    const timeval patience{60, 0};
    setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    char buffer[65536];
    while (!is_complete(answer)) {
      const ssize_t count = recv(socket, buffer, sizeof buffer, 0);
      if (count <= 0) break;
      answer.append(buffer, static_cast<std::size_t>(count));
    }
  }
  close(socket);
  const std::size_t blank = answer.find("\r\n\r\n");
  return blank == std::string::npos ? "" : answer.substr(blank + 4);
}

std::vector<unsigned char> from_base64(const std::string& text) {
  static const std::string kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::vector<unsigned char> bytes;
  unsigned value = 0;
  int bits = 0;
  for (char c : text) {
    const std::size_t digit = kDigits.find(c);
    if (digit == std::string::npos) continue;
    value = (value << 6) | static_cast<unsigned>(digit);
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes.push_back(static_cast<unsigned char>((value >> bits) & 0xFFU));
  }
  return bytes;
}

}  // namespace

Browser::Browser() : port_(free_port()) {
  std::string pattern = (std::filesystem::temp_directory_path() / "mazurka-browser-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no folder for the browser's profile");
  profile_ = pattern;
  driver_ = fork();
  if (driver_ == 0) {
    setpgid(0, 0);  // so that the browsers it starts can be ended with it
    const int nothing = ::open("/dev/null", O_WRONLY);
    dup2(nothing, STDOUT_FILENO);
    dup2(nothing, STDERR_FILENO);
    setenv("HOME", profile_.c_str(), 1);
    const std::string port = "--port=" + std::to_string(port_);
    execlp("chromedriver", "chromedriver", port.c_str(), nullptr);
    _exit(127);
  }
  for (int i = 0; i < 300 && http(port_, "GET", "/status", "").empty(); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  const Json options = {{"args",
                         {"--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
                          "--window-size=1280,900", "--user-data-dir=" + profile_ + "/profile"}}};
  try {
    const Json answer =
        send("POST", "/session",
             {{"capabilities", {{"alwaysMatch", {{"browserName", "chrome"}, {"goog:chromeOptions", options}}}}}});
    session_ = answer.at("sessionId").get<std::string>();
  } catch (const std::exception& error) {
    stop();
    throw std::runtime_error(std::string("chromium does not start; are chromium and chromium-driver installed? ") +
                             error.what());
  }
}

Browser::~Browser() {
  http(port_, "DELETE", "/session/" + session_, "");
  stop();
}

void Browser::stop() {
  kill(-driver_, SIGTERM);
  waitpid(driver_, nullptr, 0);
  std::error_code ignored;
  std::filesystem::remove_all(profile_, ignored);
}

Json Browser::send(const std::string& method, const std::string& path, const Json& body) {
  const std::string text = http(port_, method, path, body.dump());
  if (text.empty()) throw std::runtime_error("chromedriver does not answer");
  const Json answer = Json::parse(text);
  const Json& value = answer.at("value");
  if (value.is_object() && value.contains("error"))
    throw std::runtime_error(value.at("error").get<std::string>() + ": " + value.at("message").get<std::string>());
  return value;
}

Json Browser::command(const std::string& path, const Json& body) {
  return send("POST", "/session/" + session_ + path, body);
}

Json Browser::devtools(const std::string& name, const Json& parameters) {
  return command("/goog/cdp/execute", {{"cmd", name}, {"params", parameters}});
}

void Browser::open(const std::string& url) { command("/url", {{"url", url}}); }

std::string Browser::title() { return run("return document.title").get<std::string>(); }

Json Browser::run(const std::string& script) {
  return command("/execute/sync", {{"script", script}, {"args", Json::array()}});
}

void Browser::click(const std::string& selector) {
  const Json element = command("/element", {{"using", "css selector"}, {"value", selector}});
  command("/element/" + element.begin().value().get<std::string>() + "/click", Json::object());
}

void Browser::press(const std::string& key) {
  const Json actions = {{{"type", "keyDown"}, {"value", key}}, {{"type", "keyUp"}, {"value", key}}};
  command("/actions", {{"actions", {{{"type", "key"}, {"id", "keyboard"}, {"actions", actions}}}}});
}

void Browser::emulate(int width, int height, bool phone, bool dark) {
  devtools("Emulation.setDeviceMetricsOverride",
           {{"width", width}, {"height", height}, {"deviceScaleFactor", 1}, {"mobile", phone}});
  devtools("Emulation.setEmulatedMedia",
           {{"features", {{{"name", "prefers-color-scheme"}, {"value", dark ? "dark" : "light"}}}}});
}

void Browser::screenshot(const std::string& file) {
  const Json image = send("GET", "/session/" + session_ + "/screenshot", Json::object());
  const std::vector<unsigned char> bytes = from_base64(image.get<std::string>());
  std::ofstream(file, std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

}  // namespace mazurka::testing
