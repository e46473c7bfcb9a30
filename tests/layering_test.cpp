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
    {"unfolding", {"core"}},
    {"stateful", {"network", "core"}},
    {"prefix", {"net", "network", "core"}},
    {"report", {"core"}},
    {"cli",
     {"report", "walk", "dpor", "unfolding", "stateful", "prefix", "program", "assembly", "network", "net", "core"}},
};

// The runtime inside a program under test may use only what has no code of its own in src/.
const std::set<std::string> kRuntimeMay = {"core/operation.hpp",    "core/dependence.hpp",  "core/random.hpp",
                                           "core/process.hpp",      "core/execution.hpp",   "core/executor.hpp",
                                           "program/file_undo.hpp", "program/patience.hpp", "program/protocol.hpp"};

template <typename Visit>
void for_each_include(const std::filesystem::path& folder, Visit&& visit) {
  static const std::string kInclude = "#include \"";
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    const std::string extension = entry.path().extension().string();
    const std::string name = entry.path().filename().string();
    if ((extension != ".cpp" && extension != ".hpp") || name.ends_with("_test.cpp")) continue;
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

TEST(Layering, TheRuntimeUsesHeaderOnlyPartsOfTheTool) {
  if (!std::filesystem::exists(MAZURKA_SOURCE_DIR "/runtime")) GTEST_SKIP() << "there is no runtime yet";
  for_each_include(MAZURKA_SOURCE_DIR "/runtime",
                   [&](const std::string& file, const std::string& folder, const std::string& header) {
                     if (folder == "runtime" || folder == "mazurka") return;
                     EXPECT_TRUE(kRuntimeMay.contains(header)) << "runtime/" << file << " may not include " << header;
                   });
}

}  // namespace
