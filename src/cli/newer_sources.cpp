#include "cli/newer_sources.hpp"

#include <filesystem>
#include <map>
#include <string>
#include <system_error>

#include <fmt/format.h>

#include "program/compiler_arguments.hpp"

namespace mazurka::cli {
namespace {

namespace fs = std::filesystem;

bool is_newer(const fs::path& source, const fs::path& image) {
  std::error_code unknown;
  const auto changed = fs::last_write_time(source, unknown);
  if (unknown) return false;
  const auto built = fs::last_write_time(image, unknown);
  return !unknown && changed > built;
}

}  // namespace

void add_newer_sources(report::Summary& summary) {
  if (program::is_source(summary.system)) return;  // it was built a moment ago, by clocks that may differ
  std::map<std::string, const CodePlace*> files;
  for (const report::Story& story : summary.errors) {
    for (const report::Story::DescribedStep& step : story.steps)
      if (step.spot.known()) files.emplace(step.spot.place.path, &step.spot.place);
    if (story.failure.known()) files.emplace(story.failure.place.path, &story.failure.place);
  }
  for (const auto& [path, place] : files)
    if (is_newer(path, place->image))
      summary.notes.push_back(
          fmt::format("{} was changed after {} was built: the lines shown may not be those that ran", place->file,
                      fs::path(place->image).filename().string()));
}

}  // namespace mazurka::cli
