// Numbers of tokens in the ways tools write them: `<text>2</text>` (ISO/IEC 15909-2), `<value>2</value>` or
// `<value>Default,2</value>` (PIPE: a class of tokens and how many of them, in pairs), an attribute (TAPAAL), or a
// multiset of the one colour `dot` (TAPAAL, for nets without colours).
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

  /// The number of tokens in a label such as <initialMarking>; nothing where the label is empty.
  std::optional<std::int64_t> in_label(pugi::xml_node label);

  /// The one token that is meant where `node` has no such label.
  std::int64_t one(pugi::xml_node node);

  /// A number that counts no tokens, such as a capacity.
  std::optional<std::int64_t> plain(pugi::xml_node label) const;

  /// The number of tokens in an attribute; nothing where there is no such attribute.
  std::optional<std::int64_t> in_attribute(pugi::xml_node node, const char* attribute);

  /// The number of dots in a label of a high-level net, or nothing where it only names the sort. Refuses other colours.
  std::optional<std::int64_t> of_dots(pugi::xml_node label) const;

  /// The number that `text`, found in `node`, stands for. Refuses tokens of two classes in one file.
  std::int64_t parse(pugi::xml_node node, std::string_view text);

  /// The text of a label: in <text>, in <value>, or directly in the label; without the blanks around it. Refuses
  /// anything else but layout.
  std::optional<std::string> text_in(pugi::xml_node label) const;

 private:
  void use_class(pugi::xml_node node, std::string_view name);

  const PnmlSource& source_;
  std::string class_;  ///< of the tokens that were counted so far
};

/// Without blanks around it and line breaks in it.
std::string one_line(std::string_view text);

}  // namespace mazurka::net
