// Rank 0's side of a search by several processes (ranks). Rank 0 has the frontier, and serves the requests of the
// explorers in the other ranks (member.hpp). A *rest* is a pause of all explorers in which the search can be saved.
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

/// What rank 0 exchanges with the other ranks besides the search: the notes and answers of the program around it.
class TeamNotes {
 public:
  TeamNotes() = default;
  TeamNotes(const TeamNotes&) = delete;
  TeamNotes& operator=(const TeamNotes&) = delete;
  virtual ~TeamNotes() = default;

  /// Before a search: writes a note for all ranks (MemberNotes::read).
  virtual void write(ByteWriter& note) = 0;
  /// Reads the note of a rank (MemberNotes::write).
  virtual void read(std::uint32_t rank, ByteReader& note) = 0;
  /// Answers a question of a rank (Link::ask), while rank 0's own explorers may be running.
  virtual void answer(std::uint32_t rank, ByteReader& question, ByteWriter& answer) = 0;
  /// The search was told to end so many seconds ago, but this rank neither rests nor has finished.
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

  /// The number of explorers in other ranks.
  std::size_t size() const { return peers_.size() - 1; }

  /// Starts a search in all ranks; their explorers have the numbers from `first` on. \pre The search outlives serve().
  void begin(Search& search, std::size_t first);
  /// Serves the ranks until all have finished the search. `results`: one for each. Rethrows what one of them threw.
  void serve(Listener& listener, std::span<Result> results);

 private:
  /// What is known of a rank.
  struct Peer {
    std::unique_ptr<LocalCoordinator> search;  ///< makes its calls on the search
    std::uint64_t takes = 0;                   ///< how many prefixes it waits for
    bool rests = false;                        ///< it waits for the end of a rest
    bool knows_wanted = false;                 ///< it was told that some explorer is idle
    bool is_done = false;
    std::uint64_t rest = 0;  ///< the number of the rest that it was called to; 0: none, or that one is over
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
  std::optional<std::chrono::steady_clock::time_point> end_wanted_;  ///< since when the search is to end
  std::size_t busy_ = 0;                                             ///< ranks that have not finished
  std::exception_ptr failure_;
};

}  // namespace mazurka::dpor
