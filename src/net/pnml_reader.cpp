#include "net/pnml_reader.hpp"

#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <pugixml.hpp>

#include "net/pnml_numbers.hpp"
#include "net/pnml_priorities.hpp"
#include "net/pnml_source.hpp"
#include "net/pnml_vocabulary.hpp"
#include "net/weighted_arcs.hpp"

namespace mazurka::net {
namespace {

class PnmlReader {
 public:
  PnmlReader(std::string_view file, std::string_view text) : source_(file, text) {}

  Net read(bool any) {
    if (any) weighted_.accept_any();
    const std::string_view text = source_.text();
    const pugi::xml_parse_result parsed = document_.load_buffer(text.data(), text.size());
    if (!parsed)
      source_.fail(static_cast<std::size_t>(parsed.offset), fmt::format("not XML: {}", parsed.description()));
    const pugi::xml_node root = document_.child("pnml");
    if (!root) source_.fail(0, "not PNML: the root element must be <pnml>");
    for (const pugi::xml_node other : document_.children())
      if (other.type() == pugi::node_element && other != root)
        source_.fail(other, fmt::format("a second root element, <{}>; a file must contain one net", other.name()));
    read_root(root);
    for (const pugi::xml_node arc : arcs_) add_arc(arc);
    priorities_.check();
    weighted_.finish();
    return std::move(net_);
  }

 private:
  void check_attributes(PnmlParent parent, pugi::xml_node node) const {
    for (const pugi::xml_attribute attribute : node.attributes()) {
      if (node.attribute(attribute.name()) != attribute)
        source_.fail(node, fmt::format("attribute '{}' of <{}> is given twice", attribute.name(), node.name()));
      if (!is_known_attribute(parent, attribute.name()))
        source_.fail(node,
                     fmt::format("attribute '{}' of <{}> is not known and may change what the net does; remove it "
                                 "if it does not",
                                 attribute.name(), node.name()));
    }
  }

  void require(pugi::xml_node node, const char* attribute, std::string_view only, std::string_view otherwise) const {
    const pugi::xml_attribute found = node.attribute(attribute);
    if (found && one_line(found.value()) != only)
      source_.fail(node, fmt::format("attribute {}='{}' of <{}>: {}", attribute, one_line(found.value()), node.name(),
                                     otherwise));
  }

  /// For a child that is not interpreted: skips decoration, refuses anything else.
  void skip(PnmlParent parent, pugi::xml_node child) const {
    const std::string_view kind = child.name();
    if (child.type() == pugi::node_pcdata || child.type() == pugi::node_cdata)
      source_.fail(child.parent(), fmt::format("text directly inside <{}> is not known", child.parent().name()));
    if (child.type() != pugi::node_element || is_decoration_element(parent, kind)) return;
    if (kind == "toolspecific") {
      const std::string_view meaning = meaning_in_toolspecific(child);
      if (meaning.empty()) return;
      source_.fail(child,
                   fmt::format("<{}> inside <toolspecific> changes what the net does and is not supported", meaning));
    }
    source_.fail(child, fmt::format("<{}> inside <{}>: {}", kind, child.parent().name(), reason_to_refuse(kind)));
  }

  void read_root(pugi::xml_node root) {
    check_attributes(PnmlParent::Root, root);
    pugi::xml_node net;
    for (const pugi::xml_node child : root.children()) {
      const std::string_view kind = child.name();
      if (kind == "net") {
        if (net) source_.fail(child, "a second <net>; a file must contain one net");
        net = child;
      } else if (kind == "declaration") {
        numbers_.of_dots(child);
      } else if (kind == "feature") {
        for (const char* attribute : {"isColored", "isStochastic"})
          require(child, attribute, "false", "only place/transition nets are supported");
      } else {
        skip(PnmlParent::Root, child);
      }
    }
    if (!net) source_.fail(root, "no <net> in this file");
    check_attributes(PnmlParent::Net, net);
    const std::string_view type = net.attribute("type").value();
    if (!is_place_transition_type(type))
      source_.fail(net,
                   fmt::format("nets of type '{}' are not supported, only place/transition nets; unfold the net to "
                               "one first",
                               one_line(type)));
    require(net, "active", "true", "an inactive component takes no part; activate it");
    nodes(net);
    if (net_.places().empty() && net_.transitions().empty())
      source_.fail(net, "the net is empty: it has no place and no transition");
  }

