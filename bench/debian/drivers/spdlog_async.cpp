// spdlog's asynchronous logger: main logs, a thread of the pool writes. All messages arrive, in order.
#include <cassert>
#include <string>
#include <vector>

#include <spdlog/async.h>
#include <spdlog/details/null_mutex.h>
#include <spdlog/sinks/base_sink.h>

class Collect final : public spdlog::sinks::base_sink<spdlog::details::null_mutex> {
 public:
  std::vector<std::string> lines;

 private:
  void sink_it_(const spdlog::details::log_msg& message) override {
    lines.emplace_back(message.payload.data(), message.payload.size());
  }
  void flush_() override {}
};

// Given, so that nobody asks for the time: a program that does may time out in its waits any number of times.
constexpr spdlog::log_clock::time_point kWhen{};

int main() {
  auto sink = std::make_shared<Collect>();
  {
    auto pool = std::make_shared<spdlog::details::thread_pool>(4, 1);
    auto logger = std::make_shared<spdlog::async_logger>("log", sink, pool, spdlog::async_overflow_policy::block);
    const auto log = [&](const char* text) { logger->log(kWhen, spdlog::source_loc{}, spdlog::level::info, text); };
    log("first");
    log("second");
  }  // the pool ends when all is written
  assert((sink->lines == std::vector<std::string>{"first", "second"}));
}
