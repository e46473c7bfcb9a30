#include "report/reach.hpp"

#include <fmt/format.h>

#include "report/counted.hpp"

namespace mazurka::report {

std::string sentence(const Reach& reach) {
  if (!reach.deepened) return "";
  std::string words;
  if (reach.explored.steps == 0)
    words = "executions that do not terminate were explored from their start";
  else
    words = fmt::format(
        "every execution with at most {} per thread{} was explored", counted(reach.explored.steps, "step"),
        reach.explored.threads == Bound::kUnlimited ? "" : " and at most " + counted(reach.explored.threads, "thread"));
  if (reach.cut.empty()) return words;
  const CutPlace& most = reach.cut.front();
  return fmt::format("{}: longer ones {} {}", words, most.creates_thread ? "create more threads in" : "continue in",
                     most.text);
}

}  // namespace mazurka::report
