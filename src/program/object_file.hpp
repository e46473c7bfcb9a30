// Finds out how an object file, a shared library or a program was compiled (elfutils' libelf).
#pragma once

#include <map>
#include <string>
#include <vector>

#include "assembly/records.hpp"

namespace mazurka::program {

struct ObjectFile {
  bool has_code = true;       ///< true if the file cannot be read: it may have
  bool instrumented = false;  ///< compiled with -fsanitize=thread
  bool has_runtime = false;   ///< a program linked for Mazurka
  bool scanned = false;       ///< its assembly was scanned, and `unseen` is the result
  std::vector<assembly::Unseen> unseen;
  std::string interpreter;             ///< of a program: its dynamic loader
  std::vector<std::string> libraries;  ///< direct dependencies

  bool seen() const { return !has_code || (instrumented && scanned); }
};

ObjectFile read_object(const std::string& file);
/// The members of an archive by name.
std::map<std::string, ObjectFile> read_archive(const std::string& file);

/// Whether the file is in a system library directory.
bool belongs_to_system(const std::string& file);
/// Whether it is part of the C or C++ library, of the compiler's support or of the loader, judged by its name; if a
/// program may well have a library of that name, also by its directory.
bool is_language_runtime(const std::string& file);

}  // namespace mazurka::program
