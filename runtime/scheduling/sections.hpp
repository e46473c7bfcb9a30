// Atomic sections: one step with many operations, which nobody can interrupt. What they are is known when the section
// ends, and becomes the footprint of its event (core/footprint.hpp). All accesses of memory belong to it, also those
// that are not atomic, whatever --plain says: sections order each other's accesses.
//
// A section is begun and ended by a call of mazurka.h, or is a function whose name begins with __VERIFIER_atomic_.
#pragma once

#include <cstdint>

#include "program/protocol.hpp"
#include "runtime/detector/shadow.hpp"
#include "runtime/export.hpp"
#include "runtime/memory/layout.hpp"

namespace mazurka::runtime {

struct SectionTouch {
  std::uint64_t address;
  std::uint64_t bytes;
  const void* place;
  std::uint8_t touch;  ///< see shadow.hpp
  bool meant;          ///< a race of it is
};
struct UndoneStore {
  std::uint64_t address;
  std::uint8_t bytes;
  std::uint8_t before[16];
};

/// The atomic section under way: no other thread can run meanwhile. In pages of its own, which the snapshot leaves
/// alone.
struct alignas(kPage) Section {
  static constexpr std::uint32_t kMost = 1U << 16;
  Event* record;              ///< of its event; null outside an exploration
  std::uint32_t wanted;       ///< what is left of the alternative that was asked for
  std::uint32_t alternative;  ///< the choices so far
  std::uint64_t weight;       ///< of the next choice
  bool random;                ///< choices are made at random
  std::uint32_t choices;
  std::uint32_t count;
  Operation choice[32];
  Operation operations[kMost];
  // What the race detector has yet to look at: a section whose assumption fails did not take place.
  std::uint32_t touch_count;
  SectionTouch touches[kMost];
  // The bytes that its stores replaced, for that case too.
  bool final;  ///< something took place that cannot be undone
  std::uint32_t undo_count;
  UndoneStore undo[kMost];
};
MAZURKA_SHARED Section current_section;

void begin_section(std::uint64_t site);
void end_section(std::uint64_t site);

/// An operation that takes place now, inside the section under way.
void add_to_section(const Operation& operation);
/// An access of memory inside the section. The race detector looks at it when the section ends.
void touch_in_section(std::uint64_t address, std::uint64_t bytes, Touch touch, const void* place);
/// Something takes place inside the section that cannot be taken back.
void make_section_final();
/// One of several possibilities; each is explored.
std::uint32_t choose_in_section(std::uint32_t alternatives, std::uint64_t (*random)());
/// An assumption does not hold: the section ends without effect.
void cut_section();
/// Ends the section under way and completes its event. With `broken` it did not come to its own end.
void close_section(bool broken);

/// Looks for the functions that are sections in the symbols of the program.
void find_section_functions();
bool has_section_functions();
/// The program enters the function to which this address belongs, and leaves the last one that it entered.
void enter_function(const void* address);
void leave_function();

}  // namespace mazurka::runtime
