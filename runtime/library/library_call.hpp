// Calls of C library functions that access memory of the program. The library is not instrumented, so the runtime
// defines such a function itself: its wrapper calls the library's function and reports the accesses that this makes.
//
// These definitions are hidden: only the program's own calls get here. They are also weak, since a program may define a
// function of the same name itself.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/detector/detector.hpp"
#include "runtime/detector/shadow.hpp"
#include "runtime/hooks/plain.hpp"
#include "runtime/posix/c_library.hpp"
#include "runtime/scheduling/scheduler.hpp"
#include "runtime/scheduling/scheduling.hpp"
#include "runtime/scheduling/sections.hpp"
#include "runtime/scheduling/site.hpp"
#include "runtime/waiting/clean_stack.hpp"
#include "runtime/waiting/private_stacks.hpp"
#include "runtime/worker/image.hpp"

namespace mazurka::runtime {

/// Whether calls are scheduling points. They need not be as long as there is a single thread.
inline bool are_calls_steps() { return is_visible() && lives_may_race(); }
/// Whether accesses are reported at all.
inline bool sees_accesses() { return detector.checking || are_calls_steps(); }

/// One call. If plain accesses are scheduling points, the whole call is a single one, an atomic section, because the
/// order of the library's accesses is unknown. So accesses may be reported after they were made.
class LibraryCall {
 public:
  explicit LibraryCall(std::uint64_t site) : site_(site), is_step_(are_calls_steps()) {
    if (is_step_) [[unlikely]]
      begin_section(site);
  }
  /// A call that is a step only if it involves memory that other threads may use.
  struct IfShared {};
  LibraryCall(std::uint64_t site, IfShared /*unused*/) : site_(site), is_step_(false) {}
  ~LibraryCall() {
    if (is_step_) [[unlikely]]
      end_section(site_);
    else if (scheduling.cleans_stack == Cleans::All) [[unlikely]]
      clear_stack_below();  // the frames of the C library are large
    else
      clean_a_little();
  }
  LibraryCall(const LibraryCall&) = delete;
  LibraryCall& operator=(const LibraryCall&) = delete;

  /// For calls with IfShared: makes the call a step if other threads may use this memory. \pre It has made no access.
  void involves(const volatile void* address) {
    const auto place = reinterpret_cast<std::uint64_t>(address);
    if (is_step_ || !are_calls_steps() || image.has_constant(place) || is_on_private_stack(place)) return;
    is_step_ = true;
    begin_section(site_);
  }

  void reads(const volatile void* address, std::size_t bytes) const {
    if (!image.has_constant(reinterpret_cast<std::uint64_t>(address))) use(false, address, bytes);
  }
  /// \pre The call has not written it yet.
  void writes(const volatile void* address, std::size_t bytes) const { use(true, address, bytes); }
  /// \pre The call has written it. So an atomic section around the call can no longer be undone.
  void wrote(const volatile void* address, std::size_t bytes) const {
    if (scheduling.in_section && !is_step_) make_section_final();
    use(true, address, bytes);
  }

 private:
  void use(bool write, const volatile void* address, std::size_t bytes) const {
    if (address == nullptr || bytes == 0) return;
    if (is_step_)
      visible_range(write, address, bytes, site_);
    else if (detector.checking)
      touch_range(address, bytes, write ? Touch::Write : Touch::Read, place_of(site_));
  }

  std::uint64_t site_;
  bool is_step_;
};

/// The C library's own function. It is looked up before main: otherwise every execution would search for it again.
template <class Function>
class Original {
 public:
  explicit constexpr Original(const char* name) : name_(name) {}
  void find() { function_ = reinterpret_cast<Function*>(next_function(name_)); }

  template <class... Arguments>
  auto operator()(Arguments... arguments) {
    if (function_ == nullptr) [[unlikely]]  // called by a constructor of the program
      find();
    return function_(arguments...);
  }

 private:
  const char* name_;
  Function* function_ = nullptr;
};

/// The length of a string, or the limit if that is less.
inline std::size_t text_length(const char* text, std::size_t limit = SIZE_MAX) {
  std::size_t length = 0;
  while (length < limit && text[length] != 0) ++length;
  return length;
}
/// How many bytes of a string are read to find its end within `limit`.
inline std::size_t text_bytes(const char* text, std::size_t limit = SIZE_MAX) {
  const std::size_t length = text_length(text, limit);
  return length < limit ? length + 1 : limit;
}

}  // namespace mazurka::runtime

/// Defines the function NAME for the program; `real_NAME` is the library's. The body may use MAZURKA_CALL.
#define MAZURKA_LIBRARY(RESULT, NAME, PARAMETERS)                                                                 \
  static constinit ::mazurka::runtime::Original<RESULT PARAMETERS> real_##NAME{#NAME};                            \
  __attribute__((constructor)) static void find_##NAME() { real_##NAME.find(); }                                  \
  extern "C" __attribute__((visibility("hidden"), weak)) RESULT mazurka_library_##NAME PARAMETERS __asm__(#NAME); \
  extern "C" __attribute__((visibility("hidden"), weak)) RESULT mazurka_library_##NAME PARAMETERS

/// `call` is the current call; without observers of accesses it costs two tests.
#define MAZURKA_CALL const ::mazurka::runtime::LibraryCall call(::mazurka::runtime::sees_accesses() ? MAZURKA_SITE : 0)
