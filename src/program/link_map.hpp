// Which of the files that a linker was given have become part of its output, by the map it writes (-Map): GNU ld, gold,
// lld and mold.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "assembly/records.hpp"

namespace mazurka::program {

/// A file whose code was linked.
struct LinkedFile {
  std::string file;    ///< an object or an archive, as the linker names it
  std::string member;  ///< of an archive
  bool operator==(const LinkedFile&) const = default;
};
std::vector<LinkedFile> linked_files(std::string_view map);

/// The name of the map that the words of a link ask for; empty where there is none.
std::string map_file(const std::vector<std::string>& words);

/// Those among the linked files that Mazurka does not see, one for each object or archive. The files of `own` are its
/// runtime.
std::vector<assembly::Unseen> unseen_files(const std::vector<LinkedFile>& files, const std::string& own);

}  // namespace mazurka::program
