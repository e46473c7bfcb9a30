#include "net/writers.hpp"

#include <sstream>

#include <fmt/format.h>
#include <pugixml.hpp>

namespace mazurka::net {
namespace {

/// PEP has no escapes: a name with both quotation marks or a line break loses them.
std::string pep_quoted(std::string text) {
  for (char& c : text)
    if (c == '\n' || c == '\r') c = ' ';
  if (text.find('"') == std::string::npos) return '"' + text + '"';
  for (char& c : text)
    if (c == '\'') c = '`';
  return '\'' + text + '\'';
}

}  // namespace

std::string to_ll_net(const Net& net) {
  std::string out = "PEP\nPTNet\nFORMAT_N2\nPL\n";
  const auto places = static_cast<PlaceId>(net.places().size());
  for (PlaceId p = 0; p < places; ++p)
    out += fmt::format("{}{}{}\n", p + 1, pep_quoted(net.place(p).name), net.place(p).marked ? "M1" : "");
  const auto transitions = static_cast<TransitionId>(net.transitions().size());
  out += "TR\n";
  for (TransitionId t = 0; t < transitions; ++t)
    out += fmt::format("{}{}\n", t + 1, pep_quoted(net.transition(t).name));
  out += "TP\n";
  for (TransitionId t = 0; t < transitions; ++t)
    for (PlaceId p : net.transition(t).post) out += fmt::format("{}<{}\n", t + 1, p + 1);
  out += "PT\n";
  for (TransitionId t = 0; t < transitions; ++t)
    for (PlaceId p : net.transition(t).pre) out += fmt::format("{}>{}\n", p + 1, t + 1);
  if (!net.has_reads()) return out;
  out += "RA\n";
  for (TransitionId t = 0; t < transitions; ++t)
    for (PlaceId p : net.transition(t).context) out += fmt::format("{}<{}\n", t + 1, p + 1);
  return out;
}

std::string to_pnml(const Net& net) {
  pugi::xml_document document;
  pugi::xml_node root = document.append_child("pnml");
  root.append_attribute("xmlns") = "http://www.pnml.org/version-2009/grammar/pnml";
  pugi::xml_node outer = root.append_child("net");
  outer.append_attribute("id") = "net";
  outer.append_attribute("type") = "http://www.pnml.org/version-2009/grammar/ptnet";
  pugi::xml_node page = outer.append_child("page");
  page.append_attribute("id") = "page";
  const auto node = [&](const char* kind, const std::string& id, const std::string& name) {
    pugi::xml_node made = page.append_child(kind);
    made.append_attribute("id") = id.c_str();
    made.append_child("name").append_child("text").text() = name.c_str();
    return made;
  };
  for (PlaceId p = 0; p < net.places().size(); ++p) {
    pugi::xml_node made = node("place", fmt::format("p{}", p), net.place(p).name);
    if (net.place(p).marked) made.append_child("initialMarking").append_child("text").text() = "1";
  }
  for (TransitionId t = 0; t < net.transitions().size(); ++t)
    node("transition", fmt::format("t{}", t), net.transition(t).name);
  std::size_t arcs = 0;
  const auto arc = [&](const std::string& source, const std::string& target, bool read) {
    pugi::xml_node made = page.append_child("arc");
    made.append_attribute("id") = fmt::format("a{}", arcs++).c_str();
    made.append_attribute("source") = source.c_str();
    made.append_attribute("target") = target.c_str();
    if (read) made.append_child("type").append_attribute("value") = "test";
  };
  for (TransitionId t = 0; t < net.transitions().size(); ++t) {
    const std::string id = fmt::format("t{}", t);
    for (PlaceId p : net.transition(t).pre) arc(fmt::format("p{}", p), id, false);
    for (PlaceId p : net.transition(t).context) arc(fmt::format("p{}", p), id, true);
    for (PlaceId p : net.transition(t).post) arc(id, fmt::format("p{}", p), false);
  }
  std::ostringstream out;
  document.save(out, "  ");
  return out.str();
}

std::string dot_quoted(const std::string& text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c == '\n' ? ' ' : c;
  }
  return out + '"';
}

std::string to_dot(const Net& net) {
  std::string out = "digraph net {\n  node [fontsize=10];\n";
  for (PlaceId p = 0; p < net.places().size(); ++p)
    out += fmt::format("  p{} [shape=circle, label={}{}];\n", p, dot_quoted(net.place(p).name),
                       net.place(p).marked ? ", style=filled, fillcolor=gray80" : "");
  for (TransitionId t = 0; t < net.transitions().size(); ++t) {
    out += fmt::format("  t{} [shape=box, label={}];\n", t, dot_quoted(net.transition(t).name));
    for (PlaceId p : net.transition(t).pre) out += fmt::format("  p{} -> t{};\n", p, t);
    for (PlaceId p : net.transition(t).post) out += fmt::format("  t{} -> p{};\n", t, p);
    for (PlaceId p : net.transition(t).context) out += fmt::format("  p{} -> t{} [dir=none, color=red];\n", p, t);
  }
  return out + "}\n";
}

}  // namespace mazurka::net
