// Reads place/transition nets in PNML (ISO/IEC 15909-2), pages included, and the dialects of PIPE (`<value>`) and
// TAPAAL
// (`inputArc`, `outputArc`, `transportArc`, `initialMarking` as an attribute). A read arc is an arc with type `test` or
// `read`, as attribute or child element. Whatever else may change which transitions can fire is refused by name: other
// net types, colours, time, priorities, inhibitor and reset arcs, elements and attributes that are not known. See
// pnml_vocabulary.hpp for what is decoration.
#pragma once

#include <string_view>

#include "net/net.hpp"

namespace mazurka::net {

/// Throws InputError with line and column of what is wrong.
Net read_pnml(std::string_view file, std::string_view text);
/// Also a net that is plainly not 1-safe.
Net read_any_pnml(std::string_view file, std::string_view text);

}  // namespace mazurka::net
