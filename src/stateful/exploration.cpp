#include "stateful/exploration.hpp"

#include <algorithm>
#include <stdexcept>

#include "core/interrupt.hpp"

namespace mazurka::stateful {

Exploration::Exploration(const network::Product& product, const LocalFacts& facts, const Algorithm& algorithm,
                         ExplorationOptions options)
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
      awake_(facts.action_words()),
      sleep_(facts.action_words()),
      first_(facts.action_words()) {}

void Exploration::run(const std::function<void(const ExplorationStatistics&)>& progress) {
  constexpr std::uint64_t kPollInterval = 1U << 12;
  open(nodes_.add(state_.data(), nodes_.hash(state_.data()), sleep_.data()), sleep_.data());
  for (std::uint64_t polled = 0; !stack_.empty();) {
    if (statistics_.nodes >= polled + kPollInterval) {
      polled = statistics_.nodes;
      if (interrupted()) return;
      if (progress) progress(statistics_);
    }
    if (statistics_.nodes > options_.max_nodes) return;
    if (stack_.back().next == stack_.back().end)
      close();
    else
      advance();
  }
  complete_ = true;
}

/// ChooseClosure, and ChooseAction for all that it returns: the choices of the frame about to be opened.
void Exploration::choose(const Word* sleep) {
  for (std::uint32_t w = 0; w < view_.words(); ++w) awake_[w] = view_.enabled(w) & ~sleep[w];
  const std::size_t begin = choices_.size();
  switch (algorithm_.source) {
    case Source::Enabled:
      source_ = awake_;
      break;
    case Source::PSet:
      p_closure_.smallest_p_set(view_, awake_, source_);
      break;
    case Source::LexClosure:
      closure_.lex_closure(view_, awake_, source_);
      break;
    case Source::MinClosure:
      closure_.min_closure(view_, awake_, source_);
      break;
  }
  for_each_bit(source_, [&](ActionId a) { choices_.push_back(a); });
  if (algorithm_.choice == Choice::Pifs) choose_action_.sort(view_, std::span(choices_).subspan(begin));
}

/// Line 6: Explore(n). The view is at s(n).
void Exploration::open(NodeId node, const Word* sleep) {
  const std::size_t level = stack_.size();
  const auto begin = static_cast<std::uint32_t>(choices_.size());
  choose(sleep);
  const auto end = static_cast<std::uint32_t>(choices_.size());
  explored_.resize((level + 1) * view_.words());
  std::copy_n(sleep, view_.words(), explored(level));
  stack_.push_back({node, begin, end});
  statistics_.depth = std::max(statistics_.depth, stack_.size());
  ++statistics_.nodes;
  dead_.push_back(false);
  open_edges_begin_.push_back(open_edges_.size());
  if (options_.count_paths) {
    if (open_paths_.size() < stack_.size()) open_paths_.emplace_back();
    open_paths_[level].clear();
  }
  if (begin == end) record_terminal();
}

/// A node without choices: a terminal state, or a blocked node.
void Exploration::record_terminal() {
  for (std::uint32_t w = 0; w < view_.words(); ++w)
    if (view_.enabled(w) != 0) {
      ++statistics_.blocked;
      return;
    }
  stack_.back().dead = false;
  ++statistics_.terminal;
  if (options_.count_paths) open_paths_[stack_.size() - 1] += 1;
  if (none({view_.partners_ready(false), view_.words()})) return;  // no client has anything left to do
  ++statistics_.deadlocks;
  if (deadlock_runs_.size() >= options_.max_deadlock_runs) return;
  auto& run = deadlock_runs_.emplace_back();
  for (std::size_t i = 0; i + 1 < stack_.size(); ++i) run.push_back(stack_[i].taken);
}

/// Line 14. The view is at s'; `sleep` is Sl - Da.
bool Exploration::test(const Word* sleep) {
  if (algorithm_.test == Test::None) return true;
  for (std::uint32_t w = 0; w < view_.words(); ++w) first_[w] = view_.enabled(w) & ~sleep[w];
  return algorithm_.test == Test::Pifs ? pifs_.test(view_, first_.data()) : ifs_.test(state_.data(), first_);
}

/// One turn of the loop in lines 9 to 18.
void Exploration::advance() {
  Frame& frame = stack_.back();
  const std::size_t level = stack_.size() - 1;
  const ActionId a = choices_[frame.next++];
  const ComponentId client = facts_->client(a);
  const ComponentId server = facts_->server(a);
  frame.taken = a;
  frame.undo = view_.take(a);
  product_->layout().set(state_.data(), client, view_.at(client));
  product_->layout().set(state_.data(), server, view_.at(server));

  std::copy_n(explored(level), view_.words(), sleep_.data());
  remove(sleep_.data(), facts_->dependents(client));
  remove(sleep_.data(), facts_->dependents(server));
  set_bit(explored(level), a);

  const std::uint64_t hash = nodes_.hash(state_.data());
  NodeId target = kNoNode;
  if (algorithm_.sleep) {
    target = nodes_.find_subsuming(state_.data(), hash, sleep_.data());
    if (target == kNoNode && test(sleep_.data())) {
      open(nodes_.add(state_.data(), hash, sleep_.data()), sleep_.data());
      return;
    }
  } else {
    // Without sleep sets a node stands for its state alone; the test still looks at what was explored before a.
    first_.assign(first_.size(), 0);
    target = nodes_.find_subsuming(state_.data(), hash, first_.data());
    if (target == kNoNode && test(sleep_.data())) {
      std::fill(sleep_.begin(), sleep_.end(), 0);
      open(nodes_.add(state_.data(), hash, sleep_.data()), sleep_.data());
      return;
    }
  }
  if (target == kNoNode) {
    ++statistics_.refused;
  } else {
    ++statistics_.subsumed;
    link(a, target);
  }
  view_.undo(a, frame.undo);
  product_->layout().set(state_.data(), client, frame.undo.client);
  product_->layout().set(state_.data(), server, frame.undo.server);
}

void Exploration::link(ActionId action, NodeId target) {
  ++statistics_.edges;
  if (!dead_[target]) {
    ++statistics_.live_edges;
    stack_.back().dead = false;
    if (options_.count_paths) paths_.add_to(open_paths_[stack_.size() - 1], target);
  }
  if (options_.keep_edges) open_edges_.push_back({action, target});
}

/// Line 19, and back to the loop of the node below.
void Exploration::close() {
  const Frame frame = stack_.back();
  const std::size_t level = stack_.size() - 1;
  dead_[frame.node] = frame.dead;
  if (frame.dead) ++statistics_.dead;
  if (options_.count_paths) paths_.set(frame.node, open_paths_[level]);
  if (options_.keep_edges) {
    const std::size_t begin = open_edges_begin_.back();
    const std::size_t count = open_edges_.size() - begin;
    if (edges_.size() + count > UINT32_MAX)
      throw std::length_error("more than 4,294,967,295 edges: beyond what one graph can number");
    edge_ranges_.resize(std::max<std::size_t>(edge_ranges_.size(), std::size_t{frame.node} + 1));
    edge_ranges_[frame.node] = {static_cast<std::uint32_t>(edges_.size()), static_cast<std::uint32_t>(count)};
    edges_.insert(edges_.end(), open_edges_.begin() + static_cast<std::ptrdiff_t>(begin), open_edges_.end());
    open_edges_.resize(begin);
  }
  open_edges_begin_.pop_back();
  stack_.pop_back();
  if (stack_.empty()) return;
  const Frame& below = stack_.back();
  choices_.resize(below.end);
  view_.undo(below.taken, below.undo);
  product_->layout().set(state_.data(), facts_->client(below.taken), below.undo.client);
  product_->layout().set(state_.data(), facts_->server(below.taken), below.undo.server);
  link(below.taken, frame.node);
}

BigNatural Exploration::paths() const {
  BigNatural count;
  if (complete_) paths_.add_to(count, 0);
  return count;
}

std::size_t Exploration::bytes() const {
  return nodes_.bytes() + dead_.capacity() / 8 + edges_.capacity() * sizeof(Edge) +
         edge_ranges_.capacity() * sizeof(EdgeRange) + paths_.bytes() + explored_.capacity() * sizeof(Word) +
         stack_.capacity() * sizeof(Frame) + choices_.capacity() * sizeof(ActionId);
}

}  // namespace mazurka::stateful
