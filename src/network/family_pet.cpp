// pet n: Peterson's filter lock. At each level l < n a thread announces itself and takes the turn, then waits for each
// other thread to be below l; once the turn is no longer its own, it may proceed to the next level.
//
// "Q_k < l" and "T_l is not i" are one action each, whatever the values. With an action per value, the sets that
// ChooseAction compares are larger, and the results differ by a few nodes from the paper's apifs, full and full-sleep
// columns.
#include <fmt/format.h>

#include "network/families.hpp"
#include "network/modeller.hpp"

namespace mazurka::network {

namespace {

std::string below(unsigned level) { return fmt::format("below{}", level); }
std::string not_turn(unsigned thread) { return fmt::format("not{}", thread); }

}  // namespace

Network generate_pet(std::span<const unsigned> arguments) {
  const unsigned n = arguments[0];
  require_range("n", n, 2, 40);
  Modeller model(fmt::format("pet_{}", n));
  std::vector<ComponentId> level_of;
  std::vector<ComponentId> turn(n);
  for (unsigned i = 0; i < n; ++i) {
    level_of.push_back(model.variable(fmt::format("Q{}", i), n, 0));
    for (unsigned l = 1; l < n; ++l)
      for (unsigned level = 0; level < l; ++level) model.server_edge(level_of[i], level, level, below(l));
  }
  for (unsigned l = 1; l < n; ++l) {
    turn[l] = model.variable(fmt::format("T{}", l), n, 0);
    for (unsigned i = 0; i < n; ++i)
      for (unsigned other = 0; other < n; ++other)
        if (other != i) model.server_edge(turn[l], other, other, not_turn(i));
  }
  for (unsigned i = 0; i < n; ++i) {
    const ComponentId thread = model.client(fmt::format("p{}", i));
    LocationId at = model.location(thread, "start");
    for (unsigned l = 1; l < n; ++l) {
      at = model.then(thread, model.then(thread, at, level_of[i], write_event(l)), turn[l], write_event(i));
      const LocationId next_level = model.location(thread, fmt::format("passed{}", l));
      unsigned others_left = n - 1;
      for (unsigned k = 0; k < n; ++k) {
        if (k == i) continue;
        model.step(thread, at, next_level, turn[l], not_turn(i));
        const LocationId next =
            --others_left == 0 ? next_level : model.location(thread, fmt::format("level{}_below{}", l, k));
        model.step(thread, at, next, level_of[k], below(l));
        at = next;
      }
    }
    model.then(thread, at, level_of[i], write_event(0));
  }
  return model.build(ActionOrder::ByClient);
}

}  // namespace mazurka::network
