// disp n: server i answers a request that it finds under its lock; a picker names servers one after the other; main
// hands a request to the server it finds named.
#include <fmt/format.h>

#include "network/families.hpp"
#include "network/modeller.hpp"

namespace mazurka::network {

Network generate_disp(std::span<const unsigned> arguments) {
  const unsigned n = arguments[0];
  require_range("n", n, 1, 1000);
  Modeller model(fmt::format("disp_{}", n));
  std::vector<ComponentId> lock;
  std::vector<ComponentId> in;
  std::vector<ComponentId> out;
  for (unsigned i = 0; i < n; ++i) lock.push_back(model.lock(fmt::format("s{}", i)));
  for (unsigned i = 0; i < n; ++i) in.push_back(model.variable(fmt::format("in{}", i), 2, 0));
  for (unsigned i = 0; i < n; ++i) out.push_back(model.variable(fmt::format("out{}", i), 2, 0));
  const ComponentId k = model.lock("k");
  const ComponentId sid = model.variable("sid", n, 0);
  for (unsigned i = 0; i < n; ++i) {
    const ComponentId server = model.client(fmt::format("srv{}", i));
    const LocationId held = model.then(server, model.location(server, "start"), lock[i], "acq");
    const LocationId end = model.location(server, "end");
    model.step(server, model.then(server, held, in[i], read_event(0)), end, lock[i], "rel");
    const LocationId asked = model.then(server, held, in[i], read_event(1));
    model.step(server, model.then(server, asked, out[i], write_event(1)), end, lock[i], "rel");
  }
  const ComponentId pick = model.client("pick");
  LocationId at = model.location(pick, "start");
  for (unsigned i = 0; i < n; ++i) at = model.then(pick, at, sid, write_event(i));
  const ComponentId main = model.client("main");
  const LocationId held = model.then(main, model.location(main, "start"), k, "acq");
  const LocationId end = model.location(main, "end");
  for (unsigned v = 0; v < n; ++v) {
    at = model.then(main, model.then(main, held, sid, read_event(v)), k, "rel");
    at = model.then(main, model.then(main, at, lock[v], "acq"), in[v], read_event(0));
    model.step(main, model.then(main, at, in[v], write_event(1)), end, lock[v], "rel");
  }
  return model.build(ActionOrder::ByServer);
}

}  // namespace mazurka::network
