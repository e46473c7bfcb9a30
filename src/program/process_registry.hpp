// The table of processes of a program that several ranks execute. An index must mean the same process in all ranks:
// steps, operations and the addresses of a thread's memory depend on it. Rank 0 has the table. If an execution has
// processes that are new to its executor, the executor agrees with rank 0 on their indices before the execution is
// used.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "program/protocol.hpp"

namespace mazurka::program {

class ProcessRegistry {
 public:
  using Entries = std::vector<protocol::ProcessEntry>;

  ProcessRegistry() = default;
  ProcessRegistry(const ProcessRegistry&) = delete;
  ProcessRegistry& operator=(const ProcessRegistry&) = delete;
  virtual ~ProcessRegistry() = default;

  /// Registers `met`, the processes that a rank's table has from index `first` on. Returns the processes that every
  /// table must have from there on, by index. \pre All tables agree below `first`; parents precede their children.
  virtual Entries agree(std::uint32_t first, std::span<const protocol::ProcessEntry> met) = 0;
};

/// The table itself, at rank 0. Thread-safe.
class SharedRegistry final : public ProcessRegistry {
 public:
  Entries agree(std::uint32_t first, std::span<const protocol::ProcessEntry> met) override;

 private:
  std::mutex mutex_;
  Entries entries_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> index_;  ///< by parent and number
};

}  // namespace mazurka::program
