// Names of parts of a variable, from the types in its debug information: `.flag`, `[3].lock`, `+4`.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>

#include "program/scalar_type.hpp"

namespace mazurka::program {

/// The type of a variable or member, without typedefs and qualifiers.
std::optional<Dwarf_Die> type_of(Dwarf_Die* die);
bool is_class(Dwarf_Die* type);
/// The path to what is `offset` bytes into an object of this type: its innermost member, or the object of class
/// `whole`.
std::string inside(Dwarf_Die type, std::uint64_t offset, std::string_view whole = {});
/// The number, enumeration or pointer at this offset, also inside types of the standard library.
ScalarType scalar_at(Dwarf_Die type, std::uint64_t offset);

/// Visits the children of an entry until `visit` returns true.
template <typename Visit>
void for_each_child(Dwarf_Die* parent, Visit&& visit) {
  Dwarf_Die child;
  if (dwarf_child(parent, &child) != 0) return;
  do {
    if (visit(&child)) return;
  } while (dwarf_siblingof(&child, &child) == 0);
}

class Members {
 public:
  /// Reads debug information only on the first query.
  explicit Members(Dwfl_Module* module) : module_(module) {}

  /// The path to what is `offset` bytes into the variable at `address` of the module. Types from system headers are
  /// opaque: members of a mutex are not named.
  std::string path(Dwarf_Addr address, std::uint64_t offset, std::string_view whole);
  ScalarType scalar(Dwarf_Addr address, std::uint64_t offset);

 private:
  void read();
  void read(Dwarf_Die* parent, Dwarf_Addr bias);

  Dwfl_Module* module_;
  bool read_ = false;
  std::map<Dwarf_Addr, Dwarf_Die> types_;  ///< types of the variables, by address
};

}  // namespace mazurka::program
