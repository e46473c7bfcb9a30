// How to print a number in memory: its signedness, and the names of enumerators.
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace mazurka::program {

struct ScalarType {
  std::uint64_t bytes = 0;  ///< 0: unknown
  bool is_unsigned = false;
  bool is_pointer = false;
  std::string pointee;                               ///< name of the class that a pointer points to, if it has one
  std::map<std::uint64_t, std::string> enumerators;  ///< by value, truncated to `bytes`
};

}  // namespace mazurka::program
