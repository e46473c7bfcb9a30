// What an atomic section did: the set of operations inside it, and its choices in order. A section is one event, and
// depends on whatever one of its operations depends on. The operations do not fit into an Operation, so that holds the
// number of the footprint; equal footprints have equal numbers.
//
// Header-only: shared with the runtime inside a program under test. There the table lies in the memory shared with the
// explorer. The explorer has a table of its own for all systems (footprints.hpp), and translates numbers.
#pragma once

#include <cstdint>

#include "core/operation.hpp"

namespace mazurka {

/// The footprint of a section that has not been executed yet, or in which the program died.
inline constexpr std::uint64_t kUnknownFootprint = 0;

struct Footprint {
  std::uint32_t begin;    ///< index of its first operation in the table
  std::uint32_t count;    ///< number of its operations, including choices
  std::uint32_t choices;  ///< the leading operations that are choices, each with several alternatives
  std::uint32_t hash;
  bool ends_program;  ///< one of them is an Exit
};

struct FootprintTable {
  const Footprint* entries;  ///< by number; entry 0 stands for the unknown footprint
  const Operation* operations;
};

/// The table to which footprint numbers in this process refer.
inline FootprintTable footprint_table{};

/// The operations of a section, choices first. \pre the footprint is known.
class FootprintRange {
 public:
  explicit FootprintRange(const Operation& section)
      : footprint_(footprint_table.entries[section.object]),
        operations_(footprint_table.operations + footprint_.begin) {}
  const Operation* begin() const { return operations_ + footprint_.choices; }  ///< skips the choices
  const Operation* end() const { return operations_ + footprint_.count; }
  std::uint32_t choices() const { return footprint_.choices; }
  std::uint32_t alternatives(std::uint32_t choice) const { return operations_[choice].alternatives(); }

 private:
  const Footprint& footprint_;
  const Operation* operations_;
};

constexpr bool has_unknown_footprint(const Operation& operation) {
  return operation.kind == OperationKind::AtomicSection && operation.object == kUnknownFootprint;
}

/// Whether an operation interferes with every other, so that happens-before orders it with all events.
inline bool interferes_with_everything(const Operation& operation) {
  const Family kind = family(operation.kind);
  return kind == Family::World || (kind == Family::Section && (operation.object == kUnknownFootprint ||
                                                               footprint_table.entries[operation.object].ends_program));
}

/// The choices of a section are encoded as one number in mixed radix, the alternative of the step; the first choice is
/// the lowest digit. Calls `visit(alternative)`, until it returns true, for every alternative that agrees with `taken`
/// on a prefix of the choices, differs in the next one, and takes 0 afterwards. Repeating this from the alternatives
/// found reaches all of them.
template <class Visit>
bool for_each_sibling(const Operation& section, std::uint32_t taken, Visit&& visit) {
  const FootprintRange footprint(section);
  std::uint64_t weight = 1;
  for (std::uint32_t i = 0; i < footprint.choices(); ++i) {
    const std::uint32_t alternatives = footprint.alternatives(i);
    const auto before = static_cast<std::uint32_t>(taken % weight);
    const auto digit = static_cast<std::uint32_t>(taken / weight % alternatives);
    for (std::uint32_t other = 0; other < alternatives; ++other)
      if (other != digit && visit(static_cast<std::uint32_t>(before + other * weight))) return true;
    weight *= alternatives;
  }
  return false;
}

}  // namespace mazurka
