// Adds arcs that carry a weight to a net whose arcs carry none.
//
// In a 1-safe net no place ever holds two tokens, so a transition that needs two of them from one place is dead. Such a
// transition gets one more input: a place that is never marked, called `p (second token)`. It stands behind all places
// of the file, so the numbers of those stay. Until the first marking with two tokens on a place the net behaves like
// the one of the file, and the unfolder refuses a net that reaches such a marking. A transition that produces two
// tokens on one place violates 1-safeness as soon as it fires, so it is refused unless it is dead; a place that begins
// with several tokens is refused at once. What was refused, and the weights, are kept with the net for those who can
// use it.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "net/net.hpp"

namespace mazurka::net {

class WeightedArcs {
 public:
  explicit WeightedArcs(Net& net) : net_(net) {}

  /// A net that is plainly not 1-safe is not refused: its weights say why it should be.
  void accept_any() { any_ = true; }

  // An error where the arc is there already or the weight is not positive.
  std::optional<ArcError> add_input(PlaceId place, TransitionId transition, std::int64_t weight);
  std::optional<ArcError> add_read(PlaceId place, TransitionId transition, std::int64_t weight);
  std::optional<ArcError> add_output(TransitionId transition, PlaceId place, std::int64_t weight,
                                     const SourcePosition& position);

  /// A place that begins with this many tokens. An error where that is not a number of tokens; throws InputError where
  /// they are several.
  std::optional<ArcError> add_tokens(PlaceId place, std::int64_t tokens, const SourcePosition& position);

  /// Some place has a capacity.
  void note_capacity() { weights_.has_capacities = true; }

  /// To be called once after the last arc; calls Net::finish(). Throws InputError where a live transition produces
  /// several tokens on one place.
  void finish();

 private:
  struct HeavyOutput {
    TransitionId transition;
    PlaceId place;
    std::int64_t weight;
    SourcePosition position;
  };

  std::optional<ArcError> not_positive(PlaceId place, TransitionId transition, std::int64_t weight) const;

  Net& net_;
  void refuse(const SourcePosition& position, const std::string& message);
  static std::uint32_t limited(std::int64_t weight);

  std::set<std::pair<PlaceId, TransitionId>> needs_two_;
  Weights weights_;
  bool any_ = false;
  std::vector<HeavyOutput> heavy_outputs_;
};

}  // namespace mazurka::net
