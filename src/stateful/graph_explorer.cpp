#include "stateful/graph_explorer.hpp"

#include <algorithm>
#include <stdexcept>

#include "core/interrupt.hpp"

namespace mazurka::stateful {

GraphExplorer::GraphExplorer(const network::Product& product, const LocalFacts& facts, const Algorithm& algorithm,
                             GraphExplorerOptions options)
    : product_(&product),
      facts_(&facts),
      algorithm_(algorithm),
      options_(options),
      nodes_(product.layout().words(), facts.action_words()),
      state_(product.initial()),
      view_(facts, product.layout(), state_.data()),
      closure_(facts),
      p_closure_(facts),
      pifs_(facts),
      choose_action_(pifs_),
      ifs_(product),
      explored_(facts.action_words()),
      sleep_(facts.action_words()),
      handed_on_(facts.action_words()),
      awake_(facts.action_words()),
      source_(facts.action_words()) {}

void GraphExplorer::run(const std::function<void(const GraphStatistics&)>& progress) {
  constexpr std::uint64_t kPollInterval = 1U << 12;
  create(0, 0, nodes_.hash(state_.data()), sleep_.data());
  for (std::uint64_t explored = 0; !waiting_.empty(); ++explored) {
    statistics_.waiting = waiting_.size();
    if (explored % kPollInterval == 0) {
      if (interrupted()) return;
      if (progress) progress(statistics_);
    }
    if (statistics_.nodes() > options_.max_nodes) return;
    const NodeId n = waiting_.back();
    waiting_.pop_back();
    explore(n);
  }
  statistics_.waiting = 0;
  complete_ = true;
}

/// ChooseClosure, then ChooseAction for all its actions: the choices in order.
void GraphExplorer::choose() {
  for (std::uint32_t w = 0; w < view_.words(); ++w) awake_[w] = view_.enabled(w) & ~explored_[w];
  switch (algorithm_.source) {
    case Source::Enabled: source_ = awake_; break;
    case Source::PSet: p_closure_.smallest_p_set(view_, awake_, source_); break;
    case Source::LexClosure: closure_.lex_closure(view_, awake_, source_); break;
    case Source::MinClosure: closure_.min_closure(view_, awake_, source_); break;
  }
  choices_.clear();
  for_each_bit(source_, [&](ActionId a) { choices_.push_back(a); });
  if (algorithm_.choice == Choice::Pifs) choose_action_.sort(view_, choices_);
}

/// Lines 6 to 19, without the recursion.
void GraphExplorer::explore(NodeId n) {
  const std::uint64_t* state = nodes_.state(n);
  view_.load(state_.data(), state);
  std::copy_n(state, state_.size(), state_.data());
  if (const Word* sleep = nodes_.sleep(n))
    std::copy_n(sleep, explored_.size(), explored_.data());
  else
    std::fill(explored_.begin(), explored_.end(), 0);
  const std::size_t first_edge = edges_.size();
  choose();
  for (ActionId a : choices_) follow(n, a);

  if (choices_.empty()) {
    if (view_.any_enabled()) {
      ++statistics_.blocked;
      blocked_[n] = true;
    } else {
      ++statistics_.terminal;
      if (view_.any_client_ready()) deadlocks_.push_back(n);
    }
  }
  if (!options_.keep_edges) return;
  if (edges_.size() > UINT32_MAX) throw std::length_error("more than 4,294,967,295 edges: the limit of one graph");
  edge_ranges_[n] = {static_cast<std::uint32_t>(first_edge), static_cast<std::uint32_t>(edges_.size() - first_edge)};
}

/// Lines 10 to 18 for one action.
void GraphExplorer::follow(NodeId n, ActionId a) {
  const ComponentId client = facts_->client(a);
  const ComponentId server = facts_->server(a);
  const View::Undo before = view_.take(a);
  product_->layout().set(state_.data(), client, view_.at(client));
  product_->layout().set(state_.data(), server, view_.at(server));

  sleep_ = explored_;
  remove(sleep_.data(), facts_->dependents(client));
  remove(sleep_.data(), facts_->dependents(server));
  set_bit(explored_.data(), a);
  // Without sleep sets a node stands for its state alone; the test still uses what was explored before a.
  const std::vector<Word>& handed_on = algorithm_.sleep ? sleep_ : handed_on_;

  const std::uint64_t hash = nodes_.hash(state_.data());
  if (const NodeId target = nodes_.find_subsuming(state_.data(), hash, handed_on.data()); target != kNoNode) {
    ++statistics_.subsumed;
    link(a, target);
  } else if (test(sleep_.data())) {
    link(a, nodes_.size());
    create(n, a, hash, handed_on.data());
  } else {
    ++statistics_.refused;
  }
  view_.undo(a, before);
  product_->layout().set(state_.data(), client, before.client);
  product_->layout().set(state_.data(), server, before.server);
}

/// Line 14. The view is at s'; `sleep` is Sl - Da.
bool GraphExplorer::test(const Word* sleep) {
  if (algorithm_.test == Test::None) return true;
  for (std::uint32_t w = 0; w < view_.words(); ++w) awake_[w] = view_.enabled(w) & ~sleep[w];
  return algorithm_.test == Test::Pifs ? pifs_.test(view_, awake_.data()) : ifs_.test(state_.data(), awake_);
}

void GraphExplorer::create(NodeId parent, ActionId action, std::uint64_t hash, const Word* sleep) {
  const NodeId n = nodes_.add(state_.data(), hash, sleep);
  ++statistics_.created;
  found_by_.push_back({action, parent});
  blocked_.push_back(false);
  if (options_.keep_edges) edge_ranges_.emplace_back();
  waiting_.push_back(n);
}

void GraphExplorer::link(ActionId a, NodeId target) {
  ++statistics_.edges;
  if (options_.keep_edges) edges_.push_back({a, target});
}

std::vector<ActionId> GraphExplorer::run_to(NodeId n) const {
  std::vector<ActionId> run;
  for (; n != 0; n = found_by_[n].target) run.push_back(found_by_[n].action);
  std::reverse(run.begin(), run.end());
  return run;
}

std::size_t GraphExplorer::bytes() const {
  return nodes_.bytes() + blocked_.capacity() / 8 + edges_.capacity() * sizeof(Edge) +
         edge_ranges_.capacity() * sizeof(EdgeRange) + found_by_.capacity() * sizeof(Edge) +
         (waiting_.capacity() + deadlocks_.capacity()) * sizeof(NodeId);
}

}  // namespace mazurka::stateful
