// locks s c k: c clients, each of which takes k of ten locks, chosen at random by the seed s, and releases them in the
// reverse order.
#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "core/random.hpp"
#include "network/families.hpp"
#include "network/modeller.hpp"

namespace mazurka::network {

Network generate_locks(std::span<const unsigned> arguments) {
  constexpr unsigned kLocks = 10;
  const unsigned seed = arguments[0];
  const unsigned clients = arguments[1];
  const unsigned taken = arguments[2];
  require_range("clients", clients, 1, 1000);
  require_range("taken", taken, 1, kLocks);
  Modeller model(fmt::format("locks_{}_{}_{}", seed, clients, taken));
  std::vector<ComponentId> locks;
  for (unsigned i = 0; i < kLocks; ++i) locks.push_back(model.lock(fmt::format("m{}", i)));
  SplitMix64 random(seed);
  for (unsigned c = 0; c < clients; ++c) {
    std::vector<unsigned> order(kLocks);
    std::iota(order.begin(), order.end(), 0U);
    for (unsigned i = 0; i < taken; ++i)
      std::swap(order[i], order[i + static_cast<unsigned>(random.below(kLocks - i))]);
    order.resize(taken);
    const ComponentId client = model.client(fmt::format("c{}", c));
    LocationId at = model.location(client, "start");
    for (unsigned lock : order) at = model.then(client, at, locks[lock], "acq");
    std::reverse(order.begin(), order.end());
    for (unsigned lock : order) at = model.then(client, at, locks[lock], "rel");
  }
  return model.build(ActionOrder::ByClient);
}

}  // namespace mazurka::network
