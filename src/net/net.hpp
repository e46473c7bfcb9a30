// A contextual net N = ⟨P, T, F, C, m0⟩ (§2.1 of the contextual unfolder's paper): places, transitions, flow arcs of
// weight one, read arcs, and a set of initially marked places. The order of transitions is the order of the input: the
// total adequate order of the prefix depends on it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/error.hpp"

namespace mazurka::net {

using PlaceId = std::uint32_t;
using TransitionId = std::uint32_t;

struct Place {
  std::string name;
  bool marked = false;
  std::vector<TransitionId> producers;  ///< the preset of the place
  std::vector<TransitionId> consumers;  ///< the postset of the place
  std::vector<TransitionId> readers;    ///< the context of the place
};

/// Each list is sorted and without duplicates; `context` and `pre` are disjoint.
struct Transition {
  std::string name;
  std::vector<PlaceId> pre;
  std::vector<PlaceId> context;
  std::vector<PlaceId> post;
};

/// Why an arc cannot be added; the reader adds the position in its input.
struct ArcError {
  std::string message;
};

/// What a net file says beyond a 1-safe net without weights: see WeightedArcs and weighted_net.hpp.
struct Weights {
  using Arc = std::pair<PlaceId, TransitionId>;
  std::map<Arc, std::uint32_t> inputs;  ///< only weights above 1, in each of the tables
  std::map<Arc, std::uint32_t> reads;
  std::map<Arc, std::uint32_t> outputs;
  std::map<PlaceId, std::uint32_t> tokens;
  std::size_t places = 0;            ///< places of the file; later ones were added by us
  std::optional<InputError> unsafe;  ///< why the net is obviously not 1-safe, if it is
  bool has_capacities = false;       ///< capacities are ignored in a 1-safe net, and unsupported otherwise
};

class Net {
 public:
  PlaceId add_place(std::string name, bool marked = false);
  TransitionId add_transition(std::string name);

  // A second arc between the same nodes would mean weight two, and is refused.
  std::optional<ArcError> add_input(PlaceId place, TransitionId transition);
  std::optional<ArcError> add_output(TransitionId transition, PlaceId place);
  std::optional<ArcError> add_read(PlaceId place, TransitionId transition);

  void mark(PlaceId place) { places_[place].marked = true; }

  /// To be called once after the last arc. Drops a read arc beside an input arc of the same place: it is redundant, and
  /// the theory assumes that preset and context are disjoint.
  void finish();

  const std::vector<Place>& places() const { return places_; }
  const std::vector<Transition>& transitions() const { return transitions_; }
  const Place& place(PlaceId id) const { return places_[id]; }
  const Transition& transition(TransitionId id) const { return transitions_[id]; }
  bool has_reads() const;
  std::vector<PlaceId> initial() const;

  const std::optional<Weights>& weights() const { return weights_; }
  void set_weights(Weights weights) { weights_ = std::move(weights); }

  std::optional<PlaceId> find_place(std::string_view name) const;

 private:
  std::vector<Place> places_;
  std::vector<Transition> transitions_;
  std::optional<Weights> weights_;
};

/// The same net with every read arc as a consume/produce loop: equal reachable markings, no read arcs.
Net plain_encoding(const Net& net);

/// The transitions of a firing sequence as text, for messages: `t1 t2 t3`.
std::string names_of(const Net& net, const std::vector<TransitionId>& sequence);

}  // namespace mazurka::net
