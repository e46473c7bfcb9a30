// What an explorer asks of the search that it is a part of, and nothing else: something to explore, and where to put
// what it finds for prefixes that are not its own. \see search.hpp, where the search is in the same process.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>

#include "core/statistics.hpp"
#include "dpor/awaited.hpp"
#include "dpor/handed_over.hpp"
#include "dpor/histories.hpp"
#include "dpor/search_path.hpp"

namespace mazurka::dpor {

/// What an explorer has counted.
struct Counted {
  Statistics statistics;
  std::uint64_t skipped = 0;
};

/// One explorer's access to the search. Calls take effect in the order in which they are made.
class Coordinator {
 public:
  Coordinator() = default;
  Coordinator(const Coordinator&) = delete;
  Coordinator& operator=(const Coordinator&) = delete;
  virtual ~Coordinator() = default;

  /// Blocks until there is a prefix whose continuations are to be explored. Nullopt if there will be none, or the
  /// search stops.
  virtual std::optional<SearchPath::Prefix> take() = 0;
  /// All continuations of that prefix were explored, except what was handed over.
  virtual void finish(const Counted& counted) = 0;

  /// Plans v after a prefix shorter than the one taken. Older steps do not make it redundant. Whoever does not know yet
  /// what becomes of v answers Open and gives v a ticket; the answers of tickets become known in their order.
  virtual Planned insert(Reversal& v) = 0;
  /// Calls `learn` with the answers that have become known since the last call, and the ticket of the first.
  using Learn = std::function<void(Ticket first, std::span<const Planned>)>;
  virtual void pass_on_answers(const Learn&) {}
  /// Whether some explorer is idle.
  virtual bool is_short_of_work() const = 0;
  /// Hands over what is planned after some prefixes. What comes after the last of them stays with the explorer, as if
  /// it had taken that one.
  virtual void hand_over(const HandedOver& all) = 0;
  /// An execution has taken so many steps of the prefix; `fatal`: the last of them made it fail.
  virtual void mark_executed(std::size_t length, bool fatal) = 0;

  /// Whether the search is to be kept now: the explorer hands over its whole path, then calls rest().
  virtual bool rest_is_due() = 0;
  /// Blocks until all explorers rest and the search was kept.
  virtual void rest(const Counted& counted) = 0;
  /// Before every execution. False if there were as many as are allowed.
  virtual bool count_execution() = 0;
  /// How many executions all explorers have begun, as far as is known here.
  virtual std::uint64_t executions() const = 0;

  /// Something was learnt that makes all executions so far void. \see Awaited
  virtual void begin_anew(const Awaited& awaited) = 0;
  /// Ends the search: whoever explores sees it before long.
  virtual void stop() = 0;
  virtual bool stops() const = 0;
};

}  // namespace mazurka::dpor
