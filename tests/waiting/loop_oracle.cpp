#include "waiting/loop_oracle.hpp"

#include <algorithm>
#include <array>
#include <map>

#include <fmt/format.h>

namespace mazurka::waiting {
namespace {

/// Of a thread. The first four are part of the final state.
enum Register : std::uint8_t { A, B, K, Rounds, Hidden, T, E, I, J, Registers };

constexpr int kPlain = 3;  // the variable that is not atomic

struct Instruction {
  enum class Op : std::uint8_t {
    // Seen by others; each is one step.
    Load,            ///< x = v
    Store,           ///< v = n
    Add,             ///< x = v, v += 1
    Exchange,        ///< x = v, v = y
    ExchangeUnless,  ///< x = v, v = y if v != n
    Compare,         ///< if v == x: v = y, t = 1; else x = v, t = 0
    Lock,
    Unlock,
    TryLock,  ///< x = 0 if it is locked now, 1 otherwise
    Enqueue,  ///< unlocks, and waits for a signal
    Leave,    ///< x = 1 if there was none so far
    Signal,   ///< to one of those who wait
    Broadcast,
    // Not seen.
    Set,        ///< x = n
    Copy,       ///< x = y
    Increase,   ///< if x < n: x += 1
    Note,       ///< x = (2 x + y) mod 8
    Jump,       ///< to n
    Equal,      ///< to `to`, if x == n
    Same,       ///< to `to`, if x == y
    Assume,     ///< never goes on unless x == n
    AssumeNot,  ///< never goes on if x == n
    Done,
  };
  Op op;
  int v = 0;
  Register x = A;
  Register y = A;
  int n = 0;
  std::size_t to = 0;
};
using Op = Instruction::Op;

class Translator {
 public:
  std::vector<Instruction> translate(const Code& code) {
    add(code);
    emit({Op::Done});
    return std::move(out_);
  }

 private:
  std::size_t here() const { return out_.size(); }
  std::size_t emit(Instruction instruction) {
    out_.push_back(instruction);
    return out_.size() - 1;
  }
  void load(Register x, int v) { emit({Op::Load, v, x}); }
  void set(Register x, int n) { emit({Op::Set, 0, x, A, n}); }
  void jump(std::size_t to) { emit({Op::Jump, 0, A, A, 0, to}); }
  /// The instruction jumps to where land() is called.
  std::size_t if_equal(Register x, int n) { return emit({Op::Equal, 0, x, A, n}); }
  void if_equal(Register x, int n, std::size_t to) { emit({Op::Equal, 0, x, A, n, to}); }
  void land(std::size_t from) { out_[from].to = here(); }

  void add(const Code& code) {
    for (const Statement& statement : code) add(statement);
  }

  /// x = timedwait(q, m) != 0
  void timed_wait(Register x) {
    emit({Op::Enqueue});
    emit({Op::Leave, 0, x});
    emit({Op::Lock});
  }

  /// for (i = 0; i < 2 && v != c; ++i) effect
  void bounded(const Statement& s, std::optional<Instruction> effect) {
    set(I, 0);
    const std::size_t begin = here();
    const std::size_t enough = if_equal(I, 2);
    load(T, s.v);
    const std::size_t seen = if_equal(T, s.c);
    if (effect) emit(*effect);
    emit({Op::Increase, 0, I, A, 2});
    jump(begin);
    land(enough);
    land(seen);
  }

