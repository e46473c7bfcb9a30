#include "stateful/rpifs.hpp"

namespace mazurka::stateful {

bool rpifs(const View& view, const std::vector<Word>& b) {
  const LocalFacts& facts = view.facts();
  std::vector<Word> grown = b;
  std::vector<ActionId> work;
  for_each_bit(b, [&](ActionId a) { work.push_back(a); });
  const auto follow = [&](ComponentId p, ActionId d, bool of_client) {
    const LocationId target = facts.network().successor(p, view.at(p), d);
    for (const SparseWord& word : facts.reach(facts.row(p, target))) {
      const Word fresh = word.bits & view.partners_ready(of_client)[word.word] & ~grown[word.word];
      grown[word.word] |= fresh;
      for_each_bit_of_word(word.word, fresh, [&](ActionId a) { work.push_back(a); });
    }
  };
  while (!work.empty()) {
    const ActionId d = work.back();
    work.pop_back();
    if (view.client_ready(d)) follow(facts.client(d), d, true);
    if (view.server_ready(d)) follow(facts.server(d), d, false);
  }
  std::vector<Word> dom(facts.process_words());
  for_each_bit(grown, [&](ActionId a) {
    set_bit(dom.data(), facts.client(a));
    set_bit(dom.data(), facts.server(a));
  });
  bool wraps = true;
  for (std::uint32_t w = 0; w < view.words(); ++w)
    for_each_bit_of_word(w, view.enabled(w), [&](ActionId e) {
      wraps = wraps && (has_bit(dom.data(), facts.client(e)) || has_bit(dom.data(), facts.server(e)));
    });
  return wraps;
}

}  // namespace mazurka::stateful
