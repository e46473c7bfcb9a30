// What the programs of this folder are made of: one small use of one kind of operation for each row of the table.
#pragma once

#include <span>
#include <string_view>

namespace mazurka::pairs {

/// C code with marks: `#` is the number of the instance, so that a program may have two of one feature, and `@` a place
/// where the code of another feature, or an access of the shared variable, can stand. `N(v)` notes a value that was
/// observed, with the thread that observed it.
struct Feature {
  std::string_view name;
  std::string_view globals;      ///< shared objects, and functions that are called back
  std::string_view setup;        ///< in main, before there are other threads
  std::string_view first;        ///< what one thread does with the objects
  std::string_view second;       ///< and another one; empty: the same
  std::string_view finish{};     ///< in main, at the end
  bool races = false;            ///< its accesses are not ordered, which nobody looks at with --plain=ignore
  bool wakes_up = false;         ///< it waits on a condition variable, which may end without a signal
  bool shows_addresses = false;  ///< of blocks, which are used again where states are kept
  std::string_view role(int number) const { return number == 0 || second.empty() ? first : second; }
};

std::span<const Feature> features();

}  // namespace mazurka::pairs