  void add(const Statement& s) {
    using enum Kind;
    const std::size_t begin = here();
    switch (s.kind) {
      case Kind::Store: emit({Op::Store, s.v, A, A, s.c}); break;
      case Kind::Add: emit({Op::Add, s.v, A}); break;
      case Kind::Load: load(A, s.v); break;
      case If: {
        const std::size_t then = if_equal(A, s.c);
        const std::size_t otherwise = emit({Op::Jump});
        land(then);
        add(s.body);
        land(otherwise);
        break;
      }
      case Repeat: {
        set(J, 0);
        const std::size_t again = here();
        add(s.body);
        emit({Op::Increase, 0, J, A, 2});
        const std::size_t out = if_equal(J, 2);
        jump(again);
        land(out);
        break;
      }
      case Locked:
        emit({Op::Lock});
        add(s.body);
        emit({Op::Unlock});
        break;
      case Try: {
        emit({Op::TryLock, 0, T});
        emit({Op::Note, 0, B, T});
        const std::size_t failed = if_equal(T, 1);
        emit({Op::Unlock});
        land(failed);
        break;
      }
      case Wait:
      case WaitCounted:
      case WaitUnseen:
      case WaitPlain:
      case WaitAndLook: {
        load(T, s.v);
        const std::size_t seen = if_equal(T, s.c);
        if (s.kind == WaitCounted) emit({Op::Increase, 0, K, A, 2});
        if (s.kind == WaitUnseen || s.kind == WaitPlain) emit({Op::Increase, 0, Rounds, A, 2});
        if (s.kind == WaitAndLook) load(A, s.w);
        jump(begin);
        land(seen);
        break;
      }
      case WaitWhile:
        load(T, s.v);
        if_equal(T, s.c, begin);
        break;
      case TestAndSet: {
        set(E, 1);
        emit({Op::Exchange, s.v, T, E});
        const std::size_t taken = if_equal(T, 0);
        jump(begin);
        land(taken);
        break;
      }
      case TestTestAndSet: {
        load(T, s.v);
        const std::size_t free = if_equal(T, 0);
        jump(begin);
        land(free);
        set(E, 1);
        emit({Op::Exchange, s.v, T, E});
        const std::size_t taken = if_equal(T, 0);
        jump(begin);
        land(taken);
        break;
      }
      case CompareSet:
        set(E, s.c);
        set(I, s.d);
        emit({Op::Compare, s.v, E, I});
        if_equal(T, 0, begin);
        break;
      case CompareAdd: {
        load(E, s.v);
        const std::size_t again = here();
        emit({Op::Copy, 0, I, E});
        emit({Op::Increase, 0, I, A, 1000});
        emit({Op::Compare, s.v, E, I});
        if_equal(T, 0, again);
        break;
      }
      case ExchangeWhile:
        set(E, s.c);
        emit({Op::Exchange, s.v, T, E});
        if_equal(T, s.d, begin);
        break;
      case ExchangeOther: {
        set(E, s.c + 1);
        const std::size_t again = here();
        emit({Op::Exchange, s.v, T, E});
        set(E, s.d);
        if_equal(T, s.d, again);
        break;
      }
      case ExchangeFrom: {
        set(E, s.d);
        const std::size_t again = here();
        emit({Op::Exchange, s.v, T, E});
        set(E, s.c);
        if_equal(T, s.d, again);
        break;
      }
      case Kind::Assume:
      case AwaitLoad:
      case AssumeKept: {
        const Register x = s.kind == AwaitLoad ? A : s.kind == AssumeKept ? Rounds : T;
        load(x, s.v);
        emit({Op::Assume, 0, x, A, s.c});
        break;
      }
      case AssumeExchange:
        set(E, s.c);
        emit({Op::Exchange, s.v, T, E});
        emit({Op::Assume, 0, T, A, s.d});
        break;
      case AssumeBoth:
        load(A, s.v);
        load(T, s.w);
        emit({Op::Assume, 0, T, A, s.d});
        emit({Op::Assume, 0, A, A, s.c});
        break;
      case AwaitExchange:
        set(E, s.d);
        emit({Op::ExchangeUnless, s.v, A, E, s.c});
        emit({Op::AssumeNot, 0, A, A, s.c});
        break;
      case StoreWhile: {
        load(T, s.v);
        const std::size_t same = if_equal(T, s.c);
        const std::size_t other = emit({Op::Jump});
        land(same);
        emit({Op::Store, s.v, A, A, s.c});
        jump(begin);
        land(other);
        break;
      }
      case WaitBoth: {
        load(T, s.v);
        const std::size_t first = if_equal(T, s.c);
        jump(begin);
        land(first);
        load(T, s.w);
        const std::size_t second = if_equal(T, s.d);
        jump(begin);
        land(second);
        break;
      }
      case WaitEither: {
        load(T, s.v);
        const std::size_t first = if_equal(T, s.c);
        load(T, s.w);
        const std::size_t second = if_equal(T, s.d);
        jump(begin);
        land(first);
        land(second);
        break;
      }
      case Nested: {
        load(T, s.v);
        const std::size_t out = if_equal(T, s.c);
        const std::size_t inner = here();
        load(T, s.w);
        if_equal(T, s.d, begin);
        jump(inner);
        land(out);
        break;
      }
      case BoundedAdd: bounded(s, Instruction{Op::Add, s.w, T}); break;
      case BoundedStore: bounded(s, Instruction{Op::Store, s.w, A, A, s.d}); break;
      case BoundedAllocate: bounded(s, std::nullopt); break;
      case ExchangeHidden: {
        set(Hidden, s.c);
        const std::size_t again = here();
        emit({Op::Exchange, s.v, T, Hidden});
        if_equal(T, s.d, again);
        break;
      }
      case WaitHidden: {
        emit({Op::Copy, 0, Hidden, A});
        set(A, 0);
        const std::size_t again = here();
        load(T, s.v);
        const std::size_t same = emit({Op::Same, 0, T, Hidden});
        jump(again);
        land(same);
        break;
      }
      case WaitStored: {
        emit({Op::Copy, 0, Hidden, A});
        set(A, 0);
        const std::size_t again = here();
        load(T, s.v);
        const std::size_t same = emit({Op::Same, 0, T, Hidden});
        load(T, s.w);
        const std::size_t seen = if_equal(T, s.d);
        jump(again);
        land(same);
        land(seen);
        break;
      }
      case LockedStore:
        emit({Op::Lock});
        emit({Op::Store, kPlain, A, A, s.c});
        emit({Op::Unlock});
        break;
      case LockedLook:
      case LockedCount:
      case LockedTake: {
        emit({Op::Lock});
        load(T, kPlain);
        if (s.kind == LockedCount) emit({Op::Increase, 0, Rounds, A, 2});
        if (s.kind == LockedTake) {
          const std::size_t free = if_equal(T, 0);
          const std::size_t taken = emit({Op::Jump});
          land(free);
          emit({Op::Store, kPlain, A, A, 1});
          land(taken);
        }
        emit({Op::Unlock});
        const std::size_t seen = if_equal(T, s.kind == LockedTake ? 0 : s.c);
        jump(begin);
        land(seen);
        break;
      }
      case LockAndLook:
        emit({Op::Lock});
        load(T, s.v);
        emit({Op::Unlock});
        {
          const std::size_t seen = if_equal(T, s.c);
          jump(begin);
          land(seen);
        }
        break;
      case Kind::Signal: emit({Op::Signal}); break;
      case Kind::Broadcast: emit({Op::Broadcast}); break;
      case TimedOnce:
        emit({Op::Lock});
        timed_wait(T);
        emit({Op::Note, 0, B, T});
        emit({Op::Unlock});
        break;
      case TimedLook:
      case TimedCount:
      case TimedCounted: {
        emit({Op::Lock});
        const std::size_t again = here();
        load(T, kPlain);
        const std::size_t seen = if_equal(T, s.c);
        timed_wait(T);
        if (s.kind == TimedCount) emit({Op::Increase, 0, Rounds, A, 2});
        if (s.kind == TimedCounted) {
          if_equal(T, 0, again);
          emit({Op::Increase, 0, K, A, 2});
        }
        jump(again);
        land(seen);
        emit({Op::Unlock});
        break;
      }
      case TimedPoll: {
        emit({Op::Lock});
        load(E, kPlain);
        const std::size_t seen = if_equal(E, s.c);
        timed_wait(T);
        emit({Op::Unlock});
        jump(begin);
        land(seen);
        emit({Op::Unlock});
        break;
      }
      case TimedFlag: {
        load(T, s.v);
        const std::size_t seen = if_equal(T, s.c);
        emit({Op::Lock});
        timed_wait(T);
        emit({Op::Unlock});
        jump(begin);
        land(seen);
        break;
      }
      case TryUntil:
        emit({Op::TryLock, 0, T});
        if_equal(T, 1, begin);
        add(s.body);
        emit({Op::Unlock});
        break;
      case Count: break;
    }
  }

  std::vector<Instruction> out_;
};

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
    for (const Code& code : program.threads) code_.push_back(Translator().translate(code));
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
      case Op::Broadcast:
        for (const std::size_t waiter : queue(state)) result.threads[waiter].waits = Waits::Woken;
        break;
      default: return std::nullopt;  // Done, or an assumption
    }
    ++thread.at;
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
    constexpr std::size_t kNone = SIZE_MAX;
    std::vector<std::size_t> component(states_.size(), kNone);
    for (auto root = left.rbegin(); root != left.rend(); ++root) {
      if (component[*root] != kNone) continue;
      std::vector<std::size_t> todo = {*root};
      component[*root] = *root;
      while (!todo.empty()) {
        const std::size_t i = todo.back();
        todo.pop_back();
        for (const std::size_t j : before_[i])
          if (component[j] == kNone) {
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
