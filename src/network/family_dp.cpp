// dp n: philosopher i takes the forks i and i+1 in either order, then releases both and leaves; one who holds a single
// fork may put it back and leave instead of waiting for the other.
#include <fmt/format.h>

#include "network/families.hpp"
#include "network/modeller.hpp"

namespace mazurka::network {

Network generate_dp(std::span<const unsigned> arguments) {
  const unsigned n = arguments[0];
  require_range("n", n, 2, 1000);
  Modeller model(fmt::format("dp_{}", n));
  std::vector<ComponentId> fork;
  for (unsigned i = 0; i < n; ++i) fork.push_back(model.lock(fmt::format("fork{}", i)));
  for (unsigned i = 0; i < n; ++i) {
    const ComponentId left = fork[i];
    const ComponentId right = fork[(i + 1) % n];
    const ComponentId philosopher = model.client(fmt::format("phil{}", i));
    const LocationId start = model.location(philosopher, "thinking");
    const LocationId has_left = model.location(philosopher, "has_left");
    const LocationId has_right = model.location(philosopher, "has_right");
    const LocationId eating = model.location(philosopher, "eating");
    const LocationId leaving = model.location(philosopher, "leaving");
    const LocationId end = model.location(philosopher, "gone");
    model.step(philosopher, start, has_left, left, "acq");
    model.step(philosopher, start, has_right, right, "acq");
    model.step(philosopher, has_left, eating, right, "acq");
    model.step(philosopher, has_right, eating, left, "acq");
    model.step(philosopher, eating, leaving, left, "rel");
    model.step(philosopher, leaving, end, right, "rel");
    model.step(philosopher, has_left, end, left, "rel");
    model.step(philosopher, has_right, end, right, "rel");
  }
  return model.build(ActionOrder::ByClient);
}

}  // namespace mazurka::network
