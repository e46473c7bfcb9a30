// Buffers that a program passes to functions of the runtime: what these read and write counts as accesses by the
// program.
#pragma once

#include <cstddef>
#include <cstdint>

#include <sys/uio.h>

#include "runtime/detector/detector.hpp"
#include "runtime/detector/shadow.hpp"
#include "runtime/hooks/plain.hpp"
#include "runtime/scheduling/scheduler.hpp"
#include "runtime/scheduling/site.hpp"
#include "runtime/waiting/clean_stack.hpp"
#include "runtime/worker/image.hpp"

namespace mazurka::runtime {

/// Announces that the call reads or writes these bytes. If accesses are scheduling points, theirs come before that of
/// the call.
inline void use_buffer(bool write, const void* address, std::size_t bytes, std::uint64_t site) {
  if (bytes == 0) return;
  if (is_visible()) return visible_range(write, address, bytes, site);
  if (!detector.checking) return;
  touch_range(address, bytes, write ? Touch::Write : Touch::Read, place_of(site));
  clean_stack();
}

/// The caller of the entry point that is running.
struct Caller {
  const void* address;
  const void* frame;

  /// Whether its accesses must be announced: only those of the program's own code. Libraries may order accesses to
  /// their own memory in ways that the detector does not see.
  bool is_watched() const {
    // If accesses are scheduling points, they need not be announced as long as there is a single thread.
    return (detector.checking || (is_visible() && lives_may_race())) &&
           image.has_code(reinterpret_cast<std::uint64_t>(address));
  }
  std::uint64_t site() const { return site_of(address, frame); }
};

/// The same for an argument that may be null.
inline void use_argument(bool write, const void* address, std::size_t bytes, const Caller& caller) {
  if (!caller.is_watched() || address == nullptr) [[likely]]
    return;
  if (!write && image.has_constant(reinterpret_cast<std::uint64_t>(address))) return;
  use_buffer(write, address, bytes, caller.site());
}

// For entry points themselves, since they find their caller. If accesses are scheduling points, the entry point must
// make the access right after its announcement, before its next step.
#define MAZURKA_CALLER \
  ::mazurka::runtime::Caller { __builtin_return_address(0), __builtin_frame_address(0) }
#define MAZURKA_READS(ADDRESS, BYTES) ::mazurka::runtime::use_argument(false, ADDRESS, BYTES, MAZURKA_CALLER)
#define MAZURKA_WRITES(ADDRESS, BYTES) ::mazurka::runtime::use_argument(true, ADDRESS, BYTES, MAZURKA_CALLER)

/// A private buffer that replaces an argument, if accesses are scheduling points.
class Substitute {
 public:
  Substitute() = default;
  Substitute(const Substitute&) = delete;
  Substitute& operator=(const Substitute&) = delete;

 protected:
  std::uint8_t* provide(std::size_t bytes, std::uint64_t site);

 private:
  std::uint8_t few_[256];
};

/// What a call reads before a step of its own. If accesses are scheduling points, others may write in between, so the
/// call gets a copy of what its accesses read.
class Input : Substitute {
 public:
  Input(const void* address, std::size_t bytes, const Caller& caller) : address_(address) {
    if (caller.is_watched() && address != nullptr) [[unlikely]]
      read(bytes, caller.site());
  }
  /// For calls that announce their reads whoever the caller is.
  Input(const void* address, std::size_t bytes, std::uint64_t site) : address_(address) {
    if ((detector.checking || is_visible()) && bytes > 0) [[unlikely]]
      read(bytes, site);
  }
  /// A string, whose length becomes known while it is read.
  Input(const char* text, const Caller& caller) : address_(text) {
    if (caller.is_watched() && text != nullptr) [[unlikely]]
      read_text(text, caller.site());
  }
  const void* address() const { return address_; }
  const char* text() const { return static_cast<const char*>(address_); }

 private:
  void read(std::size_t bytes, std::uint64_t site);
  void read_text(const char* text, std::uint64_t site);

  const void* address_;
};

/// What a call writes in a step of its own. If accesses are scheduling points, the call writes elsewhere, and wrote()
/// copies that in the steps of the accesses.
class Output : Substitute {
 public:
  Output(void* address, std::size_t bytes, const Caller& caller)
      : Output(address, bytes, caller, caller.is_watched()) {}
  /// For calls that announce their writes whoever the caller is.
  Output(void* address, std::size_t bytes, std::uint64_t site) : Output(address, bytes, site, true) {}
  void* address() const { return place_; }
  /// Announces that the call has written so many bytes from the start. \pre All its steps were taken.
  void wrote(std::size_t bytes) {
    if (watched_ && bytes > 0) [[unlikely]]
      write(bytes);
  }

 private:
  Output(void* address, std::size_t bytes, const Caller& caller, bool watched)
      : Output(address, bytes, watched ? caller.site() : 0, watched) {}
  Output(void* address, std::size_t bytes, std::uint64_t site, bool watched)
      : target_(address), place_(address), site_(site), watched_(watched && address != nullptr) {
    if (watched_ && is_visible()) [[unlikely]]
      place_ = provide(bytes, site);
  }
  void write(std::size_t bytes);

  void* target_;
  void* place_;
  std::uint64_t site_;
  bool watched_;
};

/// The same for a call that reads several buffers.
class GatheredInput : Substitute {
 public:
  GatheredInput(const iovec* parts, int count, const Caller& caller) : parts_(parts), count_(count) {
    if (caller.is_watched() && count > 0) [[unlikely]]
      read(caller.site());
  }
  const iovec* parts() const { return parts_; }
  int count() const { return count_; }

 private:
  void read(std::uint64_t site);

  const iovec* parts_;
  int count_;
  iovec whole_;
};

/// The same for a call that writes several buffers.
class ScatteredOutput : Substitute {
 public:
  ScatteredOutput(const iovec* parts, int count, const Caller& caller)
      : targets_(parts), parts_(parts), target_count_(count), count_(count) {
    if (caller.is_watched() && count > 0) [[unlikely]]
      read_parts(site_ = caller.site());
  }
  const iovec* parts() const { return parts_; }
  int count() const { return count_; }
  void wrote(long bytes) {
    if (site_ != 0 && bytes > 0) [[unlikely]]
      write(static_cast<std::size_t>(bytes));
  }

 private:
  void read_parts(std::uint64_t site);
  void write(std::size_t bytes);

  const iovec* targets_;
  const iovec* parts_;
  int target_count_;
  int count_;
  std::uint64_t site_ = 0;  ///< 0: not watched
  iovec whole_;
};

}  // namespace mazurka::runtime
