// A global state, unpacked for the local tests: the location of every process, and for every action whether its client
// and its server are ready for it. One view follows a depth-first search down and back up.
#pragma once

#include <vector>

#include "network/packed.hpp"
#include "stateful/local_facts.hpp"

namespace mazurka::stateful {

class View {
 public:
  View(const LocalFacts& facts, const network::PackedLayout& layout, const std::uint64_t* state);

  const LocalFacts& facts() const { return *facts_; }
  LocationId at(ComponentId p) const { return at_[p]; }
  std::uint32_t row(ComponentId p) const { return facts_->row(p, at_[p]); }

  /// s_p -a-> for the client, or the server, p of a.
  bool client_ready(ActionId a) const { return has_bit(client_ready_.data(), a); }
  bool server_ready(ActionId a) const { return has_bit(server_ready_.data(), a); }
  /// For a client p: the actions for which their servers are ready. For a server: those for which their clients are
  /// ready.
  const Word* partners_ready(bool of_client) const { return (of_client ? server_ready_ : client_ready_).data(); }

  std::uint32_t words() const { return static_cast<std::uint32_t>(client_ready_.size()); }
  Word enabled(std::uint32_t word) const { return client_ready_[word] & server_ready_[word]; }

  bool any_enabled() const;
  bool any_client_ready() const { return !none(client_ready_); }

  /// Moves from the packed state `from` to `to`. \pre `from` is the current state.
  void load(const std::uint64_t* from, const std::uint64_t* to);

  /// The locations of the two processes of an action before it.
  struct Undo {
    LocationId client;
    LocationId server;
  };
  Undo take(ActionId a);
  void undo(ActionId a, Undo before);

 private:
  void move(Word* ready, ComponentId p, LocationId to);

  const LocalFacts* facts_;
  const network::PackedLayout* layout_;
  std::vector<std::vector<ComponentId>> in_word_;  // the processes packed into each word
  std::vector<LocationId> at_;
  std::vector<Word> client_ready_;
  std::vector<Word> server_ready_;
};

}  // namespace mazurka::stateful
