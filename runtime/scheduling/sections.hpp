// Atomic sections: one step with many operations that no other thread can interrupt. The operations are known when the
// section ends; they become the footprint of its event (core/footprint.hpp). All memory accesses belong to it, plain
// ones too, whatever --plain says: sections order each other's accesses.
//
// A section is delimited by calls of mazurka.h, or it is a function whose name starts with __VERIFIER_atomic_.
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
  std::uint8_t touch;  ///< a Touch, see shadow.hpp
  bool intended;       ///< its races are intended
};
struct UndoneStore {
  std::uint64_t address;
  std::uint8_t bytes;
  std::uint8_t before[16];
};

/// The current atomic section; there is at most one. On pages of its own, which the snapshot excludes.
struct alignas(kPage) Section {
  static constexpr std::uint32_t kMost = 1U << 16;
  Event* record;              ///< its event; null if no exploration is under way
  std::uint32_t wanted;       ///< the remaining digits of the alternative that the schedule asks for
  std::uint32_t alternative;  ///< the choices so far, in mixed radix
  std::uint64_t weight;       ///< of the next digit
  bool random;                ///< choices are random
  std::uint32_t choices;
  std::uint32_t count;
  Operation choice[32];
  Operation operations[kMost];
  // Accesses that the race detector has not checked yet: a section whose assumption fails has no effect.
  std::uint32_t touch_count;
  SectionTouch touches[kMost];
  // The bytes overwritten by its stores, to undo them in that case.
  bool final;  ///< it did something that cannot be undone
  std::uint32_t undo_count;
  UndoneStore undo[kMost];
};
MAZURKA_SHARED Section current_section;

/// Starts a section: a scheduling point for the whole of it. Sections nest; only the outermost counts.
void begin_section(std::uint64_t site);
/// Ends a section. Fails the execution if none was begun.
void end_section(std::uint64_t site);

/// Records an operation performed inside the current section.
void add_to_section(const Operation& operation);
/// Records a memory access inside the section. The race detector checks it when the section ends.
void touch_in_section(std::uint64_t address, std::uint64_t bytes, Touch touch, const void* place);
/// From now on the section cannot be undone.
void make_section_final();
/// A data choice inside the section; every alternative is explored.
std::uint32_t choose_in_section(std::uint32_t alternatives, std::uint64_t (*random)());
/// An assumption failed: undoes the section and ends it.
void cut_section();
/// Ends the current section and completes its event. `broken`: it did not reach its own end.
void close_section(bool broken);

/// Finds the functions that are sections in the program's symbol table.
void find_section_functions();
bool has_section_functions();
/// Function entry and exit hooks; `address` is inside the function entered.
void enter_function(const void* address);
void leave_function();

}  // namespace mazurka::runtime
