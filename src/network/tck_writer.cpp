#include <iterator>
#include <string>

#include <fmt/format.h>

#include "network/declarations.hpp"
#include "network/tck.hpp"

namespace mazurka::network {
namespace {

std::string attributes(const Location& location) {
  if (location.initial && !location.labels.empty()) return fmt::format("{{initial: : labels: {}}}", location.labels);
  if (location.initial) return "{initial:}";
  if (!location.labels.empty()) return fmt::format("{{labels: {}}}", location.labels);
  return "";
}

}  // namespace

std::string write_tck(const Network& network) {
  std::string text;
  auto out = std::back_inserter(text);
  fmt::format_to(out, "system:{}\n\n", network.name());
  for (const std::string& event : network.events()) fmt::format_to(out, "event:{}\n", event);
  for (const Component& component : network.components()) {
    if (component.implicit) continue;
    fmt::format_to(out, "\nprocess:{}{{role: {}}}\n", component.name, role_name(component.role));
    for (const Location& location : component.locations)
      fmt::format_to(out, "location:{}:{}{}\n", component.name, location.name, attributes(location));
    for (const Edge& edge : component.edges)
      fmt::format_to(out, "edge:{}:{}:{}:{}\n", component.name, component.locations[edge.source].name,
                     component.locations[edge.target].name, network.events()[edge.event]);
  }
  text += '\n';
  append_sync_lines(network, text);
  return text;
}

}  // namespace mazurka::network
