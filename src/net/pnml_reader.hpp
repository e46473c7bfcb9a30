// Reads place/transition nets in PNML (ISO/IEC 15909-2), including pages, and the dialects of PIPE (`<value>`) and
// TAPAAL (`inputArc`, `outputArc`, `transportArc`, `initialMarking` as an attribute). A read arc is an arc with type
// `test` or `read`, as attribute or child element. Anything else that may change which transitions are enabled is
// refused by name: other net types, colours, time, priorities, inhibitor and reset arcs, unknown elements and
// attributes. See pnml_vocabulary.hpp for what counts as decoration.
#pragma once

#include <string_view>

#include "net/net.hpp"

namespace mazurka::net {

/// Throws InputError with the line and column of the error.
Net read_pnml(std::string_view file, std::string_view text);
/// Accepts nets that are obviously not 1-safe, too.
Net read_any_pnml(std::string_view file, std::string_view text);

}  // namespace mazurka::net
