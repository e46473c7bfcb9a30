// PIFS(s, B), Def. 33 and Listing 3 of *Revisiting Stateful POR*: may B include the first set of a maximal run from s?
// B grows by every action c such that one process q of c is ready for it, and its other process p can reach it from s_p
// by some d ∈ B followed by actions over dom(B) only. The answer is yes if dom(B) wraps enabled(s), that is, intersects
// the domain of every enabled action. IFS(s, B) implies PIFS(s, B) (Lemma 34).
//
// The least fixed point is computed with a worklist, which stops early once dom(B) wraps enabled(s), like the listing.
#pragma once

#include <vector>

#include "stateful/view.hpp"

namespace mazurka::stateful {

class Pifs {
 public:
  explicit Pifs(const LocalFacts& facts);

  /// \pre `b` is a set of enabled actions.
  bool test(const View& view, const Word* b);

  /// aPIFS(s, {b}) of Listing 5: the answer and, if it is no, the size of the computed set B.
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
  std::vector<Word> unwrapped_;  // enabled actions whose domain does not intersect dom(B)
  std::uint32_t unwrapped_words_ = 0;
  std::vector<ActionId> work_;
  std::vector<Waiting> waiting_;
  std::vector<std::uint32_t> followed_;  // by row: the last call that followed it
  std::uint32_t call_ = 0;
};

}  // namespace mazurka::stateful
