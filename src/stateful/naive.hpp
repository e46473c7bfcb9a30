// For tests: the definitions of *Revisiting Stateful POR*, literally, with plain sets and no precomputed facts.
#pragma once

#include <set>
#include <vector>

#include "network/product.hpp"

namespace mazurka::stateful::naive {

using network::ActionId;
using network::ComponentId;
using network::LocationId;

using Actions = std::set<ActionId>;
using State = std::vector<LocationId>;  ///< a location per process

State unpack(const network::Product& product, const std::uint64_t* packed);

Actions enabled(const network::Network& network, const State& s);
Actions closure(const network::Network& network, const State& s, ActionId b);                   ///< Def. 36
std::set<ComponentId> p_closure(const network::Network& network, const State& s, ActionId b);   ///< Def. 38
bool pifs(const network::Network& network, const State& s, const Actions& b, bool over_dom_b);  ///< Def. 33; or rPIFS
/// The set B once nothing can be added.
Actions pifs_set(const network::Network& network, const State& s, const Actions& b, bool over_dom_b);

}  // namespace mazurka::stateful::naive
