#include "net/weighted_net.hpp"

#include <algorithm>
#include <map>

namespace mazurka::net {

WeightedNet weighted(const Net& net) {
  static const Weights kUnweighted;
  const Weights& weights = net.weights() ? *net.weights() : kUnweighted;
  const auto weight = [](const std::map<Weights::Arc, std::uint32_t>& table, PlaceId p, TransitionId t) {
    const auto found = table.find({p, t});
    return found == table.end() ? 1U : found->second;
  };
  WeightedNet result;
  // Places beyond those of the file are stand-ins for second tokens, which are counted here.
  const std::size_t places = net.weights() ? weights.places : net.places().size();
  for (PlaceId p = 0; p < places; ++p) {
    const auto found = weights.tokens.find(p);
    result.initial.push_back(found != weights.tokens.end() ? found->second : (net.place(p).marked ? 1U : 0U));
  }
  for (TransitionId t = 0; t < net.transitions().size(); ++t) {
    const Transition& transition = net.transition(t);
    WeightedNet::Transition& added = result.transitions.emplace_back();
    for (const PlaceId p : transition.pre)
      if (p < places) {
        const std::uint32_t takes = weight(weights.inputs, p, t);
        const bool reads = weights.reads.contains({p, t});  // a read arc beside it needs more tokens
        added.inputs.push_back({p, reads ? std::max(takes, weight(weights.reads, p, t)) : takes, takes});
      }
    for (const PlaceId p : transition.context)
      if (p < places) added.inputs.push_back({p, weight(weights.reads, p, t), 0});
    for (const PlaceId p : transition.post)
      if (p < places) added.outputs.push_back({p, weight(weights.outputs, p, t)});
  }
  return result;
}

}  // namespace mazurka::net
