// lz N: cells a_0 … a_N are 0; writer j copies a_(j-1) + 1 into a_j; a reader scans down from a_N to the first zero.
#include <fmt/format.h>

#include "network/families.hpp"
#include "network/modeller.hpp"

namespace mazurka::network {

Network generate_lz(std::span<const unsigned> arguments) {
  const unsigned n = arguments[0];
  require_range("N", n, 1, 100);
  Modeller model(fmt::format("lz_{}", n));
  std::vector<ComponentId> cell;
  for (unsigned j = 0; j <= n; ++j) cell.push_back(model.variable(fmt::format("a{}", j), j + 1, 0));
  for (unsigned j = 1; j <= n; ++j) {
    const ComponentId writer = model.client(fmt::format("w{}", j));
    const LocationId start = model.location(writer, "start");
    const LocationId end = model.location(writer, "end");
    for (unsigned v = 0; v < j; ++v)  // a_(j-1) is at most j - 1
      model.step(writer, model.then(writer, start, cell[j - 1], read_event(v)), end, cell[j], write_event(v + 1));
  }
  const ComponentId reader = model.client("reader");
  LocationId at = model.location(reader, "start");
  const LocationId end = model.location(reader, "end");
  for (unsigned i = n;; --i) {
    model.step(reader, at, end, cell[i], read_event(0));
    if (i == 0) break;
    const LocationId next = model.location(reader, fmt::format("seek{}", i - 1));
    for (unsigned v = 1; v <= i; ++v) model.step(reader, at, next, cell[i], read_event(v));
    at = next;
  }
  return model.build(ActionOrder::ByServer);
}

}  // namespace mazurka::network
