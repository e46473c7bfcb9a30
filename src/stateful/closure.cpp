#include "stateful/closure.hpp"

#include <algorithm>

namespace mazurka::stateful {

std::uint32_t Closure::close(const View& view, ActionId b, const Word* awake, std::uint32_t limit) {
  std::fill(closure_.begin(), closure_.end(), 0);
  work_.clear();
  std::uint32_t size = 0;
  const auto add = [&](SparseSet actions) {
    for (const SparseWord& word : actions) {
      const Word fresh = word.bits & ~closure_[word.word];
      if (fresh == 0) continue;
      closure_[word.word] |= fresh;
      size += static_cast<std::uint32_t>(std::popcount(fresh & awake[word.word]));
      for_each_bit_of_word(word.word, fresh, [&](ActionId a) { work_.push_back(a); });
    }
  };
  add(facts_->out(view.row(facts_->client(b))));
  add(facts_->out(view.row(facts_->server(b))));
  while (!work_.empty() && size < limit) {
    const ActionId a = work_.back();
    work_.pop_back();
    if (view.client_ready(a)) add(facts_->server_predecessors(view.at(facts_->server(a)), a));
    if (view.server_ready(a)) add(facts_->client_predecessors(view.at(facts_->client(a)), a));
  }
  return std::min(size, limit);
}

const std::vector<Word>& Closure::closure(const View& view, ActionId b) {
  close(view, b, closure_.data(), UINT32_MAX);
  return closure_;
}

void Closure::min_closure(const View& view, const std::vector<Word>& awake, std::vector<Word>& source) {
  source = awake;
  std::uint32_t smallest = count_bits(awake);
  ComponentId last_client = 0;
  ComponentId last_server = 0;
  bool first = true;
  for_each_bit(awake, [&](ActionId b) {
    if (smallest <= 1) return;  // no closure of an awake action is smaller
    // The closure depends on the two processes of b only.
    if (!first && facts_->client(b) == last_client && facts_->server(b) == last_server) return;
    first = false;
    last_client = facts_->client(b);
    last_server = facts_->server(b);
    const std::uint32_t size = close(view, b, awake.data(), smallest);
    if (size >= smallest) return;
    smallest = size;
    for (std::uint32_t w = 0; w < source.size(); ++w) source[w] = closure_[w] & awake[w];
  });
}

void Closure::lex_closure(const View& view, const std::vector<Word>& awake, std::vector<Word>& source) {
  source = awake;
  for (std::uint32_t w = 0; w < view.words(); ++w) {
    if (view.enabled(w) == 0) continue;
    const auto b = w * kWordBits + static_cast<std::uint32_t>(std::countr_zero(view.enabled(w)));
    closure(view, b);
    for (std::uint32_t i = 0; i < source.size(); ++i) source[i] = closure_[i] & awake[i];
    return;
  }
}

}  // namespace mazurka::stateful
