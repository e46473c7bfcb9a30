// What inserted calls ask without saving the vector registers: this file is compiled not to use them.
#include "runtime/detector/detector.hpp"
#include "runtime/hooks/inserted_calls.hpp"
#include "runtime/memory/layout.hpp"
#include "runtime/scheduling/scheduling.hpp"
#include "runtime/worker/image.hpp"

using namespace mazurka::runtime;

/// Not those of a thread to its own stack: what others use there is announced but for copies to and from it. Nor those
/// of constants.
extern "C" __attribute__((used, visibility("hidden"))) bool mazurka_access_matters(int, void* const* frame) {
  if (!detector.checking && !(detector.hooked && scheduling.exploring)) return false;
  const InsertedAccess access(frame);
  const auto address = reinterpret_cast<std::uint64_t>(access.address());
  const auto here = reinterpret_cast<std::uint64_t>(frame);
  const bool on_own_stack = address >= here && address - here < kStackBytes;
  return !on_own_stack && !image.has_constant(address) && access.bytes() != 0;
}

/// Whether the stack below the call must hold no remains of it.
extern "C" __attribute__((used, visibility("hidden"))) bool mazurka_cleans_after_calls() {
  return scheduling.cleans_stack != Cleans::Nothing;
}
