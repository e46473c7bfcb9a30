// Token counts, in the notations of various tools: `<text>2</text>` (ISO/IEC 15909-2), `<value>2</value>` or
// `<value>Default,2</value>` (PIPE: pairs of a token class and a count), an attribute (TAPAAL), or a multiset of the
// one colour `dot` (TAPAAL, for nets without colours).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <pugixml.hpp>

#include "net/pnml_source.hpp"

namespace mazurka::net {

class PnmlNumbers {
 public:
  explicit PnmlNumbers(const PnmlSource& source) : source_(source) {}

  /// The token count in a label such as <initialMarking>; none if the label is empty.
  std::optional<std::int64_t> in_label(pugi::xml_node label);

  /// The default of one token, if `node` has no such label.
  std::int64_t one(pugi::xml_node node);

  /// A number that is not a token count, such as a capacity.
  std::optional<std::int64_t> plain(pugi::xml_node label) const;

  /// The token count in an attribute; none if the attribute is missing.
  std::optional<std::int64_t> in_attribute(pugi::xml_node node, const char* attribute);

  /// The number of dots in a label of a high-level net, or none if it only names the sort. Refuses other colours.
  std::optional<std::int64_t> of_dots(pugi::xml_node label) const;

  /// The token count that `text`, found in `node`, denotes. Refuses two token classes in one file.
  std::int64_t parse(pugi::xml_node node, std::string_view text);

  /// The text of a label, trimmed: in <text>, in <value>, or directly in the label. Refuses anything else but layout.
  std::optional<std::string> text_in(pugi::xml_node label) const;

 private:
  void use_class(pugi::xml_node node, std::string_view name);

  const PnmlSource& source_;
  std::string class_;  ///< the class of the tokens counted so far
};

/// Trimmed, and without line breaks.
std::string one_line(std::string_view text);

}  // namespace mazurka::net
