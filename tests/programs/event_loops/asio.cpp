// Two threads run an Asio loop with a posted handler and a timer's, which share a counter. With -DNO_STRAND the posted
// one lacks the strand.
#define ASIO_STANDALONE
#include <cassert>
#include <chrono>
#include <thread>

#include <asio.hpp>

int main() {
  asio::io_context io;
  const auto strand = asio::make_strand(io);
  asio::steady_timer timer(io, std::chrono::milliseconds(10));
  int count = 0;
  timer.async_wait(asio::bind_executor(strand, [&](const asio::error_code&) { ++count; }));
#ifdef NO_STRAND
  asio::post(io, [&] { ++count; });
#else
  asio::post(strand, [&] { ++count; });
#endif
  std::thread other([&] { io.run(); });
  io.run();
  other.join();
  assert(count == 2);
}
