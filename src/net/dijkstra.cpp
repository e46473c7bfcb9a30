#include "net/dijkstra.hpp"

#include <initializer_list>

#include <fmt/format.h>

namespace mazurka::net {
namespace {

/// The variables of one process that the others access.
struct Shared {
  PlaceId b_false, b_true, c_false, c_true, k;
};

constexpr unsigned kLocations = 7;

}  // namespace

Net dijkstra(unsigned processes) {
  Net net;
  std::vector<Shared> shared;
  for (unsigned i = 0; i < processes; ++i) {
    Shared s{};
    s.b_false = net.add_place(fmt::format("b[{}]=F", i));
    s.b_true = net.add_place(fmt::format("b[{}]=T", i), true);
    s.c_false = net.add_place(fmt::format("c[{}]=F", i));
    s.c_true = net.add_place(fmt::format("c[{}]=T", i), true);
    s.k = net.add_place(fmt::format("k={}", i), i == 0);
    shared.push_back(s);
  }
  const auto first = static_cast<PlaceId>(net.places().size());
  for (unsigned i = 0; i < processes; ++i)
    for (unsigned l = 0; l < kLocations; ++l) net.add_place(fmt::format("l{}/{}", l, i), l == 0);
  const auto step = [&](std::string name, std::initializer_list<PlaceId> pre, std::initializer_list<PlaceId> post) {
    const TransitionId t = net.add_transition(std::move(name));
    for (PlaceId p : pre) net.add_input(p, t);
    for (PlaceId p : post) net.add_output(t, p);
    return t;
  };
  for (unsigned i = 0; i < processes; ++i) {
    const Shared& own = shared[i];
    const auto at = [&](unsigned location) { return first + i * kLocations + location; };
    step(fmt::format("b[{}]:=F", i), {own.b_true, at(0)}, {own.b_false, at(1)});
    net.add_read(own.k, step(fmt::format("k={}? goto l4", i), {at(1)}, {at(4)}));
    for (unsigned j = 0; j < processes; ++j) {
      if (j == i) continue;
      const TransitionId look = step(fmt::format("k={} && b[k]=T? goto l3/{}", j, i), {at(1)}, {at(3)});
      net.add_read(shared[j].k, look);
      net.add_read(shared[j].b_true, look);
      step(fmt::format("k={}? k:={}", j, i), {at(3), shared[j].k}, {at(1), own.k});
    }
    step(fmt::format("c[{}]:=F", i), {own.c_true, at(4)}, {own.c_false, at(5)});
    const TransitionId enter = step(fmt::format("forall j!={}, c[j]=T? goto l6", i), {at(5)}, {at(6)});
    for (unsigned j = 0; j < processes; ++j)
      if (j != i) net.add_read(shared[j].c_true, enter);
    for (unsigned j = 0; j < processes; ++j)
      if (j != i) net.add_read(shared[j].c_false, step(fmt::format("c[{}]=F? goto l2/{}", j, i), {at(5)}, {at(2)}));
    step(fmt::format("c[{}]:=T", i), {at(2), own.c_false}, {at(1), own.c_true});
    step(fmt::format("c[{0}]:=T; b[{0}]:=T", i), {at(6), own.b_false, own.c_false}, {own.b_true, own.c_true, at(0)});
  }
  net.finish();
  return net;
}

}  // namespace mazurka::net
