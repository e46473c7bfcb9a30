// The configurations of a prefix as a propositional formula, with one variable per event that has a non-cutoff history:
//   causality     an event needs the producers of the conditions it consumes and reads;
//   conflict      a condition has at most one consumer;
//   acyclicity    of asymmetric conflict, enforced lazily: if the solver proposes a set of events with a cycle, the
//                 readers on the cycle are forbidden together (they imply the rest of it by causality), and it
//                 continues.
// In addition, one variable per place says whether the marking of the configuration contains it.
//
// Constraining events rather than histories admits more configurations than the enriched prefix has. All of them are
// configurations of the unfolding, so answers stay sound; completeness only needs those of the prefix.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include <cadical.hpp>

#include "prefix/prefix.hpp"

namespace mazurka::prefix {

class ConfigurationEncoding {
 public:
  explicit ConfigurationEncoding(const Prefix& prefix);

  // Constraints on the marking. A place variable is encoded when it is first needed.
  void require_marked(PlaceId place) { add({marked(place)}); }
  void require_empty(PlaceId place) { add({-marked(place)}); }
  void require_some_empty(std::span<const PlaceId> places);
  void require_some_marked(std::span<const PlaceId> places);
  /// Excludes the marking of exactly these places.
  void require_other_than(std::span<const PlaceId> places);

  enum class Status { Satisfied, Unsatisfiable, Interrupted };
  Status solve();

  /// After `Satisfied`: a firing sequence of the configuration.
  const std::vector<TransitionId>& sequence() const { return sequence_; }

 private:
  struct Condition {
    std::vector<EventId> consumers;
    std::vector<EventId> readers;
  };

  void collect();
  void encode_configurations();
  void at_most_one(const std::vector<EventId>& events);
  int marked(PlaceId place);
  int in_cut(ConditionId condition);
  int variable(EventId event) const { return variable_[event]; }
  void add(std::initializer_list<int> clause);
  void add(const std::vector<int>& clause);

  bool linearise();
  void forbid_cycle(const std::vector<EventId>& stuck);

  const Prefix& prefix_;
  CaDiCaL::Solver solver_;
  int variables_ = 0;
  std::vector<int> variable_;          ///< per event; 0 for cutoffs, which no configuration needs, and for ⊥
  std::vector<Condition> conditions_;  ///< consumers and readers that have a variable
  std::vector<std::vector<ConditionId>> of_place_;
  std::vector<int> place_variable_;  ///< 0 if not needed yet
  std::vector<EventId> chosen_;
  std::vector<TransitionId> sequence_;
};

}  // namespace mazurka::prefix
