// dp n: philosopher i takes the forks i and i+1 in either order, then releases both and leaves. With a single fork, it
// may put that back and leave instead of waiting for the other. dp2 n: the same twice in a row.
//
// The number of states, 5^n - 1, does not tell whether philosophers may give up, but all other columns of the paper's
// table confirm it.
#include <fmt/format.h>

#include "network/families.hpp"
#include "network/modeller.hpp"

namespace mazurka::network {

namespace {

Network philosophers(const std::string& name, unsigned n, unsigned rounds) {
  require_range("n", n, 2, 1000);
  Modeller model(name);
  std::vector<ComponentId> fork;
  for (unsigned i = 0; i < n; ++i) fork.push_back(model.lock(fmt::format("fork{}", i)));
  for (unsigned i = 0; i < n; ++i) {
    const ComponentId left = fork[i];
    const ComponentId right = fork[(i + 1) % n];
    const ComponentId philosopher = model.client(fmt::format("phil{}", i));
    LocationId start = model.location(philosopher, "thinking");
    for (unsigned round = 0; round < rounds; ++round) {
      const std::string suffix = round == 0 ? "" : fmt::format("{}", round + 1);
      const LocationId has_left = model.location(philosopher, "has_left" + suffix);
      const LocationId has_right = model.location(philosopher, "has_right" + suffix);
      const LocationId eating = model.location(philosopher, "eating" + suffix);
      const LocationId leaving = model.location(philosopher, "leaving" + suffix);
      const LocationId end = model.location(philosopher, "gone" + suffix);
      model.step(philosopher, start, has_left, left, "acq");
      model.step(philosopher, start, has_right, right, "acq");
      model.step(philosopher, has_left, eating, right, "acq");
      model.step(philosopher, has_right, eating, left, "acq");
      model.step(philosopher, eating, leaving, left, "rel");
      model.step(philosopher, leaving, end, right, "rel");
      model.step(philosopher, has_left, end, left, "rel");
      model.step(philosopher, has_right, end, right, "rel");
      start = end;
    }
  }
  return model.build(ActionOrder::ByClient);
}

}  // namespace

Network generate_dp(std::span<const unsigned> arguments) {
  return philosophers(fmt::format("dp_{}", arguments[0]), arguments[0], 1);
}

Network generate_dp2(std::span<const unsigned> arguments) {
  return philosophers(fmt::format("dp2_{}", arguments[0]), arguments[0], 2);
}

}  // namespace mazurka::network
