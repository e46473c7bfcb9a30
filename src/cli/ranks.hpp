// `mpirun -n N mazurka check …`: this process is one of several ranks that explore one system. Rank 0 answers the user;
// the others explore for it and print nothing.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "cli/system.hpp"
#include "core/transport.hpp"
#include "dpor/member.hpp"
#include "dpor/team.hpp"
#include "program/process_registry.hpp"

namespace mazurka::cli {

/// This process's number among those that mpirun, srun or the like has started, and how many there are, as far as the
/// environment says; 0 and 1 where it was started alone.
struct Launch {
  std::uint32_t rank = 0;
  std::uint32_t ranks = 1;
  std::uint32_t on_this_machine = 1;
};
Launch launched();

/// Joins the other ranks. Null where there are none. Throws InputError if this installation has no MPI.
std::unique_ptr<Transport> connect_ranks();

/// At rank 0: what the others are told of the system, and what they tell.
class TeamOfRanks final : public dpor::TeamNotes {
 public:
  /// `described`: what must be the same in all ranks, a `name=value` each.
  TeamOfRanks(Transport& transport, std::shared_ptr<program::SharedRegistry> registry)
      : registry_(std::move(registry)), team_(transport, *this) {}

  /// Before anything is explored: executes the system once, so that all ranks can compare where it lies.
  void begin(System& system, std::vector<std::string> described);
  dpor::Team& team() { return team_; }
  /// What to advise if a rank does not answer when the search is stopped.
  void set_advice(std::string advice) { advice_ = std::move(advice); }

  void write(ByteWriter& note) override;
  void read(std::uint32_t rank, ByteReader& note) override;
  void answer(std::uint32_t rank, ByteReader& question, ByteWriter& answer) override;
  void is_late(std::uint32_t rank, double seconds) override;

 private:
  std::shared_ptr<program::SharedRegistry> registry_;
  System* system_ = nullptr;
  std::vector<std::string> described_;
  std::string advice_;
  bool has_advised_ = false;
  dpor::Team team_;  ///< last: it ends first
};

/// At the other ranks: asks rank 0 for the indices of processes.
class RemoteRegistry final : public program::ProcessRegistry {
 public:
  explicit RemoteRegistry(dpor::Link& link) : link_(link) {}
  Entries agree(std::uint32_t first, std::span<const protocol::ProcessEntry> met) override;

 private:
  dpor::Link& link_;
};

/// What the other ranks need to know of the command.
struct MemberOptions {
  bool keep_going = false;
  bool deadlocks_fail = true;
  std::vector<std::string> described;  ///< as in TeamOfRanks::begin
};
/// Explores for rank 0 until it has ended.
void explore_for_rank_0(dpor::Link& link, System& system, const MemberOptions& options);
/// The same where this rank cannot explore at all: rank 0 is told why.
void fail_for_rank_0(dpor::Link& link, const std::exception_ptr& failure);

}  // namespace mazurka::cli
