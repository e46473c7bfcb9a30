// The shared memory of an explorer and the workers of a program: the common part, and a channel for each worker.
#pragma once

#include <cstdint>

#include "program/protocol.hpp"

namespace mazurka::program {

class Segment {
 public:
  /// Throws InputError if there is no memory.
  explicit Segment(std::uint32_t workers);
  ~Segment();
  Segment(const Segment&) = delete;
  Segment& operator=(const Segment&) = delete;

  protocol::Processes& processes() { return reinterpret_cast<protocol::Common*>(memory_)->processes; }
  protocol::Channel& channel(std::uint32_t number) {
    return *reinterpret_cast<protocol::Channel*>(memory_ + protocol::channel_offset(number));
  }
  /// Zeroes a channel.
  void clear(std::uint32_t number);
  /// Its descriptor, which workers inherit.
  int file() const { return file_; }

 private:
  std::uint64_t bytes_;
  int file_ = -1;
  char* memory_ = nullptr;
};

}  // namespace mazurka::program
