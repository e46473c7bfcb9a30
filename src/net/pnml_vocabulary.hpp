// What PNML files may contain beside places, transitions and arcs: which of it is decoration, and why the rest is
// refused.
//
// The lists follow the grammar of ISO/IEC 15909-2 and what PIPE (2 to 5), TAPAAL, TINA, ProM, pm4py, WoPeD and the
// Model Checking Contest write. Decoration does not change which transitions are enabled: names, layout, rates, queries
// of another tool. Anything that is neither interpreted nor listed here as decoration is refused by name.
#pragma once

#include <string>
#include <string_view>

#include <pugixml.hpp>

namespace mazurka::net {

/// The elements whose children and attributes are checked. A page counts as a net.
enum class PnmlParent { Root, Net, Place, Transition, Arc };

bool is_place_transition_type(std::string_view type);

bool is_decoration_element(PnmlParent parent, std::string_view name);

/// Whether the attribute is interpreted or decoration. Identifiers and namespace attributes are allowed everywhere.
bool is_known_attribute(PnmlParent parent, std::string_view name);

/// Why this element is refused, and what to do about it.
std::string reason_to_refuse(std::string_view element);

/// Tool-specific information is decoration by the standard. Returns the name of the first element in it that changes
/// the behaviour nevertheless, or an empty name.
std::string_view meaning_in_toolspecific(pugi::xml_node toolspecific);

}  // namespace mazurka::net
