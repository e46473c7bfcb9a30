#include "program/segment.hpp"

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/falloc.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "core/error.hpp"

namespace mazurka::program {

Segment::Segment(std::uint32_t workers) : bytes_(protocol::channel_offset(workers)) {
  // No MFD_CLOEXEC: the descriptor must survive exec. Nothing else of ours is inherited.
  file_ = static_cast<int>(syscall(SYS_memfd_create, "mazurka", MFD_ALLOW_SEALING));
  void* memory = MAP_FAILED;
  if (file_ >= 0 && ftruncate(file_, static_cast<off_t>(bytes_)) == 0)
    memory = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED, file_, 0);
  if (memory == MAP_FAILED) {
    const int error = errno;
    if (file_ >= 0) close(file_);
    throw InputError(fmt::format("no shared memory for a worker: {}", std::strerror(error)));
  }
  // A program that truncates every file it finds must not take the memory away from the explorer.
  fcntl(file_, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL);
  memory_ = static_cast<char*>(memory);
  auto& common = *reinterpret_cast<protocol::Common*>(memory_);
  common.magic = protocol::kMagic;
  common.version = protocol::kVersion;
  common.channel_bytes = sizeof(protocol::Channel);
}

void Segment::clear(std::uint32_t number) {
  const std::uint64_t begin = protocol::channel_offset(number);
  const std::uint64_t bytes = protocol::channel_offset(number + 1) - begin;
  if (fallocate(file_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(begin),
                static_cast<off_t>(bytes)) != 0)
    std::memset(memory_ + begin, 0, bytes);
}

Segment::~Segment() {
  munmap(memory_, bytes_);
  close(file_);
}

}  // namespace mazurka::program
