// Small programs with loops that wait, as trees: one function writes them as C, another one runs them by itself.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace mazurka::waiting {

/// In C, with v and w for variables, c and d for values, m for the mutex, and the thread's locals a, b and k. Loops
/// with `…` may yield in every round. But for StoreWhile, no loop without a bound can go on having effects for ever.
enum class Kind : std::uint8_t {
  // Without loops.
  Store,   ///< v = c
  Add,     ///< a = v++
  Load,    ///< a = v
  If,      ///< if (a == c) { body }
  Repeat,  ///< for (int j = 0; j < 2; ++j) { body }
  Locked,  ///< lock(m); body; unlock(m)
  Try,     ///< remembers in b whether trylock(m) failed; unlock(m) if not
  // One location.
  Wait,            ///< while (v != c) …
  WaitWhile,       ///< while (v == c) …
  WaitCounted,     ///< while (v != c) if (k < 2) ++k
  TestAndSet,      ///< while (exchange(v, 1) != 0) …
  TestTestAndSet,  ///< do { while (v != 0) … } while (exchange(v, 1) != 0)
  CompareSet,      ///< for (e = c; !compare_exchange(v, e, d); e = c) …
  CompareAdd,      ///< for (e = v; !compare_exchange(v, e, e + 1);) …
  ExchangeWhile,   ///< while (exchange(v, c) == d) …
  ExchangeOther,   ///< for (o = c + 1; exchange(v, o) == d; o = d) …
  ExchangeFrom,    ///< for (o = d; exchange(v, o) == d; o = c);
  // Several.
  WaitBoth,     ///< while (!(v == c && w == d)) …
  WaitEither,   ///< while (v != c && w != d) …
  WaitAndLook,  ///< while (v != c) a = w
  Nested,       ///< while (v != c) while (w != d) …
  // With effects, but for so many rounds only.
  BoundedAdd,       ///< for (i = 0; i < 2 && v != c; ++i) ++w
  BoundedStore,     ///< for (i = 0; i < 2 && v != c; ++i) w = d
  BoundedAllocate,  ///< for (i = 0; i < 2 && v != c; ++i) free(malloc(8))
  // Beside code without instrumentation: it has a counter, and keeps a value.
  WaitUnseen,      ///< while (v != c) if (rounds < 2) ++rounds
  ExchangeHidden,  ///< hidden = c; while (exchange(v, hidden) == d) …
  WaitHidden,      ///< hidden = a; a = 0; while (v != hidden) …
  // Beside plain memory of its own that is not on its stack.
  WaitPlain,   ///< while (v != c) if (rounds < 2) ++rounds
  WaitStored,  ///< kept = a; a = 0; while (v != kept && w != d) …
  // With a mutex, and a variable p that is not atomic.
  LockedStore,  ///< lock(m); p = c; unlock(m)
  LockedLook,   ///< do { lock(m); r = p; unlock(m); … } while (r != c)
  LockedCount,  ///< do { lock(m); r = p; if (rounds < 2) ++rounds; unlock(m) } while (r != c)
  LockedTake,   ///< do { lock(m); r = p; if (r == 0) p = 1; unlock(m); … } while (r != 0)
  LockAndLook,  ///< do { lock(m); r = v; unlock(m) } while (r != c)
  TryUntil,     ///< while (trylock(m) fails) …; body; unlock(m)
  // Assumptions about what was just read: the thread never goes on if they do not hold.
  Assume,          ///< assume(v == c)
  AssumeExchange,  ///< assume(exchange(v, c) == d)
  AssumeKept,      ///< rounds = v; assume(rounds == c)
  AssumeBoth,      ///< a = v; assume(w == d && a == c)
  AwaitLoad,       ///< a = load_await(v, == c)
  AwaitExchange,   ///< a = xchg_await(v, d, != c)
  // With effects in every round: it may go on for ever.
  StoreWhile,  ///< while (v == c) v = c
  // With a condition variable q, and a time-out.
  Signal,        ///< signal(q)
  Broadcast,     ///< broadcast(q)
  TimedOnce,     ///< lock(m); remembers in b whether timedwait(q, m) timed out; unlock(m)
  TimedLook,     ///< lock(m); while (p != c) timedwait(q, m); unlock(m)
  TimedPoll,     ///< do { lock(m); r = p; if (r != c) timedwait(q, m); unlock(m); … } while (r != c)
  TimedFlag,     ///< while (v != c) { lock(m); timedwait(q, m); unlock(m); … }
  TimedCount,    ///< lock(m); while (p != c) { timedwait(q, m); if (rounds < 2) ++rounds; } unlock(m)
  TimedCounted,  ///< lock(m); while (p != c) if (timedwait(q, m) timed out && k < 2) ++k; unlock(m)
  // Every second round is another.
  WaitInTurns,  ///< while (v != c) k = !k
  LookInTurns,  ///< while (v != c) if ((k = !k)) a = w
  Section,      ///< atomic_begin(); body, without loops that wait; atomic_end()
  Count,
};

struct Statement {
  Kind kind = Kind::Store;
  int v = 0;
  int w = 0;
  int c = 0;
  int d = 0;
  bool yields = false;
  bool called = false;  ///< the loop is in a function that all threads share
  std::vector<Statement> body{};
};

using Code = std::vector<Statement>;

struct Program {
  std::uint64_t number = 0;
  int variables = 2;
  std::vector<Code> threads;
};

/// For programs with sections, beside what others do.
inline constexpr Kind kKindsWithSections[] = {
    Kind::Load,    Kind::Add,     Kind::If,      Kind::Repeat,  Kind::Locked,     Kind::Try,      Kind::Wait,
    Kind::Section, Kind::Section, Kind::Section, Kind::Section, Kind::TestAndSet, Kind::WaitBoth, Kind::LockedStore};

/// The program with this number, the same for ever; it has only kinds of this set.
Program random_program(std::uint64_t number, std::span<const Kind> kinds);

/// The functions of one program.
std::string program_text(const Program& program);

/// A source file with these programs: the first argument says by its number which one to run. At its end a program
/// prints its variables, p, and what each thread has: `1 0 0 | 1 0 0 0 | 0 0 2 0`.
std::string source_text(std::span<const Program> programs);

}  // namespace mazurka::waiting
