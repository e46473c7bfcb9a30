#include "report/reach.hpp"

#include <fmt/format.h>

namespace mazurka::report {

std::string sentence(const Reach& reach) {
  if (!reach.deepened) return "";
  std::string words;
  if (reach.explored.steps == 0)
    words = "executions that do not terminate were explored from their start";
  else
    words = fmt::format("every execution with at most {} steps per thread{} was explored", reach.explored.steps,
                        reach.explored.threads == Bound::kUnlimited
                            ? ""
                            : fmt::format(" and at most {} threads", reach.explored.threads));
  if (reach.cut.empty()) return words;
  const CutPlace& most = reach.cut.front();
  return fmt::format("{}: longer ones {} {}", words, most.creates_thread ? "create more threads in" : "continue in",
                     most.text);
}

}  // namespace mazurka::report