  /// Pages nest. The traversal is iterative, since a hostile file may nest very deeply.
  void nodes(pugi::xml_node net) {
    std::vector<pugi::xml_node> pages{net};
    while (!pages.empty()) {
      const pugi::xml_node page = pages.back();
      pages.pop_back();
      for (const pugi::xml_node child : page.children()) {
        const std::string_view kind = child.name();
        if (kind == "page") {
          check_attributes(PnmlParent::Root, child);
          pages.push_back(child);
        } else if (kind == "place") {
          add_place(child);
        } else if (kind == "transition") {
          add_transition(child);
        } else if (kind == "arc" || kind == "inputArc" || kind == "outputArc" || kind == "transportArc") {
          arcs_.push_back(child);
        } else if (kind == "declaration") {
          numbers_.of_dots(child);
        } else {
          skip(PnmlParent::Net, child);
        }
      }
    }
  }

  std::string id_of(pugi::xml_node node) {
    std::string id = node.attribute("id").value();
    if (id.empty()) source_.fail(node, fmt::format("<{}> without an id", node.name()));
    if (nodes_.contains(id)) source_.fail(node, fmt::format("a second node with id '{}'", id));
    return id;
  }

  static std::string name_of(pugi::xml_node node, const std::string& id) {
    const pugi::xml_node label = node.child("name");
    for (const char* text : {label.child("text").text().get(), label.child("value").text().get(),
                             node.attribute("name").value(), id.c_str()})
      if (std::string name = one_line(text); !name.empty()) return name;
    return "?";
  }

  /// A number given in several places must be the same everywhere.
  void agree(pugi::xml_node node, std::optional<std::int64_t>& known, std::optional<std::int64_t> said) const {
    if (!said) return;
    if (known && *known != *said)
      source_.fail(node, fmt::format("<{}> gives two numbers, {} and {}", node.name(), *known, *said));
    known = said;
  }

  void add_place(pugi::xml_node node) {
    check_attributes(PnmlParent::Place, node);
    const std::string id = id_of(node);
    const std::string name = name_of(node, id);
    if (const pugi::xml_attribute invariant = node.attribute("invariant"))
      if (one_line(invariant.value()) != "< inf")
        source_.fail(node, fmt::format("the invariant '{}' of place '{}' is not supported: time is not; write '< inf' "
                                       "if the untimed net is meant",
                                       one_line(invariant.value()), name));
    std::optional<std::int64_t> tokens = numbers_.in_attribute(node, "initialMarking");
    for (const pugi::xml_node child : node.children()) {
      const std::string_view kind = child.name();
      if (kind == "initialMarking") {
        agree(node, tokens, numbers_.in_label(child));
      } else if (kind == "hlinitialMarking") {
        agree(node, tokens, numbers_.of_dots(child));
      } else if (kind == "type") {
        numbers_.of_dots(child);
      } else if (kind == "capacity") {
        check_capacity(child, name);
      } else if (kind == "tagged") {
        require_text(child, "false");
      } else {
        skip(PnmlParent::Place, child);
      }
    }
    const PlaceId added = net_.add_place(name);
    const std::int64_t count = tokens.value_or(0);
    if (const auto error = weighted_.add_tokens(added, count, count > 1 ? source_.position(node) : SourcePosition{}))
      source_.fail(node, error->message);
    nodes_[id] = {true, added};
  }

