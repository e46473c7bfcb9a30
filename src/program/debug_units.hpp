// The compilation units of a program in whose debug information something may have a given name. Most of them, such as
// those of our own runtime, have not, and walking over their entries takes longer than a small exploration.
#pragma once

#include <functional>
#include <span>
#include <string_view>

#include <elfutils/libdw.h>
#include <gelf.h>

namespace mazurka::program {

/// The bytes of a section as they are in the file; empty if there is none, or they are compressed.
std::string_view section_of(Elf* elf, std::string_view name);

/// As std::string_view::find, with the library's fast search.
std::size_t find_bytes(std::string_view bytes, std::string_view part, std::size_t from = 0);

/// Calls `visit` with the units that may have an entry whose name begins with one of `words`; with some others too
/// where that cannot be told by looking at their bytes.
void for_each_unit_naming(Elf* elf, std::span<const std::string_view> words,
                          const std::function<void(Dwarf_Die*)>& visit);

}  // namespace mazurka::program
