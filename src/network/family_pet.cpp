// pet n: Peterson's filter lock. At each level l < n a thread announces itself and takes the turn, then waits for each
// other thread to be below l; whenever the turn is no longer its own it may go on to the next level.
#include <fmt/format.h>

#include "network/families.hpp"
#include "network/modeller.hpp"

namespace mazurka::network {

Network generate_pet(std::span<const unsigned> arguments) {
  const unsigned n = arguments[0];
  require_range("n", n, 2, 40);
  Modeller model(fmt::format("pet_{}", n));
  std::vector<ComponentId> level_of;
  std::vector<ComponentId> turn(n);
  for (unsigned i = 0; i < n; ++i) level_of.push_back(model.variable(fmt::format("Q{}", i), n, 0));
  for (unsigned l = 1; l < n; ++l) turn[l] = model.variable(fmt::format("T{}", l), n, 0);
  for (unsigned i = 0; i < n; ++i) {
    const ComponentId thread = model.client(fmt::format("p{}", i));
    LocationId at = model.location(thread, "start");
    for (unsigned l = 1; l < n; ++l) {
      at = model.then(thread, model.then(thread, at, level_of[i], write_event(l)), turn[l], write_event(i));
      const LocationId next_level = model.location(thread, fmt::format("passed{}", l));
      unsigned others_left = n - 1;
      for (unsigned k = 0; k < n; ++k) {
        if (k == i) continue;
        for (unsigned other = 0; other < n; ++other)
          if (other != i) model.step(thread, at, next_level, turn[l], read_event(other));
        const LocationId next =
            --others_left == 0 ? next_level : model.location(thread, fmt::format("level{}_below{}", l, k));
        for (unsigned below = 0; below < l; ++below) model.step(thread, at, next, level_of[k], read_event(below));
        at = next;
      }
    }
    model.then(thread, at, level_of[i], write_event(0));
  }
  return model.build(ActionOrder::ByClient);
}

}  // namespace mazurka::network
