#include "waiting/loop_oracle.hpp"

#include <algorithm>
#include <array>
#include <map>

#include <fmt/format.h>

#include "waiting/loop_machine.hpp"

namespace mazurka::waiting {
namespace {

enum class Waits : std::uint8_t { No, Queued, Woken };

struct ThreadState {
  std::uint16_t at = 0;
  Waits waits = Waits::No;
  std::array<std::uint8_t, Registers> registers{};
  auto operator<=>(const ThreadState&) const = default;
};

struct State {
  std::vector<ThreadState> threads;
  std::array<std::uint8_t, kPlain + 1> variables{};
  int holder = -1;  ///< of the mutex
  auto operator<=>(const State&) const = default;
};

class Search {
 public:
  Search(const Program& program, std::size_t most) : program_(program), most_(most) {
    for (const Code& code : program.threads) code_.push_back(translate(code));
  }

  std::optional<Behaviour> run() {
    State first;
    first.threads.resize(code_.size());
    for (std::size_t t = 0; t < code_.size(); ++t) go_to_step(first, t);
    visit(first);
    for (std::size_t i = 0; i < states_.size(); ++i) {
      if (states_.size() > most_) return std::nullopt;
      const State state = *states_[i];
      for (std::size_t t = 0; t < code_.size(); ++t)
        for (std::size_t choice = 0; choice < choices(state, t); ++choice)
          if (std::optional<State> next = step(state, t, choice)) {
            const std::size_t number = visit(*next);
            before_[number].push_back(i);
          }
    }
    return judge();
  }

 private:
  std::size_t visit(const State& state) {
    const auto [place, is_new] = numbers_.try_emplace(state, states_.size());
    if (is_new) {
      states_.push_back(&place->first);
      before_.emplace_back();
    }
    return place->second;
  }

  const Instruction& next_of(const State& state, std::size_t t) const { return code_[t][state.threads[t].at]; }

  /// Does what others do not see.
  void go_to_step(State& state, std::size_t t) const {
    ThreadState& thread = state.threads[t];
    for (;; ++thread.at) {
      const Instruction& next = code_[t][thread.at];
      std::uint8_t& x = thread.registers[next.x];
      const std::uint8_t y = thread.registers[next.y];
      bool jumps = false;
      switch (next.op) {
        case Op::Set: x = static_cast<std::uint8_t>(next.n); break;
        case Op::Copy: x = y; break;
        case Op::Increase: x = static_cast<std::uint8_t>(x < next.n ? x + 1 : x); break;
        case Op::Note: x = static_cast<std::uint8_t>((2 * x + y) & 7); break;
        case Op::Jump: jumps = true; break;
        case Op::Equal: jumps = x == next.n; break;
        case Op::Same: jumps = x == y; break;
        case Op::Assume:
        case Op::AssumeNot:
          if (fails(next, x)) return;
          break;
        default: return;
      }
      if (jumps) thread.at = static_cast<std::uint16_t>(next.to - 1);  // and one more
    }
  }

  static bool fails(const Instruction& assumption, std::uint8_t x) {
    return (x == assumption.n) != (assumption.op == Op::Assume);
  }

  /// Whether somebody has assumed what does not hold: nobody counts what comes of it.
  bool is_assumed_away(const State& state) const {
    for (std::size_t t = 0; t < code_.size(); ++t)
      if (const Op op = next_of(state, t).op; op == Op::Assume || op == Op::AssumeNot) return true;
    return false;
  }

  /// Who waits for a signal.
  static std::vector<std::size_t> queue(const State& state) {
    std::vector<std::size_t> result;
    for (std::size_t t = 0; t < state.threads.size(); ++t)
      if (state.threads[t].waits == Waits::Queued) result.push_back(t);
    return result;
  }

  std::size_t choices(const State& state, std::size_t t) const {
    return next_of(state, t).op == Op::Signal ? std::max<std::size_t>(1, queue(state).size()) : 1;
  }

  std::optional<State> step(const State& state, std::size_t t, std::size_t choice) const {
    State result = state;
    ThreadState& thread = result.threads[t];
    const Instruction& next = next_of(state, t);
    std::uint8_t& v = result.variables[static_cast<std::size_t>(next.v)];
    std::uint8_t& x = thread.registers[next.x];
    const std::uint8_t y = thread.registers[next.y];
    switch (next.op) {
      case Op::Load: x = v; break;
      case Op::Store: v = static_cast<std::uint8_t>(next.n); break;
      case Op::Add: x = v++; break;
      case Op::Exchange:
        x = v;
        v = y;
        break;
      case Op::ExchangeUnless:
        x = v;
        if (v != next.n) v = y;
        break;
      case Op::Compare:
        thread.registers[T] = v == x;
        if (v == x)
          v = y;
        else
          x = v;
        break;
      case Op::Lock:
        if (state.holder != -1) return std::nullopt;
        result.holder = static_cast<int>(t);
        break;
      case Op::Unlock: result.holder = -1; break;
      case Op::TryLock:
        x = state.holder != -1;
        if (state.holder == -1) result.holder = static_cast<int>(t);
        break;
      case Op::Enqueue:
        result.holder = -1;
        thread.waits = Waits::Queued;
        break;
      case Op::Leave:
        x = thread.waits == Waits::Queued;
        thread.waits = Waits::No;
        break;
      case Op::Signal:
        if (const std::vector<std::size_t> waiting = queue(state); !waiting.empty())
          result.threads[waiting[choice]].waits = Waits::Woken;
        break;
      case Op::Begin: return section(state, t);
      case Op::Broadcast:
        for (const std::size_t waiter : queue(state)) result.threads[waiter].waits = Waits::Woken;
        break;
      default: return std::nullopt;  // Done, or an assumption
    }
    ++thread.at;
    go_to_step(result, t);
    return result;
  }

