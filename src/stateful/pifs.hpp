// PIFS(s, B), Def. 33 and Listing 3 of *Revisiting Stateful POR*: may B include the first set of a maximal run from s?
// B grows by every action c for which its one process q is ready and which its other process p can reach from s_p by
// some d ∈ B and then actions over dom(B) only; the answer is yes when dom(B) wraps enabled(s), that is, meets the
// domain of every enabled action. IFS(s, B) implies PIFS(s, B) (Lemma 34).
//
// The least fixed point is computed with a worklist. The listing stops early when dom(B) wraps enabled(s); so do we.
#pragma once

#include <vector>

#include "stateful/view.hpp"

namespace mazurka::stateful {

class Pifs {
 public:
  explicit Pifs(const LocalFacts& facts);

  /// `b` must be a set of enabled actions.
  bool test(const View& view, const Word* b);

  /// aPIFS(s, {b}) of Listing 5: the answer and, if it is no, the size of the set B computed.
  struct Answer {
    bool wraps;
    std::uint32_t size;
  };
  Answer test_one(const View& view, ActionId b);

 private:
  struct Waiting {
    const LocalFacts::Triples* triples;
    bool of_client;
  };

  void start(const View& view);
  void add(ActionId a);
  void cover(ComponentId p);
  void follow(const View& view, ComponentId p, ActionId d);
  void take(const View& view, SparseSet actions, bool of_client);
  bool run(const View& view);

  const LocalFacts* facts_;
  std::vector<Word> b_;          // B
  std::vector<Word> dom_;        // dom(B)
  std::vector<Word> unwrapped_;  // enabled actions whose domain dom(B) does not meet
  std::uint32_t unwrapped_words_ = 0;
  std::vector<ActionId> work_;
  std::vector<Waiting> waiting_;
  std::vector<std::uint32_t> followed_;  // by row: the number of the call that followed it
  std::uint32_t call_ = 0;
};

}  // namespace mazurka::stateful
