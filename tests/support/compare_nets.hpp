// Helpers of the tests of net readers: equality of nets, and what a reader says when it refuses a text.
#pragma once

#include <string>

#include "core/error.hpp"
#include "net/net.hpp"

namespace mazurka::testing {

/// Equal nodes in equal order, with equal arcs.
inline bool same_net(const net::Net& a, const net::Net& b) {
  if (a.places().size() != b.places().size() || a.transitions().size() != b.transitions().size()) return false;
  for (net::PlaceId p = 0; p < a.places().size(); ++p)
    if (a.place(p).name != b.place(p).name || a.place(p).marked != b.place(p).marked) return false;
  for (net::TransitionId t = 0; t < a.transitions().size(); ++t) {
    const net::Transition& x = a.transition(t);
    const net::Transition& y = b.transition(t);
    if (x.name != y.name || x.pre != y.pre || x.post != y.post || x.context != y.context) return false;
  }
  return true;
}

/// The message with which `read` refuses `text`, which it takes for the content of a file `x`.
template <typename Read>
std::string error_of(Read read, const std::string& text) {
  try {
    read("x", text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace mazurka::testing