  /// Where an assumption fails inside, nobody sees what came before it.
  std::optional<State> section(const State& state, std::size_t t) const {
    State result = state;
    ++result.threads[t].at;
    go_to_step(result, t);
    for (Op op = next_of(result, t).op; op != Op::End; op = next_of(result, t).op) {
      if (op == Op::Assume || op == Op::AssumeNot) {
        State cut = state;
        cut.threads[t] = result.threads[t];
        return cut;
      }
      result = *step(result, t, 0);
    }
    ++result.threads[t].at;
    go_to_step(result, t);
    return result;
  }

  bool is_end(const State& state) const {
    for (std::size_t t = 0; t < code_.size(); ++t)
      if (next_of(state, t).op != Op::Done) return false;
    return true;
  }

  std::string text_of(const State& state) const {
    std::string text;
    for (int i = 0; i < program_.variables; ++i)
      text += fmt::format("{} ", state.variables[static_cast<std::size_t>(i)]);
    text += fmt::format("{} ", state.variables[kPlain]);
    for (const ThreadState& thread : state.threads) {
      const auto& r = thread.registers;
      text += fmt::format("| {} {} {} {} ", r[A], r[B], r[K], r[Rounds]);
    }
    return text;
  }

  /// Whether a step that changes a variable lies on a cycle. States that can reach each other are found by Kosaraju's
  /// way: backwards, in the order in which a search forwards leaves them.
  bool has_endless_effects() const {
    std::vector<std::vector<std::size_t>> after(states_.size());
    for (std::size_t i = 0; i < states_.size(); ++i)
      for (const std::size_t j : before_[i]) after[j].push_back(i);
    std::vector<std::size_t> left;
    std::vector<std::size_t> next(states_.size());
    std::vector<bool> seen(states_.size());
    std::vector<std::size_t> path = {0};  // every state can be reached from the first
    seen[0] = true;
    while (!path.empty()) {
      const std::size_t i = path.back();
      if (next[i] == after[i].size()) {
        left.push_back(i);
        path.pop_back();
      } else if (const std::size_t j = after[i][next[i]++]; !seen[j]) {
        seen[j] = true;
        path.push_back(j);
      }
    }
    constexpr std::size_t kNoComponent = SIZE_MAX;
    std::vector<std::size_t> component(states_.size(), kNoComponent);
    for (auto root = left.rbegin(); root != left.rend(); ++root) {
      if (component[*root] != kNoComponent) continue;
      std::vector<std::size_t> todo = {*root};
      component[*root] = *root;
      while (!todo.empty()) {
        const std::size_t i = todo.back();
        todo.pop_back();
        for (const std::size_t j : before_[i])
          if (component[j] == kNoComponent) {
            component[j] = *root;
            todo.push_back(j);
          }
      }
    }
    for (std::size_t i = 0; i < states_.size(); ++i)
      for (const std::size_t j : after[i])
        if (component[i] == component[j] && states_[i]->variables != states_[j]->variables) return true;
    return false;
  }

  /// A deadlock: no end can be reached any more, nor an assumption that does not hold.
  Behaviour judge() const {
    Behaviour result;
    result.endless = has_endless_effects();
    std::vector<std::size_t> todo;
    std::vector<bool> can_end(states_.size());
    for (std::size_t i = 0; i < states_.size(); ++i)
      if (is_end(*states_[i])) {
        result.ends.insert(text_of(*states_[i]));
        can_end[i] = true;
        todo.push_back(i);
      } else if (is_assumed_away(*states_[i])) {
        can_end[i] = true;
        todo.push_back(i);
      }
    while (!todo.empty()) {
      const std::size_t i = todo.back();
      todo.pop_back();
      for (const std::size_t j : before_[i])
        if (!can_end[j]) {
          can_end[j] = true;
          todo.push_back(j);
        }
    }
    result.deadlock = std::find(can_end.begin(), can_end.end(), false) != can_end.end();
    return result;
  }

  const Program& program_;
  std::size_t most_;
  std::vector<std::vector<Instruction>> code_;
  std::map<State, std::size_t> numbers_;
  std::vector<const State*> states_;
  std::vector<std::vector<std::size_t>> before_;
};

}  // namespace

std::optional<Behaviour> behaviour(const Program& program, std::size_t most_states) {
  return Search(program, most_states).run();
}

}  // namespace mazurka::waiting
