// A place in source code, with what is known of it.
#pragma once

#include <cstdint>
#include <string>

namespace mazurka {

struct CodePlace {
  std::string function;  ///< without parameters; empty where it is not known
  std::string file;      ///< the last part of its path; empty without debug information
  std::string path;      ///< as the compiler recorded it
  int line = 0;
  std::string image = {};    ///< the file that the code was loaded from; empty where the place is not known at all
  std::uint64_t offset = 0;  ///< in the image

  bool in_foreign_header() const;
};

/// Whether a file is a header of the system or of Mazurka itself, so that users did not write it.
bool is_foreign_header(const std::string& path);

/// `queue.cpp:12 (push)` with what is known of it, `program+0x1a2b` without symbols; empty if nothing is known.
std::string to_string(const CodePlace& place);

}  // namespace mazurka
