#include <fmt/format.h>

#include "waiting/loop_program.hpp"

namespace mazurka::waiting {
namespace {

/// The functions are loops of threads that call them, the last four what the tool cannot see.
constexpr const char* kPrelude = R"(#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

void mazurka_assume(int condition);
void mazurka_atomic_begin(void);
void mazurka_atomic_end(void);
int __VERIFIER_load_await_aint(atomic_int* v, int condition, int value);
int __VERIFIER_xchg_await_aint(atomic_int* v, int desired, int condition, int value);
#define EQUAL 2
#define DIFFERENT 5
#define CALLED static __attribute__((noinline, unused))
#define UNSEEN static __attribute__((noinline, unused, no_sanitize("thread")))
CALLED void wait_for(atomic_int* v, int c) { while (atomic_load(v) != c); }
CALLED void wait_while(atomic_int* v, int c) { while (atomic_load(v) == c); }
CALLED void take(atomic_int* v) { while (atomic_exchange(v, 1) != 0); }
CALLED void wait_for_both(atomic_int* v, int c, atomic_int* w, int d) {
  while (!(atomic_load(v) == c && atomic_load(w) == d));
}
CALLED void compare_set(atomic_int* v, int c, int d) {
  for (int e = c; !atomic_compare_exchange_strong(v, &e, d); e = c);
}
CALLED void exchange_from(atomic_int* v, int first, int then, int d) {
  for (int o = first; atomic_exchange(v, o) == d; o = then);
}
UNSEEN void count_round(int* rounds) { if (*rounds < 2) ++*rounds; }
UNSEEN void hide(int* place, int value) { *place = value; }
UNSEEN int hidden(const int* place) { return *place; }
static const struct timespec soon __attribute__((unused)) = {1800000000, 0};
CALLED void exchange_hidden(atomic_int* v, const int* place, int d) {
  while (atomic_exchange(v, hidden(place)) == d);
}
)";

class Writer {
 public:
  explicit Writer(const Program& program) : program_(program) {}

  /// The variables are not static: a compiler may know too much of one that nobody writes.
  std::string write() {
    text_ = fmt::format(
        "\natomic_int v{0}[{1}];\nstatic int rounds{0}[3], hidden{0}[3];\nint p{0};\nstatic pthread_mutex_t "
        "m{0} = PTHREAD_MUTEX_INITIALIZER;\nstatic pthread_cond_t q{0} __attribute__((unused)) = "
        "PTHREAD_COND_INITIALIZER;\n",
        program_.number, program_.variables);
    for (thread_ = 0; thread_ < program_.threads.size(); ++thread_) {
      text_ +=
          fmt::format("static void* thread{}_{}(void* p) {{\n  int a = 0, b = 0, k = 0;\n", program_.number, thread_);
      write(program_.threads[thread_], 1);
      text_ += "  return (void*)(long)(a | b << 8 | k << 16);\n}\n";
    }
    write_main();
    return text_;
  }

 private:
  void write_main() {
    const std::size_t threads = program_.threads.size();
    text_ += fmt::format("static int program{}(void) {{\n  pthread_t t[3];\n  void* r[3];\n", program_.number);
    for (std::size_t t = 0; t < threads; ++t)
      text_ += fmt::format("  pthread_create(&t[{0}], 0, thread{1}_{0}, 0);\n", t, program_.number);
    for (std::size_t t = 0; t < threads; ++t) text_ += fmt::format("  pthread_join(t[{0}], &r[{0}]);\n", t);
    text_ +=
        fmt::format("  for (int i = 0; i < {}; ++i) printf(\"%d \", v{}[i]);\n", program_.variables, program_.number);
    text_ += fmt::format("  printf(\"%d \", p{});\n", program_.number);
    text_ += fmt::format(
        "  for (int i = 0; i < {}; ++i)\n    printf(\"| %ld %ld %ld %d \", (long)r[i] & 255, (long)r[i] >> 8 & "
        "255, (long)r[i] >> 16, rounds{}[i]);\n  return 0;\n}}\n",
        threads, program_.number);
  }

  void write(const Code& code, int depth) {
    for (const Statement& statement : code) {
      const std::string indent(static_cast<std::size_t>(depth) * 2, ' ');
      text_ += indent + text_of(statement) + "\n";
      if (statement.body.empty()) continue;
      write(statement.body, depth + 1);
      text_ += indent + end_of(statement.kind) + "\n";
    }
  }

