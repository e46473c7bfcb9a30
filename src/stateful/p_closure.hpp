// p-closure(s, b) and p-set(s, b), Def. 38 of *Revisiting Stateful POR*: the least set R of processes that contains
// dom(b) and, with p, every process that may share an action with p's future from s_p. The enabled actions within R are
// a persistent set (Lemma 40). The paper leaves the choice of b open; we take the first b whose p-set minus the sleep
// set is smallest.
#pragma once

#include <vector>

#include "stateful/view.hpp"

namespace mazurka::stateful {

class PClosure {
 public:
  explicit PClosure(const LocalFacts& facts) : facts_(&facts), closure_(facts.process_words()) {}

  /// p-closure(s, b) as a set of processes; valid until the next call.
  const std::vector<Word>& closure(const View& view, ActionId b);

  /// Sets `source` to the smallest p-set of an awake action, without sleeping actions.
  void smallest_p_set(const View& view, const std::vector<Word>& awake, std::vector<Word>& source);

 private:
  const LocalFacts* facts_;
  std::vector<Word> closure_;
  std::vector<ComponentId> work_;
  std::vector<Word> candidate_;
};

}  // namespace mazurka::stateful
