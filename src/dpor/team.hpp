// The explorers in other processes (ranks), as the process with the frontier sees them: it is rank 0, and answers what
// they ask of the search (member.hpp).
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <exception>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/bytes.hpp"
#include "core/listener.hpp"
#include "core/transport.hpp"
#include "dpor/search.hpp"

namespace mazurka::dpor {

/// What the rest of the program does at rank 0.
class TeamNotes {
 public:
  TeamNotes() = default;
  TeamNotes(const TeamNotes&) = delete;
  TeamNotes& operator=(const TeamNotes&) = delete;
  virtual ~TeamNotes() = default;

  /// A search is about to begin: writes a note for all ranks (MemberNotes::read).
  virtual void write(ByteWriter& note) = 0;
  /// A rank has written this note (MemberNotes::write).
  virtual void read(std::uint32_t rank, ByteReader& note) = 0;
  /// Answers a question of a rank (Link::ask). Other explorers of this process may be at work.
  virtual void answer(std::uint32_t rank, ByteReader& question, ByteWriter& answer) = 0;
  /// Somebody wants the search to end, and this rank has not come to rest, or to its end, for so long since.
  virtual void is_late(std::uint32_t /*rank*/, double /*seconds*/) {}
};

class Team {
 public:
  /// \pre Both outlive it.
  Team(Transport& transport, TeamNotes& notes) : transport_(transport), notes_(notes), peers_(transport.ranks()) {}
  /// Tells all ranks that there will be no other search.
  ~Team();
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  /// How many explorers they are.
  std::size_t size() const { return peers_.size() - 1; }

  /// Has all ranks begin a search. They are its explorers from number `first` on. \pre The search outlives serve().
  void begin(Search& search, std::size_t first);
  /// Serves them until they are done with it. `results`: one for each. Throws again what one of them has thrown.
  void serve(Listener& listener, std::span<Result> results);

 private:
  /// What is known of a rank.
  struct Peer {
    std::unique_ptr<LocalCoordinator> search;  ///< its place in the search
    std::uint64_t takes = 0;                   ///< so many prefixes it would take
    bool rests = false;                        ///< it waits for the end of a rest
    bool knows_wanted = false;                 ///< it has been told that somebody has nothing to do
    bool is_done = false;
    std::uint64_t rest = 0;  ///< the one it was told to come to; 0: none, or that one is over
    Statistics latest;
    std::deque<Planned> inserted;  ///< what became of insertions, as long as it may not have learnt that
    Ticket first = kNoTicket + 1;  ///< of them
    std::vector<Planned> answers;  ///< those of them that it has not been told
  };

  void send(std::uint32_t to, const ByteWriter& message) { transport_.send(to, message.written()); }
  void handle(std::uint32_t rank, ByteReader& reader, Listener& listener, std::span<Result> results);
  void insert(Peer& peer, ByteReader& reader);
  void serve(std::uint32_t rank);
  void call_to_rest();
  void end_rest(std::uint32_t rank);
  void call_for_work();
  void stop_all();
  void look_who_is_late();
  void update(Peer& peer, const Statistics& statistics);
  std::uint64_t grant();
  Statistics total() const;

  Transport& transport_;
  TeamNotes& notes_;
  Search* search_ = nullptr;
  std::vector<Peer> peers_;  ///< by rank; the first is not used
  std::uint64_t rests_ = 0;
  bool told_to_stop_ = false;
  std::optional<std::chrono::steady_clock::time_point> end_wanted_;  ///< since when
  std::size_t busy_ = 0;                                             ///< those that are not done
  std::exception_ptr failure_;
};

}  // namespace mazurka::dpor