  std::string text_of(const Statement& s) const {
    using enum Kind;
    const std::string v = fmt::format("&v{}[{}]", program_.number, s.v);
    const std::string w = fmt::format("&v{}[{}]", program_.number, s.w);
    const std::string m = fmt::format("&m{}", program_.number);
    const std::string rounds = fmt::format("&rounds{}[{}]", program_.number, thread_);
    const std::string hidden = fmt::format("&hidden{}[{}]", program_.number, thread_);
    const char* rest = s.yields ? "sched_yield();" : ";";
    const std::string bounded = fmt::format("for (int i = 0; i < 2 && atomic_load({}) != {}; ++i)", v, s.c);
    const auto called = [&](const std::string& call, const std::string& loop) { return s.called ? call : loop; };
    const std::string p = fmt::format("p{}", program_.number);
    const std::string lock = fmt::format("pthread_mutex_lock({});", m);
    const std::string unlock = fmt::format("pthread_mutex_unlock({});", m);
    const std::string timed_wait = fmt::format("pthread_cond_timedwait(&q{}, {}, &soon)", program_.number, m);
    const auto looks = [&](int awaited, const std::string& then) {
      return fmt::format(
          "for (int r = {2} + 1; r != {2};) {{ pthread_mutex_lock({0}); r = {1}; {3} pthread_mutex_unlock({0}); {4} }}",
          m, p, awaited, then, rest);
    };
    switch (s.kind) {
      case Store: return fmt::format("atomic_store({}, {});", v, s.c);
      case Add: return fmt::format("a = atomic_fetch_add({}, 1);", v);
      case Load: return fmt::format("a = atomic_load({});", v);
      case If: return fmt::format("if (a == {}) {{", s.c);
      case Repeat: return "for (int j = 0; j < 2; ++j) {";
      case Locked: return fmt::format("pthread_mutex_lock({});", m);
      case Section: return "mazurka_atomic_begin();";
      case Try:
        return fmt::format(
            "{{ int failed = pthread_mutex_trylock({0}) != 0; b = (b * 2 + failed) & 7; if (!failed) "
            "pthread_mutex_unlock({0}); }}",
            m);
      case Wait:
        return called(fmt::format("wait_for({}, {});", v, s.c),
                      fmt::format("while (atomic_load({}) != {}) {}", v, s.c, rest));
      case WaitWhile:
        return called(fmt::format("wait_while({}, {});", v, s.c),
                      fmt::format("while (atomic_load({}) == {}) {}", v, s.c, rest));
      case WaitCounted: return fmt::format("while (atomic_load({}) != {}) if (k < 2) ++k;", v, s.c);
      case WaitInTurns: return fmt::format("while (atomic_load({}) != {}) k = !k;", v, s.c);
      case LookInTurns:
        return fmt::format("while (atomic_load({}) != {}) if ((k = !k)) a = atomic_load({});", v, s.c, w);
      case TestAndSet:
        return called(fmt::format("take({});", v), fmt::format("while (atomic_exchange({}, 1) != 0) {}", v, rest));
      case TestTestAndSet:
        return fmt::format("do {{ while (atomic_load({0}) != 0) {1} }} while (atomic_exchange({0}, 1) != 0);", v, rest);
      case CompareSet:
        return called(fmt::format("compare_set({}, {}, {});", v, s.c, s.d),
                      fmt::format("for (int e = {1}; !atomic_compare_exchange_strong({0}, &e, {2}); e = {1}) {3}", v,
                                  s.c, s.d, rest));
      case CompareAdd:
        return fmt::format("for (int e = atomic_load({0}); !atomic_compare_exchange_strong({0}, &e, e + 1);) {1}", v,
                           rest);
      case ExchangeWhile: return fmt::format("while (atomic_exchange({}, {}) == {}) {}", v, s.c, s.d, rest);
      case ExchangeOther:
        return fmt::format("for (int o = {1} + 1; atomic_exchange({0}, o) == {2}; o = {2}) {3}", v, s.c, s.d, rest);
      case ExchangeFrom: return fmt::format("exchange_from({0}, {2}, {1}, {2});", v, s.c, s.d);
      case Assume: return fmt::format("mazurka_assume(atomic_load({}) == {});", v, s.c);
      case AssumeExchange: return fmt::format("mazurka_assume(atomic_exchange({}, {}) == {});", v, s.c, s.d);
      case AssumeKept: return fmt::format("*({2}) = atomic_load({0}); mazurka_assume(*({2}) == {1});", v, s.c, rounds);
      case AssumeBoth:
        return fmt::format("a = atomic_load({}); mazurka_assume(atomic_load({}) == {} && a == {});", v, w, s.d, s.c);
      case AwaitLoad: return fmt::format("a = __VERIFIER_load_await_aint({}, EQUAL, {});", v, s.c);
      case AwaitExchange: return fmt::format("a = __VERIFIER_xchg_await_aint({}, {}, DIFFERENT, {});", v, s.d, s.c);
      case StoreWhile: return fmt::format("while (atomic_load({0}) == {1}) atomic_store({0}, {1});", v, s.c);
      case WaitBoth:
        return called(
            fmt::format("wait_for_both({}, {}, {}, {});", v, s.c, w, s.d),
            fmt::format("while (!(atomic_load({}) == {} && atomic_load({}) == {})) {}", v, s.c, w, s.d, rest));
      case WaitEither:
        return fmt::format("while (atomic_load({}) != {} && atomic_load({}) != {}) {}", v, s.c, w, s.d, rest);
      case WaitAndLook: return fmt::format("while (atomic_load({}) != {}) a = atomic_load({});", v, s.c, w);
      case Nested:
        return fmt::format("while (atomic_load({}) != {}) while (atomic_load({}) != {}) {}", v, s.c, w, s.d, rest);
      case BoundedAdd: return fmt::format("{} atomic_fetch_add({}, 1);", bounded, w);
      case BoundedStore: return fmt::format("{} atomic_store({}, {});", bounded, w, s.d);
      case BoundedAllocate: return bounded + " { char* volatile p = malloc(8); free(p); }";
      case WaitUnseen: return fmt::format("while (atomic_load({}) != {}) count_round({});", v, s.c, rounds);
      case ExchangeHidden:
        return fmt::format("hide({}, {}); ", hidden, s.c) +
               called(fmt::format("exchange_hidden({}, {}, {});", v, hidden, s.d),
                      fmt::format("while (atomic_exchange({}, hidden({})) == {}) {}", v, hidden, s.d, rest));
      case WaitHidden:
        return fmt::format("hide({1}, a); a = 0; while (atomic_load({0}) != hidden({1})) {2}", v, hidden, rest);
      case WaitPlain: return fmt::format("while (atomic_load({0}) != {1}) if (*({2}) < 2) ++*({2});", v, s.c, rounds);
      case WaitStored:
        return fmt::format("*({1}) = a; a = 0; while (atomic_load({0}) != *({1}) && atomic_load({2}) != {3}) {4}", v,
                           hidden, w, s.d, rest);
      case LockedStore: return fmt::format("pthread_mutex_lock({0}); {1} = {2}; pthread_mutex_unlock({0});", m, p, s.c);
      case LockedLook: return looks(s.c, "");
      case LockedCount: return looks(s.c, fmt::format("if (*({0}) < 2) ++*({0});", rounds));
      case LockedTake: return looks(0, fmt::format("if (r == 0) {} = 1;", p));
      case LockAndLook:
        return fmt::format(
            "for (int r = {2} + 1; r != {2};) {{ pthread_mutex_lock({0}); r = atomic_load({1}); "
            "pthread_mutex_unlock({0}); {3} }}",
            m, v, s.c, rest);
      case Signal: return fmt::format("pthread_cond_signal(&q{});", program_.number);
      case Broadcast: return fmt::format("pthread_cond_broadcast(&q{});", program_.number);
      case TimedOnce: return fmt::format("{} b = (b * 2 + ({} != 0)) & 7; {}", lock, timed_wait, unlock);
      case TimedLook: return fmt::format("{} while ({} != {}) {}; {}", lock, p, s.c, timed_wait, unlock);
      case TimedPoll:
        return fmt::format("for (int r = {0} + 1; r != {0};) {{ {1} r = {2}; if (r != {0}) {3}; {4} {5} }}", s.c, lock,
                           p, timed_wait, unlock, rest);
      case TimedFlag:
        return fmt::format("while (atomic_load({}) != {}) {{ {} {}; {} {} }}", v, s.c, lock, timed_wait, unlock, rest);
      case TimedCount:
        return fmt::format("{0} while ({1} != {2}) {{ {3}; if (*({4}) < 2) ++*({4}); }} {5}", lock, p, s.c, timed_wait,
                           rounds, unlock);
      case TimedCounted:
        return fmt::format("{} while ({} != {}) if ({} != 0 && k < 2) ++k; {}", lock, p, s.c, timed_wait, unlock);
      case TryUntil: return fmt::format("while (pthread_mutex_trylock({}) != 0) {}", m, rest);
      case Count: break;
    }
    return "";
  }

  std::string end_of(Kind kind) const {
    if (kind == Kind::Section) return "mazurka_atomic_end();";
    return kind == Kind::Locked || kind == Kind::TryUntil ? fmt::format("pthread_mutex_unlock(&m{});", program_.number)
                                                          : "}";
  }

  const Program& program_;
  std::size_t thread_ = 0;
  std::string text_;
};

}  // namespace

std::string program_text(const Program& program) { return Writer(program).write(); }

std::string source_text(std::span<const Program> programs) {
  std::string text = kPrelude;
  for (const Program& program : programs) text += program_text(program);
  text += "\nint main(int argc, char** argv) {\n  switch (argc > 1 ? atoi(argv[1]) : -1) {\n";
  for (const Program& program : programs) text += fmt::format("    case {0}: return program{0}();\n", program.number);
  return text + "  }\n  return 2;\n}\n";
}

}  // namespace mazurka::waiting
