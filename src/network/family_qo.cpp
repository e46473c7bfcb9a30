// qo n: n writers set x_i to 1; a counter writes 0, 1, …, n-1 to c; a master reads c and resets that x.
#include <fmt/format.h>

#include "network/families.hpp"
#include "network/modeller.hpp"

namespace mazurka::network {

Network generate_qo(std::span<const unsigned> arguments) {
  const unsigned n = arguments[0];
  require_range("n", n, 1, 1000);
  Modeller model(fmt::format("qo_{}", n));
  std::vector<ComponentId> x;
  for (unsigned i = 0; i < n; ++i) x.push_back(model.variable(fmt::format("x{}", i), 2, 0));
  const ComponentId c = model.variable("c", n, 0);
  for (unsigned i = 0; i < n; ++i) {
    const ComponentId writer = model.client(fmt::format("w{}", i));
    model.then(writer, model.location(writer, "start"), x[i], write_event(1));
  }
  const ComponentId count = model.client("count");
  LocationId at = model.location(count, "start");
  for (unsigned i = 0; i < n; ++i) at = model.then(count, at, c, write_event(i));
  const ComponentId master = model.client("master");
  const LocationId start = model.location(master, "start");
  const LocationId end = model.location(master, "end");
  for (unsigned v = 0; v < n; ++v)
    model.step(master, model.then(master, start, c, read_event(v)), end, x[v], write_event(0));
  return model.build(ActionOrder::ByClient);
}

}  // namespace mazurka::network
