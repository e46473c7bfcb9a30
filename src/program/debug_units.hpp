// Finds the compilation units whose debug information may contain a given name. Most of them, such as those of our own
// runtime, do not, and walking over their entries takes longer than a small exploration.
#pragma once

#include <functional>
#include <span>
#include <string_view>

#include <elfutils/libdw.h>
#include <gelf.h>

namespace mazurka::program {

/// The raw bytes of a section; empty if there is none, or it is compressed.
std::string_view section_of(Elf* elf, std::string_view name);

/// As std::string_view::find, but with memmem().
std::size_t find_bytes(std::string_view bytes, std::string_view part, std::size_t from = 0);

/// Calls `visit` for the units that may have an entry whose name starts with one of `words`; and for others too, if
/// their bytes do not tell.
void for_each_unit_naming(Elf* elf, std::span<const std::string_view> words,
                          const std::function<void(Dwarf_Die*)>& visit);

}  // namespace mazurka::program
