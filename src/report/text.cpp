#include "report/text.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace mazurka::report {

std::string waiting(const Executor& executor, const Execution& execution) {
  std::map<ProcessIndex, std::vector<std::string>> wishes;
  for (const Offer& offer : execution.pending)
    if (!offer.enabled) wishes[offer.process].push_back(executor.describe(offer.operation));
  std::string lines;
  for (const auto& [process, operations] : wishes)
    fmt::format_to(std::back_inserter(lines), "  {} waits for {}\n", executor.process_name(process),
                   fmt::join(operations, " or "));
  return lines;
}

std::string text(const Executor& executor, const Execution& execution) {
  std::string lines = fmt::format("{}: {}\n\n", execution.error_kind, execution.message);
  std::size_t width = 7;
  for (const Event& event : execution.events) width = std::max(width, executor.process_name(event.process).size());
  auto out = std::back_inserter(lines);
  fmt::format_to(out, "{:>6}  {:<{}}  step\n", "#", "process", width);
  for (std::size_t i = 0; i < execution.events.size(); ++i)
    fmt::format_to(out, "{:>6}  {:<{}}  {}\n", i + 1, executor.process_name(execution.events[i].process), width,
                   executor.describe(execution.events[i].operation));
  if (execution.outcome == Outcome::Deadlock) lines += "\n" + waiting(executor, execution);
  return lines;
}

}  // namespace mazurka::report
