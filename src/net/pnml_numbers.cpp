#include "net/pnml_numbers.hpp"

#include <charconv>
#include <vector>

#include <fmt/format.h>

#include "net/pnml_vocabulary.hpp"

namespace mazurka::net {
namespace {

/// The token class used if none is given.
constexpr std::string_view kDefault = "Default";

bool is_text(pugi::xml_node node) { return node.type() == pugi::node_pcdata || node.type() == pugi::node_cdata; }

std::optional<std::int64_t> integer(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

std::string one_line(std::string_view text) {
  std::string line(text);
  for (char& c : line)
    if (c == '\t' || c == '\n' || c == '\r') c = ' ';
  const std::size_t first = line.find_first_not_of(' ');
  if (first == std::string::npos) return "";
  return line.substr(first, line.find_last_not_of(' ') - first + 1);
}

std::optional<std::string> PnmlNumbers::text_in(pugi::xml_node label) const {
  std::optional<std::string> found;
  const auto take = [&](pugi::xml_node where, const std::string& text) {
    if (found) source_.fail(where, fmt::format("<{}> contains two texts; expected one", label.name()));
    found = text;
  };
  for (const pugi::xml_node child : label.children()) {
    const std::string_view kind = child.name();
    if (is_text(child)) {
      take(label, child.value());
    } else if (kind == "text" || kind == "value") {
      std::string whole;  // a comment in the middle splits a text into several nodes
      for (const pugi::xml_node part : child.children()) {
        if (!is_text(part)) source_.fail(part, fmt::format("<{}> inside <{}> is not known", part.name(), kind));
        whole += part.value();
      }
      take(child, whole);
    } else if (kind != "graphics" && kind != "toolspecific") {
      source_.fail(child, fmt::format("<{}> inside <{}>: {}", kind, label.name(), reason_to_refuse(kind)));
    }
  }
  if (found) *found = one_line(*found);
  return found;
}

void PnmlNumbers::use_class(pugi::xml_node node, std::string_view name) {
  if (class_.empty()) class_ = name;
  if (class_ != name)
    source_.fail(node, fmt::format("tokens of class '{}' beside tokens of class '{}'; coloured tokens are not "
                                   "supported: unfold the net to one class first",
                                   name, class_));
}

std::int64_t PnmlNumbers::parse(pugi::xml_node node, std::string_view text) {
  const std::string line = one_line(text);
  if (const auto value = integer(line)) {
    if (*value != 0) use_class(node, kDefault);
    return *value;
  }
  std::int64_t tokens = 0;
  std::string_view rest = line;
  while (!rest.empty()) {
    const std::size_t comma = rest.find(',');
    if (comma == std::string_view::npos) break;
    const std::size_t end = std::min(rest.find(',', comma + 1), rest.size());
    const std::string name = one_line(rest.substr(0, comma));
    const auto count = integer(one_line(rest.substr(comma + 1, end - comma - 1)));
    if (name.empty() || !count || (tokens != 0 && *count != 0 && name == class_)) break;
    if (*count != 0) {
      use_class(node, name);
      tokens = *count;
    }
    if (end == rest.size()) return tokens;
    rest.remove_prefix(end + 1);
  }
  source_.fail(node, fmt::format("<{}> must contain a number, found '{}'", node.name(), line));
}

std::optional<std::int64_t> PnmlNumbers::in_label(pugi::xml_node label) {
  const std::optional<std::string> text = text_in(label);
  if (!text) return std::nullopt;
  return parse(label, *text);
}

std::int64_t PnmlNumbers::one(pugi::xml_node node) {
  use_class(node, kDefault);
  return 1;
}

std::optional<std::int64_t> PnmlNumbers::plain(pugi::xml_node label) const {
  const std::optional<std::string> text = text_in(label);
  if (!text) return std::nullopt;
  const auto value = integer(*text);
  if (!value) source_.fail(label, fmt::format("<{}> must contain a number, found '{}'", label.name(), *text));
  return value;
}

std::optional<std::int64_t> PnmlNumbers::in_attribute(pugi::xml_node node, const char* attribute) {
  const pugi::xml_attribute found = node.attribute(attribute);
  if (!found) return std::nullopt;
  const auto value = integer(one_line(found.value()));
  if (!value)
    source_.fail(node, fmt::format("attribute '{}' of <{}> must be a number, found '{}'", attribute, node.name(),
                                   one_line(found.value())));
  if (*value != 0) use_class(node, kDefault);
  return value;
}

std::optional<std::int64_t> PnmlNumbers::of_dots(pugi::xml_node label) const {
  if (!label.child("structure"))
    source_.fail(label, fmt::format("<{}>: {}", label.name(), reason_to_refuse(label.name())));
  std::optional<std::int64_t> times;
  std::size_t dots = 0;
  std::size_t terms = 0;
  std::vector<pugi::xml_node> open{label};
  while (!open.empty()) {
    const pugi::xml_node node = open.back();
    open.pop_back();
    for (const pugi::xml_node child : node.children()) {
      const std::string_view kind = child.name();
      if (kind == "text" || kind == "graphics" || kind == "toolspecific" || kind == "positive") continue;
      if (kind == "numberof") ++terms;
      if (kind == "numberconstant") {
        if (times) ++terms;
        times = integer(child.attribute("value").value());
        if (!times) source_.fail(child, "<numberconstant> must have a number as its value");
        continue;
      }
      const bool names_dot = std::string_view(child.attribute("declaration").value()) == "dot";
      if (kind == "dotconstant" || (kind == "useroperator" && names_dot)) {
        ++dots;
        continue;
      }
      if (kind == "all") ++dots;
      const bool known = kind == "structure" || kind == "declarations" || kind == "namedsort" || kind == "dot" ||
                         kind == "numberof" || kind == "subterm" || kind == "all" || (kind == "usersort" && names_dot);
      if (!known || terms > 1 || dots > 1)
        source_.fail(child, fmt::format("<{}> inside <{}>: {}", kind, label.name(), reason_to_refuse(label.name())));
      open.push_back(child);
    }
  }
  if (terms > 1 || dots > 1) source_.fail(label, fmt::format("<{}>: {}", label.name(), reason_to_refuse(label.name())));
  if (dots == 0) return std::nullopt;
  return times.value_or(1);
}

}  // namespace mazurka::net
