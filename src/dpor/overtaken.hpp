// How far a step explored earlier has been overtaken (§5 of *Optimal DPOR with Observers*): the weak initials of Def.
// 2, where two stores or deliveries are ordered only once a later step observes their order.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dpor/wakeup_tree.hpp"

namespace mazurka::dpor {

/// The state of a step p explored after E, with respect to the sequence v of steps after E so far: whether p is still
/// in WI(v), that is, some execution that starts with E.v is equivalent to one that starts with E.p.
///
/// p is no longer a weak initial once it depends on an earlier step of v. A store that comes after another one to the
/// same bytes is a weak initial until somebody reads it: only then are the two ordered. A delivery that comes after
/// others to the same mailbox is a weak initial until a receive takes one of these although p matches: only then are
/// the two ordered. Once p itself was taken, that cannot happen any more.
struct Overtaken {
  enum class Stage : std::uint8_t {
    No,          ///< every step so far commutes with p, which was not taken
    ByAnother,   ///< the same, except for stores to the same bytes, or deliveries to the same mailbox
    AndTaken,    ///< p was taken after such a step, and the order is not observed yet
    NeverAgain,  ///< p is an initial, whatever follows
  };
  static constexpr std::uint32_t kEmptyList = UINT32_MAX;

  Stage stage = Stage::No;
  std::uint32_t deliveries = kEmptyList;  ///< of a delivery: the first of the list of those that have overtaken it
};

/// The messages whose deliveries have overtaken others, as lists that share their tails.
class OvertakingMessages {
 public:
  std::size_t size() const { return links_.size(); }
  void truncate(std::size_t size) { links_.resize(size); }
  std::uint32_t add(std::uint32_t message, std::uint32_t rest) {
    links_.push_back({message, rest});
    return static_cast<std::uint32_t>(links_.size() - 1);
  }
  /// The same list in `other`; returns its number there.
  std::uint32_t copy(std::uint32_t list, OvertakingMessages& other) const {
    if (list == Overtaken::kEmptyList) return list;
    const std::uint32_t rest = copy(links_[list].rest, other);
    return other.add(links_[list].message, rest);
  }
  bool contains(std::uint32_t list, std::uint32_t message) const {
    while (list != Overtaken::kEmptyList && links_[list].message != message) list = links_[list].rest;
    return list != Overtaken::kEmptyList;
  }

 private:
  struct Link {
    std::uint32_t message;
    std::uint32_t rest;
  };
  std::vector<Link> links_;
};

/// Advances `state` by the next step of v. Returns false if p is no longer a weak initial.
bool remains_weak_initial(const LabelledStep& p, Overtaken& state, const LabelledStep& next,
                          OvertakingMessages& messages);

/// p ∈ WI(v) of Def. 2, where p was overtaken as `state` says before v. Leaves `messages` as it was.
bool is_weak_initial_observed(const LabelledStep& p, std::span<const LabelledStep> v, OvertakingMessages& messages,
                              Overtaken state = {});

}  // namespace mazurka::dpor
