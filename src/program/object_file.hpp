// What an object file, a shared library or a program says about how it was compiled (elfutils' libelf).
#pragma once

#include <map>
#include <string>
#include <vector>

#include "assembly/records.hpp"

namespace mazurka::program {

struct ObjectFile {
  bool has_code = true;       ///< also where the file cannot be read: it may have
  bool instrumented = false;  ///< compiled with -fsanitize=thread
  bool has_runtime = false;   ///< it is a program that was linked for Mazurka
  bool scanned = false;       ///< its assembly was looked through, and `unseen` is what was found
  std::vector<assembly::Unseen> unseen;
  std::string interpreter;             ///< of a program: what loads it and its libraries
  std::vector<std::string> libraries;  ///< that it asks for itself

  bool seen() const { return !has_code || (instrumented && scanned); }
};

ObjectFile read_object(const std::string& file);
/// The members of an archive by name.
std::map<std::string, ObjectFile> read_archive(const std::string& file);

/// Is the file where the system has its libraries?
bool belongs_to_system(const std::string& file);
/// Is it part of the C or C++ library, of the compiler's support or of the loader? Judged by its name, and by its place
/// where a program may well have a library of that name.
bool is_language_runtime(const std::string& file);

}  // namespace mazurka::program
