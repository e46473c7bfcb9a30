#include "prefix/questions.hpp"

#include <algorithm>

#include "core/invariant.hpp"
#include "net/marking.hpp"
#include "prefix/configuration_encoding.hpp"

namespace mazurka::prefix {
namespace {

std::vector<PlaceId> inputs_of(const net::Transition& transition) {
  std::vector<PlaceId> places = transition.pre;
  places.insert(places.end(), transition.context.begin(), transition.context.end());
  return places;
}

/// Solves, and replays the solver's answer; the final marking must satisfy `holds`.
template <typename Holds>
Answer certified(const Prefix& prefix, ConfigurationEncoding& encoding, Holds&& holds) {
  switch (encoding.solve()) {
    case ConfigurationEncoding::Status::Unsatisfiable: return {Answer::Reply::No, {}};
    case ConfigurationEncoding::Status::Interrupted: return {Answer::Reply::Interrupted, {}};
    case ConfigurationEncoding::Status::Satisfied: break;
  }
  const net::Simulator simulator(prefix.net());
  const auto marking = simulator.replay(encoding.sequence());
  MZ_INVARIANT(marking.has_value(), "a configuration of the prefix is a run of the net");
  MZ_INVARIANT(holds(simulator, *marking), "the marking of the configuration is the one that was asked for");
  return {Answer::Reply::Yes, encoding.sequence()};
}

}  // namespace

bool Ends::is_end(std::span<const net::Word> marking, std::size_t places) const {
  const auto is_marked = [&](PlaceId p) { return net::holds(marking, p); };
  if (!unfinished.empty() && std::none_of(unfinished.begin(), unfinished.end(), is_marked)) return true;
  if (!final) return false;
  std::vector<net::Word> last(net::words_for(places));
  for (const PlaceId p : *final) net::put(last, p);
  return std::equal(last.begin(), last.end(), marking.begin(), marking.end());
}

Answer find_deadlock(const Prefix& prefix, const Ends& ends) {
  ConfigurationEncoding encoding(prefix);
  for (const net::Transition& transition : prefix.net().transitions())
    encoding.require_some_empty(inputs_of(transition));
  if (!ends.unfinished.empty()) encoding.require_some_marked(ends.unfinished);
  if (ends.final) encoding.require_other_than(*ends.final);
  return certified(prefix, encoding, [&](const net::Simulator& simulator, const auto& marking) {
    return simulator.deadlocked(marking) && !ends.is_end(marking, prefix.net().places().size());
  });
}

Answer find_cover(const Prefix& prefix, std::span<const PlaceId> places) {
  ConfigurationEncoding encoding(prefix);
  for (PlaceId p : places) encoding.require_marked(p);
  return certified(prefix, encoding, [&](const net::Simulator&, const auto& marking) {
    return std::all_of(places.begin(), places.end(), [&](PlaceId p) { return net::holds(marking, p); });
  });
}

Answer find_marking(const Prefix& prefix, std::span<const PlaceId> places) {
  const std::size_t count = prefix.net().places().size();
  std::vector<net::Word> wanted(net::words_for(count));
  for (PlaceId p : places) net::put(wanted, p);
  ConfigurationEncoding encoding(prefix);
  for (PlaceId p = 0; p < count; ++p) {
    if (net::holds(wanted, p))
      encoding.require_marked(p);
    else
      encoding.require_empty(p);
  }
  return certified(prefix, encoding, [&](const net::Simulator&, const auto& marking) { return marking == wanted; });
}

Answer find_firing(const Prefix& prefix, TransitionId transition) {
  Answer answer = find_cover(prefix, inputs_of(prefix.net().transition(transition)));
  if (answer.reply == Answer::Reply::Yes) answer.witness.push_back(transition);
  return answer;
}

}  // namespace mazurka::prefix
