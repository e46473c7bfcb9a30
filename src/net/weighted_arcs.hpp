// Adds weighted arcs to a net whose arcs have no weights.
//
// In a 1-safe net no place ever holds two tokens, so a transition that needs two tokens from one place is dead. It gets
// an additional input, a place `p (second token)` that is never marked. These places come after those of the file, so
// that the numbers of the latter stay. Until the first marking with two tokens on a place, the net behaves like the one
// in the file; the unfolder refuses a net that reaches such a marking. A transition that produces two tokens on one
// place violates 1-safeness when it fires, so the net is refused unless that transition is dead. A net in which a place
// starts with several tokens is refused at once. The reason of the refusal and the weights stay with the net, for those
// who can use them.
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

  /// Does not refuse a net that is obviously not 1-safe; its weights say why it should be.
  void accept_any() { any_ = true; }

  // Returns an error if the arc exists already or the weight is not positive.
  std::optional<ArcError> add_input(PlaceId place, TransitionId transition, std::int64_t weight);
  std::optional<ArcError> add_read(PlaceId place, TransitionId transition, std::int64_t weight);
  std::optional<ArcError> add_output(TransitionId transition, PlaceId place, std::int64_t weight,
                                     const SourcePosition& position);

  /// Sets the initial tokens of a place. Returns an error if `tokens` is not a token count; throws InputError if it is
  /// more than one.
  std::optional<ArcError> add_tokens(PlaceId place, std::int64_t tokens, const SourcePosition& position);

  /// Records that some place has a capacity.
  void note_capacity() { weights_.has_capacities = true; }

  /// To be called once after the last arc; calls Net::finish(). Throws InputError if a live transition produces several
  /// tokens on one place.
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
