#include "waiting/loop_machine.hpp"

#include <optional>
#include <utility>

namespace mazurka::waiting {
namespace {

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
      case Section:
        emit({Op::Begin});
        add(s.body);
        emit({Op::End});
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
      case WaitInTurns:
      case LookInTurns: {
        load(T, s.v);
        const std::size_t seen = if_equal(T, s.c);
        const std::size_t odd = if_equal(K, 0);
        set(K, 0);
        jump(begin);
        land(odd);
        set(K, 1);
        if (s.kind == LookInTurns) load(A, s.w);
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

}  // namespace

std::vector<Instruction> translate(const Code& code) { return Translator().translate(code); }

}  // namespace mazurka::waiting
