#include "cli/quick_search.hpp"

#include <algorithm>
#include <utility>

#include "cli/command.hpp"
#include "core/interrupt.hpp"
#include "core/invariant.hpp"

namespace mazurka::cli {
namespace {

constexpr std::uint64_t kSteps = 256;  // between looks at the clock
constexpr double kMoment = 0.02;       // seconds
constexpr double kForever = 1e300;

}  // namespace

QuickSearch::QuickSearch(const net::Net& net, prefix::Ends ends, net::DeadlockSearch::Limits limits)
    : net_(net::weighted(net)),
      ends_(std::move(ends)),
      search_(
          net_, [this](std::span<const std::uint32_t> tokens) { return !is_end(tokens); }, limits) {}

bool QuickSearch::is_end(std::span<const std::uint32_t> tokens) const {
  const auto is_marked = [&](net::PlaceId p) { return tokens[p] != 0; };
  if (!ends_.unfinished.empty() && std::none_of(ends_.unfinished.begin(), ends_.unfinished.end(), is_marked))
    return true;
  if (!ends_.final) return false;
  std::vector<std::uint32_t> last(tokens.size(), 0);
  for (const net::PlaceId p : *ends_.final)
    if (p < last.size()) last[p] = 1;
  return std::equal(last.begin(), last.end(), tokens.begin(), tokens.end());
}

QuickSearch::Status QuickSearch::run_for(double seconds) {
  const double start = seconds_since_start();
  double now = start;
  while (search_.run(kSteps) == Status::Running && now < start + seconds && !interrupted()) now = seconds_since_start();
  spent_ += now - start;
  return search_.status();
}

QuickSearch::Status QuickSearch::run_to_the_end() { return run_for(kForever); }

QuickSearch::Status QuickSearch::run_beside(double seconds_of_unfolding) {
  if (search_.status() != Status::Running || seconds_of_unfolding < spent_ + kMoment) return search_.status();
  return run_for(kMoment);
}

std::optional<prefix::Answer> QuickSearch::answer() const {
  if (search_.status() == Status::Exhausted) return prefix::Answer{prefix::Answer::Reply::No, {}};
  if (search_.status() != Status::Found) return std::nullopt;
  std::vector<net::TransitionId> path = search_.path();
  std::vector<std::uint32_t> tokens = net_.initial;
  const auto is_enabled = [&](const net::WeightedNet::Transition& transition) {
    return std::all_of(transition.inputs.begin(), transition.inputs.end(),
                       [&](const net::WeightedNet::Input& input) { return tokens[input.place] >= input.needs; });
  };
  for (const net::TransitionId t : path) {
    MZ_INVARIANT(is_enabled(net_.transitions[t]), "a path of the search is a run of the net");
    for (const auto& input : net_.transitions[t].inputs) tokens[input.place] -= input.takes;
    for (const auto& output : net_.transitions[t].outputs) tokens[output.place] += output.gives;
  }
  MZ_INVARIANT(std::none_of(net_.transitions.begin(), net_.transitions.end(), is_enabled) && !is_end(tokens),
               "a search for deadlocks ends in a deadlock");
  return prefix::Answer{prefix::Answer::Reply::Yes, std::move(path)};
}

}  // namespace mazurka::cli
