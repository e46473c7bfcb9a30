// Finds out which of the files given to a linker became part of its output, from its map file (-Map): GNU ld, gold, lld
// and mold.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "assembly/records.hpp"

namespace mazurka::program {

/// A file whose code was linked.
struct LinkedFile {
  std::string file;    ///< an object or archive, as the linker names it
  std::string member;  ///< of an archive
  bool operator==(const LinkedFile&) const = default;
};
std::vector<LinkedFile> linked_files(std::string_view map);

/// The map file that a link command asks for; empty if none.
std::string map_file(const std::vector<std::string>& words);

/// The linked files that are not instrumented, one entry per object or archive. `own` is the runtime's archive.
std::vector<assembly::Unseen> unseen_files(const std::vector<LinkedFile>& files, const std::string& own);

}  // namespace mazurka::program
