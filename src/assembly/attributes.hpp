// Finds the functions marked no_sanitize in a preprocessed source.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "assembly/records.hpp"

namespace mazurka::assembly {

/// An attribute that exempts a function from thread instrumentation.
struct Exemption {
  std::string file;
  unsigned line = 0;
  std::string function;  ///< the last part of its name: `push`, `operator()`; empty if it may be any
};
std::vector<Exemption> exemptions(std::string_view preprocessed);

/// The suspects (scanner.hpp) that an attribute exempts.
std::vector<Unseen> exempt_functions(const std::vector<std::string>& suspects,
                                     const std::vector<Exemption>& exemptions);

/// `push` of `queue<int>::push(int) const`.
std::string last_name(std::string_view demangled);

}  // namespace mazurka::assembly
