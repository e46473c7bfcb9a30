// Computes a finite complete prefix of a 1-safe contextual net (Algorithm 1 of the contextual unfolder's paper, with an
// adequate order and with the concurrency relation of §3.5).
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "net/reachability.hpp"
#include "prefix/history_order.hpp"
#include "prefix/prefix.hpp"

namespace mazurka::prefix {

struct Unfolding {
  Prefix prefix;
  bool complete = false;              ///< false if the user or the watch interrupted
  std::optional<net::Unsafe> unsafe;  ///< the net is not 1-safe: the prefix is meaningless
};

/// Called with the prefix so far, after each addition. Returns whether to continue.
using Watch = std::function<bool(const Prefix&)>;

/// \pre `net` outlives the result.
Unfolding unfold(const net::Net& net, Order order, const Watch& watch = {});

}  // namespace mazurka::prefix
