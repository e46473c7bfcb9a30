#include "stateful/p_closure.hpp"

#include <algorithm>

namespace mazurka::stateful {

const std::vector<Word>& PClosure::closure(const View& view, ActionId b) {
  std::fill(closure_.begin(), closure_.end(), 0);
  work_.assign({facts_->client(b), facts_->server(b)});
  for (ComponentId p : work_) set_bit(closure_.data(), p);
  while (!work_.empty()) {
    const ComponentId p = work_.back();
    work_.pop_back();
    for (const SparseWord& word : facts_->partners(view.row(p))) {
      const Word fresh = word.bits & ~closure_[word.word];
      closure_[word.word] |= fresh;
      for_each_bit_of_word(word.word, fresh, [&](ComponentId q) { work_.push_back(q); });
    }
  }
  return closure_;
}

void PClosure::smallest_p_set(const View& view, const std::vector<Word>& awake, std::vector<Word>& source) {
  source = awake;
  std::uint32_t smallest = count_bits(awake);
  std::vector<Word>& candidate = candidate_;
  std::vector<Word> seen(facts_->process_words());  // clients whose p-closure was computed: all their actions share it
  for_each_bit(awake, [&](ActionId b) {
    // The p-closure of b's client alone contains dom(b), so it is the p-closure of b.
    if (smallest <= 1 || has_bit(seen.data(), facts_->client(b))) return;
    set_bit(seen.data(), facts_->client(b));
    closure(view, b);
    candidate.assign(awake.size(), 0);
    std::uint32_t size = 0;
    for_each_bit(awake, [&](ActionId a) {
      if (!has_bit(closure_.data(), facts_->client(a)) || !has_bit(closure_.data(), facts_->server(a))) return;
      set_bit(candidate.data(), a);
      ++size;
    });
    if (size >= smallest) return;
    smallest = size;
    source = candidate;
  });
}

}  // namespace mazurka::stateful
