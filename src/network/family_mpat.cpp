// mpat K: w_i takes and releases ma_i; r_i does the same under the common lock mi.
#include <fmt/format.h>

#include "network/families.hpp"
#include "network/modeller.hpp"

namespace mazurka::network {

Network generate_mpat(std::span<const unsigned> arguments) {
  const unsigned pairs = arguments[0];
  require_range("K", pairs, 1, 1000);
  Modeller model(fmt::format("mpat_{}", pairs));
  std::vector<ComponentId> ma;
  for (unsigned i = 0; i < pairs; ++i) ma.push_back(model.lock(fmt::format("ma{}", i)));
  const ComponentId mi = model.lock("mi");
  for (unsigned i = 0; i < pairs; ++i) {
    const ComponentId writer = model.client(fmt::format("w{}", i));
    model.then(writer, model.then(writer, model.location(writer, "start"), ma[i], "acq"), ma[i], "rel");
    const ComponentId reader = model.client(fmt::format("r{}", i));
    LocationId at = model.then(reader, model.location(reader, "start"), mi, "acq");
    at = model.then(reader, model.then(reader, at, ma[i], "acq"), ma[i], "rel");
    model.then(reader, at, mi, "rel");
  }
  return model.build(ActionOrder::ByServer);
}

}  // namespace mazurka::network
