// locks s c k: c clients, each of which takes k of ten locks, chosen at random by the seed s, and releases them in the
// reverse order.
#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "network/families.hpp"
#include "network/modeller.hpp"

namespace mazurka::network {

namespace {

/// SplitMix64: the same models on every machine and with every standard library.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  unsigned below(unsigned bound) {
    state_ += 0x9e3779b97f4a7c15U;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    return static_cast<unsigned>((z ^ (z >> 31)) % bound);
  }

 private:
  std::uint64_t state_;
};

}  // namespace

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
  Random random(seed);
  for (unsigned c = 0; c < clients; ++c) {
    std::vector<unsigned> order(kLocks);
    std::iota(order.begin(), order.end(), 0U);
    for (unsigned i = 0; i < taken; ++i) std::swap(order[i], order[i + random.below(kLocks - i)]);
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