  /// PIPE writes 0 for "no capacity". It lets a transition fire if no place exceeds its capacity afterwards, which in a
  /// 1-safe net always holds. In other nets, a capacity of 1 may also forbid a loop.
  void check_capacity(pugi::xml_node label, const std::string& place) {
    const std::optional<std::int64_t> capacity = numbers_.plain(label);
    const bool pipe = !label.child("value").empty();
    if (capacity && !(pipe && *capacity == 0)) weighted_.note_capacity();
    if (!capacity || *capacity >= 2 || (pipe && *capacity >= 0)) return;
    source_.fail(label, fmt::format("the capacity {} of place '{}' is not supported; remove it if the net is 1-safe "
                                    "without it",
                                    *capacity, place));
  }

  void require_text(pugi::xml_node label, std::string_view only) const {
    if (const auto text = numbers_.text_in(label); text && *text != only)
      source_.fail(label, fmt::format("<{}> '{}' is not supported, only '{}'", label.name(), *text, only));
  }

  void add_transition(pugi::xml_node node) {
    check_attributes(PnmlParent::Transition, node);
    const std::string id = id_of(node);
    require(node, "urgent", "false", "time is not supported; write 'false' if the untimed net is meant");
    require(node, "player", "0", "games are not supported; give all transitions to player 0");
    require(node, "priority", "0", "priorities are not supported");
    pugi::xml_node timed;
    pugi::xml_node priority;
    for (const pugi::xml_node child : node.children()) {
      const std::string_view kind = child.name();
      if (kind == "timed" || kind == "priority") {
        pugi::xml_node& label = kind == "timed" ? timed : priority;
        if (label) source_.fail(child, fmt::format("a second <{}>", kind));
        label = child;
      } else if (kind == "delay") {
        require_no_delay(child);
      } else {
        skip(PnmlParent::Transition, child);
      }
    }
    priorities_.add(node, numbers_.text_in(timed), numbers_.text_in(priority));
    nodes_[id] = {false, net_.add_transition(name_of(node, id))};
  }

  /// TINA writes the interval [0,w[ of a transition without time constraint as MathML.
  void require_no_delay(pugi::xml_node delay) const {
    const pugi::xml_node interval = delay.child("interval");
    const bool always = std::string_view(interval.attribute("closure").value()) == "closed-open" &&
                        one_line(interval.child("cn").text().get()) == "0" &&
                        one_line(interval.child("ci").text().get()) == "infty";
    if (!always) source_.fail(delay, fmt::format("<delay> inside <transition>: {}", reason_to_refuse("delay")));
  }

  struct Node {
    bool is_place;
    std::uint32_t index;
  };

  Node end_of(pugi::xml_node arc, const char* which) const {
    const std::string id = arc.attribute(which).value();
    const auto found = nodes_.find(id);
    if (found == nodes_.end())
      source_.fail(arc, fmt::format("the {} '{}' of this arc is not a node of the net", which, id));
    return found->second;
  }

  struct ArcLabels {
    std::string type;
    std::optional<std::int64_t> weight;
  };

  /// `type="test"`, `<type value="test"/>`, `<type><text>test</text></type>` or `<arctype>…`: tools differ.
  void use_type(pugi::xml_node arc, ArcLabels& labels, const std::string& type) const {
    if (type.empty()) return;
    if (!labels.type.empty() && labels.type != type)
      source_.fail(arc, fmt::format("this arc has two types, '{}' and '{}'", labels.type, type));
    labels.type = type;
  }

  /// TAPAAL's `inscription`: the ages of tokens that an arc accepts, [0,inf) for any; `:1` pairs transport arcs. From a
  /// transition to a place it is a number, overridden by the attribute `weight`.
  void use_inscription(pugi::xml_node node, ArcLabels& labels, std::string text, bool replaced) {
    if (const std::size_t pair = text.find(':'); pair != std::string::npos) text.resize(pair);
    std::erase(text, ' ');
    if (text == "[0,inf)") return;
    if (text.find_first_of("[]()") != std::string::npos)
      source_.fail(node,
                   fmt::format("the interval '{}' is not supported: time is not; write '[0,inf)' if the untimed net "
                               "is meant",
                               text));
    const std::int64_t number = numbers_.parse(node, text);
    if (!replaced || number != 1) agree(node, labels.weight, number);
  }

