// The memory that an explorer shares with the workers of a program: what is common to all, and a channel for each.
#pragma once

#include <cstdint>

#include "program/protocol.hpp"

namespace mazurka::program {

class Segment {
 public:
  /// Throws InputError where there is no memory.
  explicit Segment(std::uint32_t workers);
  ~Segment();
  Segment(const Segment&) = delete;
  Segment& operator=(const Segment&) = delete;

  protocol::Processes& processes() { return reinterpret_cast<protocol::Common*>(memory_)->processes; }
  protocol::Channel& channel(std::uint32_t number) {
    return *reinterpret_cast<protocol::Channel*>(memory_ + protocol::channel_offset(number));
  }
  /// Fills a channel with zeros.
  void clear(std::uint32_t number);
  /// Its descriptor, which workers inherit.
  int file() const { return file_; }

 private:
  std::uint64_t bytes_;
  int file_ = -1;
  char* memory_ = nullptr;
};

}  // namespace mazurka::program
