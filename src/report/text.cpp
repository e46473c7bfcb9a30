#include "report/text.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace mazurka::report {
namespace {

constexpr std::size_t kColumns = 4;
using Row = std::array<std::string, kColumns>;

/// Left-aligned columns, the first one right-aligned; columns that are empty throughout are left out.
std::string table(const std::vector<Row>& rows) {
  std::array<std::size_t, kColumns> width{};
  for (const Row& row : rows)
    for (std::size_t c = 0; c < kColumns; ++c) width[c] = std::max(width[c], row[c].size());
  std::string lines;
  for (const Row& row : rows) {
    std::string line = fmt::format("{:>6}", row[0]);
    for (std::size_t c = 1; c < kColumns; ++c)
      if (width[c] != 0) line += fmt::format("  {:<{}}", row[c], width[c]);
    line.erase(line.find_last_not_of(' ') + 1);
    lines += line + "\n";
  }
  return lines;
}

}  // namespace

std::string waiting(const Executor& executor, const Execution& execution) {
  std::map<ProcessIndex, std::vector<std::string>> wishes;
  for (const Offer& offer : execution.pending) {
    if (offer.enabled) continue;
    std::string wish = executor.describe(offer.operation);
    if (offer.holder != kNoProcess) wish += fmt::format(", held by {}", executor.process_name(offer.holder));
    if (const std::string source = executor.source(offer.site); !source.empty()) wish += fmt::format(" at {}", source);
    wishes[offer.process].push_back(std::move(wish));
  }
  std::string lines;
  for (const auto& [process, operations] : wishes)
    fmt::format_to(std::back_inserter(lines), "  {} waits for {}\n", executor.process_name(process),
                   fmt::join(operations, " or "));
  return lines;
}

std::string text(const Executor& executor, const Execution& execution) {
  std::string lines;
  if (!execution.error_kind.empty()) lines = fmt::format("{}: {}\n\n", execution.error_kind, execution.message);
  std::vector<Row> rows{{"#", "process", "step", ""}};
  for (std::size_t i = 0; i < execution.events.size(); ++i) {
    const Event& event = execution.events[i];
    rows.push_back({fmt::format("{}", i + 1), executor.process_name(event.process), executor.describe(event.operation),
                    executor.source(event.site)});
  }
  lines += table(rows);
  if (execution.outcome == Outcome::Deadlock) lines += "\n" + waiting(executor, execution);
  for (const std::string& warning : execution.warnings) lines += fmt::format("\nwarning: {}\n", warning);
  return lines;
}

}  // namespace mazurka::report