  ArcLabels labels_of(pugi::xml_node arc) {
    ArcLabels labels;
    use_type(arc, labels, one_line(arc.attribute("type").value()));
    agree(arc, labels.weight, numbers_.in_attribute(arc, "weight"));
    if (const pugi::xml_attribute inscription = arc.attribute("inscription"))
      use_inscription(arc, labels, one_line(inscription.value()), labels.weight.has_value());
    for (const pugi::xml_node child : arc.children()) {
      const std::string_view kind = child.name();
      if (kind == "inscription") {
        if (const auto text = numbers_.text_in(child)) use_inscription(child, labels, *text, false);
      } else if (kind == "hlinscription") {
        agree(arc, labels.weight, numbers_.of_dots(child));
      } else if (kind == "type" || kind == "arctype") {
        use_type(arc, labels, one_line(child.attribute("value").value()));
        use_type(arc, labels, numbers_.text_in(child).value_or(""));
      } else if (kind == "tagged") {
        require_text(child, "false");
      } else {
        skip(PnmlParent::Arc, child);
      }
    }
    if (!labels.weight) labels.weight = numbers_.one(arc);
    return labels;
  }

  void add_arc(pugi::xml_node arc) {
    check_attributes(PnmlParent::Arc, arc);
    const std::string_view kind = arc.name();
    const ArcLabels labels = labels_of(arc);
    const Node source = end_of(arc, "source");
    const Node target = end_of(arc, "target");
    if (kind == "transportArc") {
      const Node middle = end_of(arc, "transition");
      if (!labels.type.empty() && labels.type != "transport")
        source_.fail(arc, fmt::format("arcs of type '{}' are not supported", labels.type));
      join(arc, source, middle, labels);
      join(arc, middle, target, labels);
      return;
    }
    if (arc.attribute("transition")) source_.fail(arc, "only a <transportArc> has the attribute 'transition'");
    if ((kind == "inputArc" && !source.is_place) || (kind == "outputArc" && source.is_place))
      source_.fail(arc, fmt::format("an <{}> must lead {} a place", kind, kind == "inputArc" ? "from" : "to"));
    join(arc, source, target, labels);
  }

  void join(pugi::xml_node arc, Node source, Node target, const ArcLabels& labels) {
    if (source.is_place == target.is_place) source_.fail(arc, "an arc must join a place and a transition");
    const PlaceId p = source.is_place ? source.index : target.index;
    const TransitionId t = source.is_place ? target.index : source.index;
    const std::int64_t weight = *labels.weight;
    std::optional<ArcError> error;
    if (labels.type == "test" || labels.type == "read")
      error = weighted_.add_read(p, t, weight);
    else if (!labels.type.empty() && labels.type != "normal" && labels.type != "timed" && labels.type != "transport")
      source_.fail(arc, fmt::format("arcs of type '{}' are not supported", labels.type));
    else if (source.is_place)
      error = weighted_.add_input(p, t, weight);
    else
      error = weighted_.add_output(t, p, weight, weight > 1 ? source_.position(arc) : SourcePosition{});
    if (error) source_.fail(arc, error->message);
  }

  PnmlSource source_;
  pugi::xml_document document_;
  PnmlNumbers numbers_{source_};
  PnmlPriorities priorities_{source_};
  std::unordered_map<std::string, Node> nodes_;
  std::vector<pugi::xml_node> arcs_;
  Net net_;
  WeightedArcs weighted_{net_};
};

}  // namespace

Net read_pnml(std::string_view file, std::string_view text) { return PnmlReader(file, text).read(false); }
Net read_any_pnml(std::string_view file, std::string_view text) { return PnmlReader(file, text).read(true); }

}  // namespace mazurka::net
