// Names of local variables. The frame of main lives as long as the program: what threads share is often there.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>

#include "program/scalar_type.hpp"

namespace mazurka::program {

class Locals {
 public:
  /// A variable, or a part of one.
  struct Found {
    std::string name;  ///< empty if there is none, or if several variables share the place one after another
    ScalarType type;
  };

  /// Reads debug information only on the first query.
  explicit Locals(Dwfl_Module* module) : module_(module) {}

  /// The variable of main at this offset from the start of its frame (the stack pointer when main was called).
  Found at(std::int64_t distance, std::string_view whole);
  /// The same for the function whose innermost scope at the address `code` is `scope`, in a unit with this bias.
  Found at(Dwarf_Die scope, Dwarf_Addr code, Dwarf_Addr bias, std::int64_t distance, std::string_view whole);

 private:
  struct Variable {
    std::int64_t begin;
    std::uint64_t size;
    std::string name;
    Dwarf_Die type;
  };

  void read();
  static void read(Dwarf_Die* scope, std::int64_t base, std::optional<Dwarf_Addr> code, std::vector<Variable>& into);
  static Found find(const std::vector<Variable>& variables, std::int64_t distance, std::string_view whole);

  Dwfl_Module* module_;
  bool read_ = false;
  std::vector<Variable> variables_;
};

}  // namespace mazurka::program
