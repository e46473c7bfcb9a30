// closure(s, b), Def. 36 of *Revisiting Stateful POR*: the least set C of actions that
//   - contains every action for which one of the two processes of b is ready in s, and
//   - contains with b every c such that one process of b is ready for b and the other can do c first:
//     dom(b) = {p, q}, s_p -b->, s_q -c-> ->* -b-> implies c ∈ C.
// If b is enabled, closure(s, b) ∩ enabled(s) is a covering source set (Lemma 37).
//
// MinClosure and LexClosure are Listing 4. MinClosure compares sizes after removing the sleep set; ties go to the first
// action. A closure that reaches the size of the best one so far is abandoned, which does not change the result.
#pragma once

#include <vector>

#include "stateful/view.hpp"

namespace mazurka::stateful {

class Closure {
 public:
  explicit Closure(const LocalFacts& facts) : facts_(&facts), closure_(facts.action_words()) {}

  /// closure(s, b) as a set of actions; valid until the next call.
  const std::vector<Word>& closure(const View& view, ActionId b);

  /// `awake` is enabled(s) minus the sleep set; the result replaces `source`.
  void min_closure(const View& view, const std::vector<Word>& awake, std::vector<Word>& source);
  void lex_closure(const View& view, const std::vector<Word>& awake, std::vector<Word>& source);

 private:
  /// Returns |closure ∩ awake|, or `limit` as soon as it is reached.
  std::uint32_t close(const View& view, ActionId b, const Word* awake, std::uint32_t limit);

  const LocalFacts* facts_;
  std::vector<Word> closure_;
  std::vector<ActionId> work_;
};

}  // namespace mazurka::stateful
