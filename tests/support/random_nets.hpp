// Random nets for properties, made so that RapidCheck shrinks them well.
//
// A *component net* is a set of state machines that move together or read each other: 1-safe by construction. A *wild
// net* has arbitrary arcs and is often not safe.
#pragma once

#include <ostream>
#include <set>
#include <string>
#include <vector>

#include <rapidcheck.h>

#include "net/net.hpp"
#include "net/writers.hpp"

namespace mazurka::testing {

struct Move {
  unsigned component, from, step;
  bool read;
};

struct ComponentNet {
  std::vector<unsigned> sizes;
  std::vector<std::vector<Move>> transitions;

  net::Net build() const {
    net::Net net;
    std::vector<net::PlaceId> first;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      first.push_back(static_cast<net::PlaceId>(net.places().size()));
      for (unsigned j = 0; j < sizes[i]; ++j) net.add_place("c" + std::to_string(i) + "." + std::to_string(j), j == 0);
    }
    for (const auto& moves : transitions) {
      const net::TransitionId t = net.add_transition("t" + std::to_string(net.transitions().size()));
      std::set<std::size_t> used;
      for (const Move& move : moves) {
        if (sizes.empty()) break;
        const std::size_t c = move.component % sizes.size();
        if (!used.insert(c).second) continue;
        if (move.read) {
          net.add_read(first[c] + move.from % sizes[c], t);
        } else {
          net.add_input(first[c] + move.from % sizes[c], t);
          net.add_output(t, first[c] + (move.from % sizes[c] + move.step) % sizes[c]);
        }
      }
    }
    net.finish();
    return net;
  }
};

inline void showValue(const ComponentNet& spec, std::ostream& out) { out << net::to_ll_net(spec.build()); }

/// A number whose range does not shrink with the size of the example, unlike rc::gen::inRange alone.
inline rc::Gen<unsigned> below(unsigned end, unsigned first = 0) {
  return rc::gen::resize(rc::kNominalSize, rc::gen::inRange(first, end));
}

/// Sizes are fixed so that most examples are interesting; shrinking empties transitions and makes components trivial.
inline rc::Gen<ComponentNet> component_nets(unsigned components, unsigned transitions) {
  const auto move = rc::gen::construct<Move>(below(components), below(3), below(3, 1),
                                             rc::gen::map(below(5), [](unsigned x) { return x >= 3; }));
  const auto moves = rc::gen::resize(3, rc::gen::nonEmpty(rc::gen::container<std::vector<Move>>(move)));
  return rc::gen::construct<ComponentNet>(rc::gen::container<std::vector<unsigned>>(components, below(4, 2)),
                                          rc::gen::container<std::vector<std::vector<Move>>>(transitions, moves));
}

struct WildNet {
  unsigned places = 1;
  std::vector<unsigned> marked;
  struct Arcs {
    std::vector<unsigned> pre, context, post;
  };
  std::vector<Arcs> transitions;

  net::Net build() const {
    net::Net net;
    for (unsigned i = 0; i < places; ++i) net.add_place("p" + std::to_string(i));
    for (unsigned p : marked) net.mark(p % places);
    for (const Arcs& arcs : transitions) {
      const net::TransitionId t = net.add_transition("t" + std::to_string(net.transitions().size()));
      for (unsigned p : arcs.pre) net.add_input(p % places, t);
      for (unsigned p : arcs.context) net.add_read(p % places, t);
      for (unsigned p : arcs.post) net.add_output(t, p % places);
    }
    net.finish();
    return net;
  }
};

inline void showValue(const WildNet& spec, std::ostream& out) { out << net::to_ll_net(spec.build()); }

inline rc::Gen<WildNet> wild_nets() {
  const auto list = [](int size) { return rc::gen::resize(size, rc::gen::container<std::vector<unsigned>>(below(7))); };
  const auto arcs = rc::gen::construct<WildNet::Arcs>(rc::gen::nonEmpty(list(2)), list(1), list(2));
  return rc::gen::construct<WildNet>(
      below(8, 4), list(5),
      rc::gen::container<std::vector<WildNet::Arcs>>(
          7, rc::gen::oneOf(arcs, arcs, arcs, rc::gen::construct<WildNet::Arcs>(list(2), list(2), list(3)))));
}

}  // namespace mazurka::testing
