// Messages between the processes ("ranks") of one run, as bytes. src/mpi has the one that goes over MPI; tests have one
// between threads.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <thread>

#include "core/bytes.hpp"

namespace mazurka {

/// One rank's end. \pre One thread at a time uses it.
class Transport {
 public:
  Transport() = default;
  Transport(const Transport&) = delete;
  Transport& operator=(const Transport&) = delete;
  virtual ~Transport() = default;

  /// Its number, from 0, and how many there are.
  virtual std::uint32_t rank() const = 0;
  virtual std::uint32_t ranks() const = 0;

  /// Does not block. Messages from one rank to another arrive in the order in which they were sent.
  virtual void send(std::uint32_t to, std::span<const std::byte> message) = 0;
  struct Received {
    std::uint32_t from = 0;
    Bytes message;
  };
  /// The next message that has arrived, if any; does not block.
  virtual std::optional<Received> receive() = 0;
  /// Seconds, from any moment on: how long something takes.
  virtual double now() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
  }
  /// To be called after receive() has found nothing n + 1 times in a row: waits a little, or until there is a message.
  /// At first it only yields the processor, since answers come within microseconds; then it sleeps, longer each time,
  /// so that an idle rank leaves the processor to others.
  virtual void wait(unsigned n) {
    constexpr unsigned kYields = 64;
    constexpr unsigned kNaps = 5;
    constexpr auto kShortest = std::chrono::microseconds(10);
    if (n < kYields)
      std::this_thread::yield();
    else
      std::this_thread::sleep_for(kShortest * (1U << std::min(n - kYields, kNaps)));
  }
};

}  // namespace mazurka
