#include "net/pnml_vocabulary.hpp"

#include <algorithm>
#include <cctype>
#include <initializer_list>
#include <vector>

namespace mazurka::net {
namespace {

using Words = std::initializer_list<std::string_view>;

bool among(std::string_view word, Words words) { return std::find(words.begin(), words.end(), word) != words.end(); }

constexpr std::string_view kUnfoldFirst =
    "only place/transition nets are supported; unfold the net to one first, with the tool that wrote it";

struct Refusal {
  std::string_view element;
  std::string_view reason;
};

constexpr Refusal kRefusals[] = {
    {"hlinitialMarking", kUnfoldFirst},
    {"hlinscription", kUnfoldFirst},
    {"structure", kUnfoldFirst},
    {"type", kUnfoldFirst},
    {"declaration", kUnfoldFirst},
    {"declarations", kUnfoldFirst},
    {"variables", kUnfoldFirst},
    {"condition", "transitions with guards are not supported; unfold the net to a place/transition net first"},
    {"guard", "transitions with guards are not supported; unfold the net to a place/transition net first"},
    {"referencePlace", "references between pages are not supported; merge the pages first"},
    {"referenceTransition", "references between pages are not supported; merge the pages first"},
    {"inhibitorArc", "inhibitor arcs are not supported; add a complementary place instead"},
    {"shared-place", "nets of several components are not supported; compose them first"},
    {"shared-transition", "nets of several components are not supported; compose them first"},
    {"delay", "time is not supported; remove the delays if the untimed net is meant"},
    {"interval", "time is not supported; remove the intervals if the untimed net is meant"},
    {"net", "a net inside a net is not supported; replace it by its places and transitions first"},
};

}  // namespace

bool is_place_transition_type(std::string_view type) {
  std::string lower(type);
  for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (among(lower, {"", "p/t net", "p/t-net", "pt net", "petri net"})) return true;
  // Compares the last part of the URI, on which tools agree most. TINA calls all its nets time Petri nets, even those
  // without delays, and ProM calls place/transition nets "core model".
  const std::size_t cut = lower.find_last_of("/#");
  const std::string_view last = cut == std::string::npos ? lower : std::string_view(lower).substr(cut + 1);
  return among(last,
               {"ptnet", "ptnet.pntd", "ptnetb", "pt-net", "pnmlcoremodel", "coremodel", "epnml-1.1", "epnml", "tpn"});
}

bool is_decoration_element(PnmlParent parent, std::string_view name) {
  if (among(name, {"name", "graphics"})) return true;
  switch (parent) {
    case PnmlParent::Root: return among(name, {"queries", "query", "k-bound", "constant"});
    case PnmlParent::Net:
      return among(name, {"labels", "annotation", "token", "definition", "rateParameter", "stategroup", "stateGroup",
                          "finalmarkings"});
    case PnmlParent::Place: return name == "label";
    case PnmlParent::Transition: return among(name, {"label", "orientation", "rate", "infiniteServer"});
    case PnmlParent::Arc: return name == "arcpath";
  }
  return false;
}

bool is_known_attribute(PnmlParent parent, std::string_view name) {
  if (name == "id" || name == "xmlns" || name.find(':') != std::string_view::npos) return true;
  if (among(name, {"displayName", "nameOffsetX", "nameOffsetY", "positionX", "positionY"})) return true;
  switch (parent) {
    case PnmlParent::Root: return false;
    case PnmlParent::Net: return among(name, {"type", "active", "name"});
    case PnmlParent::Place: return among(name, {"name", "initialMarking", "invariant"});
    case PnmlParent::Transition:
      // The parameters of a distribution affect only how likely a firing is; a net that uses one says so, and is
      // refused.
      return among(name, {"name", "angle", "infiniteServer", "priority", "urgent", "player", "weight", "distribution",
                          "firingMode", "a", "b", "rate", "mean", "stddev", "shape", "scale", "value"});
    case PnmlParent::Arc:
      return among(name, {"name", "source", "target", "transition", "type", "inscription", "weight"});
  }
  return false;
}

std::string reason_to_refuse(std::string_view element) {
  for (const Refusal& refusal : kRefusals)
    if (refusal.element == element) return std::string(refusal.reason);
  return "it is unknown and may change the behaviour of the net; remove it if it does not";
}

std::string_view meaning_in_toolspecific(pugi::xml_node toolspecific) {
  std::vector<pugi::xml_node> open{toolspecific};
  while (!open.empty()) {
    const pugi::xml_node node = open.back();
    open.pop_back();
    for (const pugi::xml_node child : node.children()) {
      if (among(child.name(),
                {"arctype", "inhibitor", "reset", "guard", "condition", "priority", "delay", "capacity", "tokens"}))
        return child.name();
      open.push_back(child);
    }
  }
  return {};
}

}  // namespace mazurka::net
