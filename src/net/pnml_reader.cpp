#include "net/pnml_reader.hpp"

#include <algorithm>
#include <charconv>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <pugixml.hpp>

#include "core/error.hpp"

namespace mazurka::net {
namespace {

class PnmlReader {
 public:
  PnmlReader(std::string_view file, std::string_view text) : file_(file), text_(text) {}

  Net read() {
    const pugi::xml_parse_result parsed = document_.load_buffer(text_.data(), text_.size());
    if (!parsed) fail(static_cast<std::size_t>(parsed.offset), fmt::format("not XML: {}", parsed.description()));
    const pugi::xml_node root = document_.child("pnml");
    if (!root) fail(0, "not PNML: the root element must be <pnml>");
    const pugi::xml_node net = root.child("net");
    if (!net) fail(root, "no <net> in this file");
    if (net.next_sibling("net")) fail(net.next_sibling("net"), "a second <net>; one file must hold one net");
    nodes(net);
    for (const pugi::xml_node arc : arcs_) add_arc(arc);
    net_.finish();
    return std::move(net_);
  }

 private:
  [[noreturn]] void fail(std::size_t offset, std::string_view message) const {
    const std::string_view before = text_.substr(0, std::min(offset, text_.size()));
    const auto line = static_cast<unsigned>(std::count(before.begin(), before.end(), '\n') + 1);
    const std::size_t start = before.rfind('\n');
    const std::size_t column = start == std::string_view::npos ? before.size() + 1 : before.size() - start;
    throw InputError({std::string(file_), line, static_cast<unsigned>(column)}, message);
  }
  [[noreturn]] void fail(pugi::xml_node node, std::string_view message) const {
    fail(static_cast<std::size_t>(std::max<std::ptrdiff_t>(node.offset_debug(), 0)), message);
  }

  /// Pages nest; they are walked without recursion, since a hostile file may nest very deeply.
  void nodes(pugi::xml_node net) {
    std::vector<pugi::xml_node> pages{net};
    while (!pages.empty()) {
      const pugi::xml_node page = pages.back();
      pages.pop_back();
      for (const pugi::xml_node child : page.children()) {
        const std::string_view kind = child.name();
        if (kind == "page")
          pages.push_back(child);
        else if (kind == "place")
          add_place(child);
        else if (kind == "transition")
          add_transition(child);
        else if (kind == "arc")
          arcs_.push_back(child);
        else if (kind == "referencePlace" || kind == "referenceTransition")
          fail(child, fmt::format("<{}> is not supported; merge the pages first", kind));
      }
    }
  }

  std::string id_of(pugi::xml_node node) {
    std::string id = node.attribute("id").value();
    if (id.empty()) fail(node, fmt::format("<{}> without an id", node.name()));
    if (nodes_.contains(id)) fail(node, fmt::format("a second node with id '{}'", id));
    return id;
  }

  static std::string name_of(pugi::xml_node node, const std::string& id) {
    const std::string_view name = node.child("name").child("text").text().get();
    return name.empty() ? id : std::string(name);
  }

  std::int64_t number(pugi::xml_node label, std::int64_t otherwise) const {
    const pugi::xml_node content = label.child("text");
    if (!content) return otherwise;
    std::string_view text = content.text().get();
    const auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; };
    while (!text.empty() && blank(text.front())) text.remove_prefix(1);
    while (!text.empty() && blank(text.back())) text.remove_suffix(1);
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size())
      fail(content, fmt::format("<{}> must hold a number", label.name()));
    return value;
  }

  void add_place(pugi::xml_node node) {
    const std::string id = id_of(node);
    const std::int64_t tokens = number(node.child("initialMarking"), 0);
    const std::string name = name_of(node, id);
    if (tokens < 0 || tokens > 1)
      fail(node, fmt::format("place '{}' starts with {} tokens; the net must be 1-safe", name, tokens));
    nodes_[id] = {true, net_.add_place(name, tokens == 1)};
  }

  void add_transition(pugi::xml_node node) {
    const std::string id = id_of(node);
    nodes_[id] = {false, net_.add_transition(name_of(node, id))};
  }

  struct Node {
    bool is_place;
    std::uint32_t index;
  };

  Node end_of(pugi::xml_node arc, const char* which) const {
    const std::string id = arc.attribute(which).value();
    const auto found = nodes_.find(id);
    if (found == nodes_.end()) fail(arc, fmt::format("the {} '{}' of this arc is not a node of the net", which, id));
    return found->second;
  }

  /// `type="test"`, `<type value="test"/>`, `<type><text>test</text></type>` or `<arctype>…`: tools differ.
  static std::string type_of(pugi::xml_node arc) {
    std::string type = arc.attribute("type").value();
    for (const char* element : {"type", "arctype"}) {
      const pugi::xml_node child = arc.child(element);
      if (type.empty()) type = child.attribute("value").value();
      if (type.empty()) type = child.child("text").text().get();
    }
    return type;
  }

  void add_arc(pugi::xml_node arc) {
    const Node source = end_of(arc, "source");
    const Node target = end_of(arc, "target");
    if (source.is_place == target.is_place) fail(arc, "an arc must join a place and a transition");
    const PlaceId p = source.is_place ? source.index : target.index;
    const TransitionId t = source.is_place ? target.index : source.index;
    if (const std::int64_t weight = number(arc.child("inscription"), 1); weight != 1)
      fail(arc, fmt::format("the arc between place '{}' and transition '{}' has weight {}; only weight 1 is supported",
                            net_.place(p).name, net_.transition(t).name, weight));
    const std::string type = type_of(arc);
    std::optional<ArcError> error;
    if (type == "test" || type == "read")
      error = net_.add_read(p, t);
    else if (!type.empty() && type != "normal")
      fail(arc, fmt::format("arcs of type '{}' are not supported", type));
    else if (source.is_place)
      error = net_.add_input(p, t);
    else
      error = net_.add_output(t, p);
    if (error) fail(arc, error->message);
  }

  std::string_view file_;
  std::string_view text_;
  pugi::xml_document document_;
  std::unordered_map<std::string, Node> nodes_;
  std::vector<pugi::xml_node> arcs_;
  Net net_;
};

}  // namespace

Net read_pnml(std::string_view file, std::string_view text) { return PnmlReader(file, text).read(); }

}  // namespace mazurka::net
