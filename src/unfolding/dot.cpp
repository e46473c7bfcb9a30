#include "unfolding/dot.hpp"

#include <iterator>

#include <fmt/format.h>

namespace mazurka::unfolding {
namespace {

constexpr const char* kColours[] = {"#dbe9f6", "#fde3c8", "#dcefd8", "#f6d6d5",
                                    "#e8def0", "#ecdfd3", "#f9dff0", "#eeeeee"};

std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result;
}

}  // namespace

std::string dot(const EventStructure& events, const Names& names) {
  std::string text =
      "digraph unfolding {\n  node [shape=box, style=\"filled,rounded\", fontname=\"Helvetica\", fontsize=10];\n"
      "  edge [arrowsize=0.6];\n";
  const auto out = std::back_inserter(text);
  for (EventId e = 0; e < events.size(); ++e) {
    const ProcessIndex process = events.process(e);
    fmt::format_to(out, "  e{} [label=\"{}: {}\\n{}\", fillcolor=\"{}\"];\n", e, e + 1,
                   escaped(names.process_name(process)), escaped(names.describe(events.operation(e), {})),
                   kColours[process % std::size(kColours)]);
  }
  for (EventId e = 0; e < events.size(); ++e)
    for (const EventId cause : events.causes(e)) fmt::format_to(out, "  e{} -> e{};\n", cause, e);
  for (EventId e = 0; e < events.size(); ++e)
    for (EventId other = 0; other < e; ++other)
      if (events.immediate_conflict(other, e))
        fmt::format_to(out, "  e{} -> e{} [dir=none, style=dotted, color=red, constraint=false];\n", other, e);
  return text + "}\n";
}

}  // namespace mazurka::unfolding
