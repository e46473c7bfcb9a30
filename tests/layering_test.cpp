// Dependencies between the folders of src/ point downwards only: cli -> explorers and report -> systems -> core.
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>

#include <gtest/gtest.h>

namespace {

using Folders = std::set<std::string>;

// What each folder may include, besides itself. This is the table of docs/architecture.md.
const std::map<std::string, Folders> kAllowed = {
    {"core", {}},
    {"network", {"core"}},
    {"net", {"network", "core"}},
    {"assembly", {}},
    {"program", {"assembly", "core"}},
    {"walk", {"core"}},
    {"dpor", {"core"}},
    {"mpi", {"core"}},
    {"unfolding", {"core"}},
    {"stateful", {"network", "core"}},
    {"prefix", {"net", "network", "core"}},
    {"report", {"core"}},
    {"cli",
     {"report", "walk", "dpor", "unfolding", "stateful", "prefix", "program", "assembly", "network", "net", "core"}},
};

// What the runtime inside a program under test and the protocol may include: plain data without code of its own.
const std::set<std::string> kPlain = {"core/bound.hpp",        "core/dependence.hpp", "core/event.hpp",
                                      "core/failure_kind.hpp", "core/footprint.hpp",  "core/guidance.hpp",
                                      "core/heap_block.hpp",   "core/operation.hpp",  "core/priorities.hpp",
                                      "core/process.hpp",      "core/random.hpp",     "core/state_difference.hpp",
                                      "core/state_hash.hpp",   "core/step.hpp",       "program/file_undo.hpp",
                                      "program/patience.hpp",  "program/protocol.hpp"};
// And what these may use of the standard library. Whatever else a header of C has is a matter of the kernel's records.
const std::set<std::string> kPlainStandard = {"compare", "cstddef", "cstdint", "limits", "type_traits"};

template <typename Visit>
void for_each_include(const std::filesystem::path& folder, Visit&& visit) {
  static const std::string kInclude = "#include \"";
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    const std::string extension = entry.path().extension().string();
    const std::string name = entry.path().filename().string();
    if (extension != ".cpp" && extension != ".hpp") continue;
    if (name.ends_with("_test.cpp") || name.ends_with("_test.hpp")) continue;
    std::ifstream in(entry.path());
    for (std::string line; std::getline(in, line);) {
      if (!line.starts_with(kInclude)) continue;
      const std::string header = line.substr(kInclude.size(), line.rfind('"') - kInclude.size());
      visit(name, header.substr(0, header.find('/')), header);
    }
  }
}

TEST(Layering, IncludesPointDownwardsOnly) {
  int seen = 0;
  for (const auto& folder : std::filesystem::directory_iterator(MAZURKA_SOURCE_DIR "/src")) {
    if (!folder.is_directory()) continue;
    const std::string from = folder.path().filename().string();
    ASSERT_TRUE(kAllowed.contains(from)) << "src/" << from << " has no place in the architecture yet";
    for_each_include(folder.path(), [&](const std::string& file, const std::string& to, const std::string& header) {
      ++seen;
      EXPECT_TRUE(to == from || kAllowed.at(from).contains(to))
          << "src/" << from << "/" << file << " may not include " << header;
    });
  }
  EXPECT_GT(seen, 50);
}

TEST(Layering, TheTableItselfHasNoCycle) {
  for (const auto& [from, below] : kAllowed)
    for (const std::string& to : below)
      for (const std::string& next : kAllowed.at(to))
        EXPECT_TRUE(below.contains(next) && next != from) << from << " -> " << to << " -> " << next;
}

TEST(Layering, TheRuntimeUsesPlainPartsOfTheTool) {
  for_each_include(MAZURKA_SOURCE_DIR "/runtime",
                   [&](const std::string& file, const std::string& folder, const std::string& header) {
                     if (folder == "runtime" || folder == "mazurka") return;
                     EXPECT_TRUE(kPlain.contains(header)) << "runtime/" << file << " may not include " << header;
                   });
}

TEST(Layering, PlainPartsUseNothingButEachOther) {
  const auto included = [](const std::string& line, const std::string& before, char after) {
    return line.starts_with(before) ? line.substr(before.size(), line.rfind(after) - before.size()) : "";
  };
  for (const std::string& plain : kPlain) {
    std::ifstream in(MAZURKA_SOURCE_DIR "/src/" + plain);
    ASSERT_TRUE(in.good()) << plain;
    for (std::string line; std::getline(in, line);) {
      const std::string ours = included(line, "#include \"", '"');
      EXPECT_TRUE(ours.empty() || kPlain.contains(ours)) << plain << " may not include " << ours;
      const std::string standard = included(line, "#include <", '>');
      EXPECT_TRUE(standard.empty() || standard.ends_with(".h") || kPlainStandard.contains(standard))
          << plain << " may not include " << standard;
      EXPECT_EQ(line.find("virtual "), std::string::npos) << plain << " has a virtual function";
    }
  }
}

}  // namespace
