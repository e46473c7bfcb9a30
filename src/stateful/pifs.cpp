#include "stateful/pifs.hpp"

#include <algorithm>

namespace mazurka::stateful {

Pifs::Pifs(const LocalFacts& facts)
    : facts_(&facts), b_(facts.action_words()), dom_(facts.process_words()), unwrapped_(facts.action_words()) {
  const auto last = static_cast<ComponentId>(facts.network().components().size() - 1);
  followed_.assign(facts.row(last, facts.network().location_count(last)), 0);
}

void Pifs::start(const View& view) {
  std::fill(b_.begin(), b_.end(), 0);
  std::fill(dom_.begin(), dom_.end(), 0);
  work_.clear();
  waiting_.clear();
  unwrapped_words_ = 0;
  for (std::uint32_t w = 0; w < unwrapped_.size(); ++w) {
    unwrapped_[w] = view.enabled(w);
    if (unwrapped_[w] != 0) ++unwrapped_words_;
  }
  if (++call_ == 0) {
    std::fill(followed_.begin(), followed_.end(), 0);
    call_ = 1;
  }
}

void Pifs::cover(ComponentId p) {
  if (has_bit(dom_.data(), p)) return;
  set_bit(dom_.data(), p);
  for (const SparseWord& word : facts_->alphabet(p)) {
    Word& rest = unwrapped_[word.word];
    if (rest == 0) continue;
    rest &= ~word.bits;
    if (rest == 0) --unwrapped_words_;
  }
}

void Pifs::add(ActionId a) {
  set_bit(b_.data(), a);
  work_.push_back(a);
  cover(facts_->client(a));
  cover(facts_->server(a));
}

void Pifs::take(const View& view, SparseSet actions, bool of_client) {
  const Word* ready = view.partners_ready(of_client);
  for (const SparseWord& word : actions)
    for_each_bit_of_word(word.word, word.bits & ready[word.word] & ~b_[word.word], [&](ActionId a) { add(a); });
}

void Pifs::follow(const View& view, ComponentId p, ActionId d) {
  const bool of_client = p == facts_->client(d);
  const std::uint32_t row = facts_->row(p, facts_->network().successor(p, view.at(p), d));
  if (followed_[row] == call_) return;
  followed_[row] = call_;
  for (const LocalFacts::Triples& triples : facts_->triples(row)) {
    if (subset(facts_->set(triples.over), dom_.data()))
      take(view, facts_->set(triples.actions), of_client);
    else
      waiting_.push_back({&triples, of_client});
  }
}

bool Pifs::run(const View& view) {
  while (unwrapped_words_ != 0) {
    if (!work_.empty()) {
      const ActionId d = work_.back();
      work_.pop_back();
      if (view.client_ready(d)) follow(view, facts_->client(d), d);
      if (view.server_ready(d)) follow(view, facts_->server(d), d);
      continue;
    }
    // Nothing new to follow: dom(B) may have grown enough for postponed triples.
    for (std::size_t i = 0; i < waiting_.size();) {
      if (!subset(facts_->set(waiting_[i].triples->over), dom_.data())) {
        ++i;
        continue;
      }
      take(view, facts_->set(waiting_[i].triples->actions), waiting_[i].of_client);
      waiting_[i] = waiting_.back();
      waiting_.pop_back();
    }
    if (work_.empty()) return false;
  }
  return true;
}

bool Pifs::test(const View& view, const Word* b) {
  // Most calls end here: every enabled action outside B shares a process with one in B.
  const auto wrapped = [&](ActionId e) {
    return intersects(facts_->alphabet(facts_->client(e)), b) || intersects(facts_->alphabet(facts_->server(e)), b);
  };
  bool all = true;
  for (std::uint32_t w = 0; w < view.words() && all; ++w)
    for_each_bit_of_word(w, view.enabled(w) & ~b[w], [&](ActionId e) { all = all && wrapped(e); });
  if (all) return true;
  start(view);
  for_each_bit(std::span(b, view.words()), [&](ActionId a) { add(a); });
  return run(view);
}

Pifs::Answer Pifs::test_one(const View& view, ActionId b) {
  start(view);
  add(b);
  if (run(view)) return {true, 0};
  return {false, count_bits(b_)};
}

}  // namespace mazurka::stateful
