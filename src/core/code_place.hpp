// A source location, as far as the debug information tells.
#pragma once

#include <cstdint>
#include <string>

namespace mazurka {

struct CodePlace {
  std::string function;  ///< without parameters; empty if unknown
  std::string file;      ///< the last part of its path; empty without debug information
  std::string path;      ///< as the compiler recorded it
  int line = 0;
  std::string image = {};    ///< the executable or library with the code; empty if nothing is known
  std::uint64_t offset = 0;  ///< in the image

  bool in_foreign_header() const;
};

/// Whether a file is a system header or one of Mazurka's own, that is, not written by the user.
bool is_foreign_header(const std::string& path);

/// `queue.cpp:12 (push)` as far as known, `program+0x1a2b` without symbols, empty if nothing is known.
std::string to_string(const CodePlace& place);

}  // namespace mazurka
