#include "net/weighted_arcs.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>

namespace mazurka::net {

std::optional<ArcError> WeightedArcs::not_positive(PlaceId place, TransitionId transition, std::int64_t weight) const {
  if (weight >= 1) return std::nullopt;
  return ArcError{fmt::format("the arc between place '{}' and transition '{}' has weight {}; a weight is at least 1",
                              net_.place(place).name, net_.transition(transition).name, weight)};
}

std::optional<ArcError> WeightedArcs::add_input(PlaceId place, TransitionId transition, std::int64_t weight) {
  if (auto error = not_positive(place, transition, weight)) return error;
  if (weight > 1) needs_two_.emplace(place, transition);
  if (weight > 1) weights_.inputs[{place, transition}] = limited(weight);
  return net_.add_input(place, transition);
}

std::optional<ArcError> WeightedArcs::add_read(PlaceId place, TransitionId transition, std::int64_t weight) {
  if (auto error = not_positive(place, transition, weight)) return error;
  if (weight > 1) needs_two_.emplace(place, transition);
  if (weight > 1) weights_.reads[{place, transition}] = limited(weight);
  return net_.add_read(place, transition);
}

std::optional<ArcError> WeightedArcs::add_output(TransitionId transition, PlaceId place, std::int64_t weight,
                                                 const SourcePosition& position) {
  if (auto error = not_positive(place, transition, weight)) return error;
  if (weight > 1) heavy_outputs_.push_back({transition, place, weight, position});
  if (weight > 1) weights_.outputs[{place, transition}] = limited(weight);
  return net_.add_output(transition, place);
}

std::uint32_t WeightedArcs::limited(std::int64_t weight) {
  return static_cast<std::uint32_t>(std::min<std::int64_t>(weight, INT32_MAX));
}

std::optional<ArcError> WeightedArcs::add_tokens(PlaceId place, std::int64_t tokens, const SourcePosition& position) {
  const std::string message =
      fmt::format("place '{}' starts with {} tokens; the net must be 1-safe", net_.place(place).name, tokens);
  if (tokens < 0) return ArcError{message};
  if (tokens >= 1) net_.mark(place);
  if (tokens > 1) weights_.tokens[place] = limited(tokens);
  if (tokens > 1) refuse(position, message);
  return std::nullopt;
}

void WeightedArcs::refuse(const SourcePosition& position, const std::string& message) {
  const InputError error(position, message);
  if (!any_) throw error;
  if (!weights_.unsafe) weights_.unsafe = error;
}

void WeightedArcs::finish() {
  std::set<TransitionId> dead;
  for (const auto& [place, transition] : needs_two_) dead.insert(transition);
  for (const HeavyOutput& output : heavy_outputs_)
    if (!dead.contains(output.transition))
      refuse(output.position,
             fmt::format("transition '{}' puts {} tokens on place '{}'; the net must be 1-safe",
                         net_.transition(output.transition).name, output.weight, net_.place(output.place).name));
  weights_.places = net_.places().size();
  std::map<PlaceId, PlaceId> never_marked;
  for (const auto& [place, transition] : needs_two_) {
    const auto [at, fresh] = never_marked.try_emplace(place);
    if (fresh) at->second = net_.add_place(net_.place(place).name + " (second token)");
    net_.add_input(at->second, transition);
  }
  net_.finish();
  const bool is_plain = needs_two_.empty() && heavy_outputs_.empty() && weights_.tokens.empty();
  if (!is_plain || weights_.has_capacities) net_.set_weights(std::move(weights_));
}

}  // namespace mazurka::net
