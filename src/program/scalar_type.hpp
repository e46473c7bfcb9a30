// What a number in memory means: its sign, and the names of the values of an enumeration.
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace mazurka::program {

struct ScalarType {
  std::uint64_t bytes = 0;  ///< 0: nothing is known
  bool is_unsigned = false;
  bool is_pointer = false;
  std::string pointee;                               ///< the name of the class that a pointer points to, if it has one
  std::map<std::uint64_t, std::string> enumerators;  ///< by their values, which have as many bytes
};

}  // namespace mazurka::program
