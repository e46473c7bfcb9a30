// The table of processes of a program that is executed in several ranks. An index must mean the same process in all of
// them: steps, operations and the addresses of a thread's memory depend on it. Rank 0 has the table. An executor that
// meets a process for the first time agrees with it on the index before anybody sees the execution.
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

  /// Adds the processes that a table has from index `first` on, and returns all that everybody is to have from there
  /// on, in their order. \pre Everybody has the same below `first`; each parent stands before its children.
  virtual Entries agree(std::uint32_t first, std::span<const protocol::ProcessEntry> met) = 0;
};

/// That of rank 0, for several threads at a time.
class SharedRegistry final : public ProcessRegistry {
 public:
  Entries agree(std::uint32_t first, std::span<const protocol::ProcessEntry> met) override;

 private:
  std::mutex mutex_;
  Entries entries_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> index_;  ///< by parent and number
};

}  // namespace mazurka::program
