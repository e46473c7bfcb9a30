// fs n: thread t looks for a block for inode t, from block 2t on, each inode and each block under a lock of its own.
#include <fmt/format.h>

#include "network/families.hpp"
#include "network/modeller.hpp"

namespace mazurka::network {

Network generate_fs(std::span<const unsigned> arguments) {
  constexpr unsigned kBlocks = 26;
  const unsigned n = arguments[0];
  require_range("n", n, 1, 200);
  Modeller model(fmt::format("fs_{}", n));
  std::vector<ComponentId> inode_lock;
  std::vector<ComponentId> inode;
  std::vector<ComponentId> block_lock;
  std::vector<ComponentId> busy;
  for (unsigned i = 0; i < n; ++i) inode_lock.push_back(model.lock(fmt::format("li{}", i)));
  for (unsigned i = 0; i < n; ++i) inode.push_back(model.variable(fmt::format("in{}", i), 2, 0));
  for (unsigned b = 0; b < kBlocks; ++b) block_lock.push_back(model.lock(fmt::format("lb{}", b)));
  for (unsigned b = 0; b < kBlocks; ++b) busy.push_back(model.variable(fmt::format("bu{}", b), 2, 0));
  for (unsigned t = 0; t < n; ++t) {
    const ComponentId thread = model.client(fmt::format("t{}", t));
    const LocationId start = model.location(thread, "start");
    const LocationId exit = model.location(thread, "exit");
    const LocationId held = model.then(thread, start, inode_lock[t], "acq");
    model.step(thread, held, exit, inode[t], read_event(1));
    LocationId seek = model.then(thread, held, inode[t], read_event(0));
    for (unsigned tried = 0; tried < kBlocks; ++tried) {
      const unsigned b = (2 * t + tried) % kBlocks;
      const LocationId locked = model.then(thread, seek, block_lock[b], "acq");
      LocationId at = model.then(thread, locked, busy[b], read_event(0));
      at = model.then(thread, model.then(thread, at, busy[b], write_event(1)), inode[t], write_event(1));
      model.step(thread, at, exit, block_lock[b], "rel");
      at = model.then(thread, locked, busy[b], read_event(1));
      seek = tried + 1 < kBlocks ? model.location(thread, fmt::format("seek{}", tried + 1)) : exit;
      model.step(thread, at, seek, block_lock[b], "rel");
    }
    model.step(thread, exit, model.location(thread, "end"), inode_lock[t], "rel");
  }
  return model.build(ActionOrder::ByServer);
}

}  // namespace mazurka::network
