// bg h: a complete binary tree of 2^(h+1) - 1 and-gates. A gate reads its left wire, then its right wire (reading
// empties the wire) and writes the conjunction to its own; leaves write an arbitrary bit; the root keeps the result.
#include <fmt/format.h>

#include "network/families.hpp"
#include "network/modeller.hpp"

namespace mazurka::network {

namespace {

ComponentId wire(Modeller& model, unsigned gate) {
  const ComponentId id = model.server(fmt::format("wire{}", gate));
  const LocationId empty = model.location(id, "empty");
  for (unsigned bit : {0U, 1U}) {
    const LocationId full = model.location(id, fmt::format("v{}", bit));
    model.server_edge(id, empty, full, write_event(bit));
    model.server_edge(id, full, empty, read_event(bit));
  }
  return id;
}

}  // namespace

Network generate_bg(std::span<const unsigned> arguments) {
  const unsigned height = arguments[0];
  require_range("height", height, 1, 14);
  Modeller model(fmt::format("bg_{}", height));
  const unsigned gates = (2U << height) - 1;  // gate g has the children 2g and 2g + 1; the root is gate 1
  const unsigned first_leaf = 1U << height;
  std::vector<ComponentId> wires(gates + 1);
  for (unsigned gate = 2; gate <= gates; ++gate) wires[gate] = wire(model, gate);
  for (unsigned gate = 1; gate <= gates; ++gate) {
    const ComponentId client = model.client(fmt::format("gate{}", gate));
    const LocationId start = model.location(client, "start");
    if (gate >= first_leaf) {
      const LocationId end = model.location(client, "end");
      for (unsigned bit : {0U, 1U}) model.step(client, start, end, wires[gate], write_event(bit));
      continue;
    }
    const LocationId result[] = {model.location(client, "and0"), model.location(client, "and1")};
    for (unsigned a : {0U, 1U}) {
      const LocationId left = model.then(client, start, wires[2 * gate], read_event(a));
      for (unsigned b : {0U, 1U}) model.step(client, left, result[a & b], wires[2 * gate + 1], read_event(b));
    }
    if (gate == 1) continue;
    const LocationId end = model.location(client, "end");
    for (unsigned bit : {0U, 1U}) model.step(client, result[bit], end, wires[gate], write_event(bit));
  }
  return model.build(ActionOrder::ByClient);
}

}  // namespace mazurka::network
