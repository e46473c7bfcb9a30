// What an atomic section did: the operations inside it, as a set, and the choices it made, in their order. A section is
// one event, and depends on what its operations depend on. They do not fit into an Operation, which names its footprint
// by a number; equal footprints have equal numbers.
//
// Header-only: the runtime inside a program under test uses it too. There the table lies in the segment shared with the
// explorer; the explorer has one of its own for all systems (footprints.hpp), and translates.
#pragma once

#include <cstdint>

#include "core/operation.hpp"

namespace mazurka {

/// The number of a footprint that is not known: of a section that was not run yet, or during which the program died.
inline constexpr std::uint64_t kUnknownFootprint = 0;

struct Footprint {
  std::uint32_t begin;    ///< of its operations in the table
  std::uint32_t count;    ///< of its operations, the choices included
  std::uint32_t choices;  ///< the first so many are choices: each among several alternatives
  std::uint32_t hash;
  bool ends_program;  ///< one of them is an Exit
};

struct FootprintTable {
  const Footprint* entries;  ///< by number; the first stands for the unknown one
  const Operation* operations;
};

/// The table that the numbers of this process refer to.
inline FootprintTable footprint_table{};

/// The operations of a section, choices first. Not for an unknown footprint.
class FootprintRange {
 public:
  explicit FootprintRange(const Operation& section)
      : footprint_(footprint_table.entries[section.object]),
        operations_(footprint_table.operations + footprint_.begin) {}
  const Operation* begin() const { return operations_ + footprint_.choices; }  ///< without the choices
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

/// Whether an operation interferes with every other, that is, everything happens before or after it.
inline bool interferes_with_everything(const Operation& operation) {
  const Family kind = family(operation.kind);
  return kind == Family::World || (kind == Family::Section && (operation.object == kUnknownFootprint ||
                                                               footprint_table.entries[operation.object].ends_program));
}

/// The choices of a section are one number in mixed radix, its alternative: the first choice is the lowest digit. Calls
/// `visit(alternative)` for every alternative that makes the choices of `taken` up to one, decides that one otherwise,
/// and then takes the first of everything, until it returns true. All alternatives are reached so from any of them.
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
