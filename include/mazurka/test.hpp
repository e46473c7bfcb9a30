// Checks a closure in a unit test: explores every interleaving of its threads, each from the state at the call.
//
//   #include <gtest/gtest.h>        // or Catch2, or doctest, or none of them; before this header
//   #include <mazurka/test.hpp>
//
//   TEST(Counter, counts) {
//     mazurka::check([] {
//       Counter counter;
//       std::thread other([&] { counter.add(1); });
//       counter.add(1);
//       other.join();
//       EXPECT_EQ(counter.value(), 2);
//     });
//   }
//
// A check that finds a bug fails the test, with the report as its message. A check that does not explore everything
// skips the test (GoogleTest, Catch2) or fails it as incomplete. The closure must join all threads that it creates. Its
// changes to memory and files are undone. mazurka::explore does the same, but only returns the result.
//
// If the test is built by another compiler than `mazurka c++`, the closure just runs once. Needs C++17.
#ifndef MAZURKA_TEST_HPP
#define MAZURKA_TEST_HPP

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <ostream>
#include <sstream>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#ifdef MAZURKA_EXPLORER  // defined by `mazurka c++`
#include <mazurka/closure.h>
#include <mazurka/mazurka.h>

// Tells the runtime that this program has closures to explore.
extern "C" __attribute__((weak, visibility("default"), used)) const char mazurka_has_closures;
const char mazurka_has_closures = 1;
#elif !defined(MAZURKA_H)
// <mazurka/mazurka.h> without the runtime: nothing is explored, and choices are 0.
#define MAZURKA_H
inline unsigned mazurka_choose(unsigned) { return 0; }
inline void mazurka_assume(int condition) {
  if (condition == 0) std::abort();
}
inline void mazurka_atomic_begin() {}
inline void mazurka_atomic_end() {}
inline void mazurka_yield() {}
inline void mazurka_goal(const char*) {}
inline void mazurka_reached(const char*) {}
namespace mazurka {
inline unsigned choose(unsigned) { return 0; }
inline void assume(bool condition) { mazurka_assume(condition ? 1 : 0); }
inline void yield() {}
inline void goal(const char*) {}
inline void reached(const char*) {}
struct AtomicSection {
  AtomicSection() {}
  ~AtomicSection() {}
};
}  // namespace mazurka
#endif

namespace mazurka {

/// Options of the exploration. The defaults are those of `mazurka check`.
struct Options {
  double time_limit = 0;                  ///< seconds; 0: none
  unsigned long long max_executions = 0;  ///< 0: no limit
  unsigned max_threads = 0;               ///< 0: no limit
  bool strict = false;                    ///< leaks and unreached goals are bugs
  bool spurious_wakeups = false;          ///< condition waits may wake up without a signal
  bool keep_going = false;                ///< report all distinct bugs, not only the first
  std::string algorithm;                  ///< optimal, unfolding, random, …
  std::vector<std::string> more;          ///< other options of `mazurka check`, as "--name=value"

  std::vector<std::string> words() const {
    std::vector<std::string> result;
    const auto add = [&](const char* name, const auto& value) {
      std::ostringstream text;
      text << "--" << name << "=" << value;
      result.push_back(text.str());
    };
    if (time_limit > 0) add("time-limit", time_limit);
    if (max_executions > 0) add("max-executions", max_executions);
    if (max_threads > 0) add("max-threads", max_threads);
    if (strict) result.emplace_back("--strict");
    if (spurious_wakeups) result.emplace_back("--spurious-wakeups");
    if (keep_going) result.emplace_back("--keep-going");
    if (!algorithm.empty()) add("algorithm", algorithm);
    result.insert(result.end(), more.begin(), more.end());
    return result;
  }
};

enum class Verdict {
  Ok,  ///< everything was explored and nothing fails
  Bug,
  Error,       ///< the closure could not be explored: the report says why
  Incomplete,  ///< no bug, but a limit was reached: nothing is proved
};

/// The result of an exploration. Converts to true if the verdict is Ok; prints as the report.
class Exploration {
 public:
  Exploration() = default;

  explicit operator bool() const { return verdict_ == Verdict::Ok; }
  Verdict verdict() const { return verdict_; }
  bool ok() const { return verdict_ == Verdict::Ok; }
  bool incomplete() const { return verdict_ == Verdict::Incomplete; }
  /// Whether every execution was explored.
  bool complete() const { return complete_; }
  unsigned long long executions() const { return executions_; }
  unsigned long long blocked() const { return blocked_; }
  unsigned long long failed_executions() const { return errors_; }
  /// The number of goals (mazurka_goal) that no execution reached.
  unsigned long long goals_missed() const { return goals_missed_; }
  double seconds() const { return seconds_; }
  const std::string& report() const { return report_; }

  friend std::ostream& operator<<(std::ostream& out, const Exploration& result) { return out << result.report_; }

#ifdef MAZURKA_EXPLORER
  explicit Exploration(const mazurka_explored& explored)
      : verdict_(static_cast<Verdict>(explored.verdict)),
        complete_(explored.complete != 0),
        executions_(explored.executions),
        blocked_(explored.blocked),
        errors_(explored.errors),
        goals_missed_(explored.goals_missed),
        seconds_(explored.seconds),
        report_(explored.report == nullptr ? "" : explored.report) {}
#else
  /// The result of just running the closure, which proves nothing and passes the test.
  static Exploration ran_once() {
    Exploration result;
    result.executions_ = 1;
    result.report_ = "ran once: not built by mazurka c++, so nothing was explored\n";
    return result;
  }
#endif

 private:
  Verdict verdict_ = Verdict::Ok;
  bool complete_ = false;
  unsigned long long executions_ = 0;
  unsigned long long blocked_ = 0;
  unsigned long long errors_ = 0;
  unsigned long long goals_missed_ = 0;
  double seconds_ = 0;
  std::string report_;
};

namespace detail {

/// The adapter of a test framework: `prepare` makes failed assertions fail the execution, `report` passes or fails the
/// test.
struct Framework {
  void (*prepare)();
  void (*report)(const Exploration& result, const char* file, int line);
  bool shards;  ///< the framework selects the tests of a shard itself
};

inline int number_in(const char* variable, int otherwise) {
  const char* const text = std::getenv(variable);
  return text == nullptr || *text == 0 ? otherwise : std::atoi(text);
}

/// Whether the next check belongs to this shard, if TEST_TOTAL_SHARDS says that there are several.
inline bool is_in_shard() {
  static int checks = 0;
  const int total = number_in("TEST_TOTAL_SHARDS", 1);
  return total <= 1 || checks++ % total == number_in("TEST_SHARD_INDEX", 0);
}

/// The number of incomplete checks. They fail their test if the framework cannot skip a running test.
inline unsigned long long& incomplete_checks() {
  static unsigned long long checks = 0;
  return checks;
}

/// To be called after all tests: if only incomplete checks failed, prints the line by which CTest counts the run as
/// skipped.
inline void conclude_incomplete(unsigned long long failed) {
  if (incomplete_checks() == 0 || failed != incomplete_checks()) return;
  std::printf("mazurka: incomplete: nothing fails, but not everything was explored\n");
  std::fflush(stdout);
}

template <class Closure>
Exploration explore(const Options& options, Closure&& closure, void (*prepare)()) {
#ifdef MAZURKA_EXPLORER
  const std::vector<std::string> words = options.words();
  std::vector<const char*> pointers;
  for (const std::string& word : words) pointers.push_back(word.c_str());
  pointers.push_back(nullptr);
  struct Call {
    Closure& closure;  // may be a function
  } call{closure};
  mazurka_exploration what{};
  what.closure = [](void* argument) { static_cast<Call*>(argument)->closure(); };
  what.argument = &call;
  what.options = pointers.data();
  what.explorer = MAZURKA_EXPLORER;
  what.prepare = prepare;
  mazurka_explored explored{};
  mazurka_explore(&what, &explored);
  Exploration result(explored);
  std::free(explored.report);
  return result;
#else
  (void)options;
  (void)prepare;
  closure();
  return Exploration::ran_once();
#endif
}

}  // namespace detail
}  // namespace mazurka

// The adapter of the framework whose header was included before. It has internal linkage, since other files of the same
// program may use another framework or none.
#if defined(GOOGLETEST_INCLUDE_GTEST_GTEST_H_) || defined(GTEST_INCLUDE_GTEST_GTEST_H_)
#include <mazurka/frameworks/googletest.hpp>
#elif defined(CATCH_VERSION_MAJOR) || defined(TWOBLUECUBES_SINGLE_INCLUDE_CATCH_HPP_INCLUDED) || \
    defined(CATCH_TEST_MACROS_HPP_INCLUDED)
#include <mazurka/frameworks/catch2.hpp>
#elif defined(DOCTEST_VERSION)
#include <mazurka/frameworks/doctest.hpp>
#else
#include <mazurka/frameworks/none.hpp>
#endif

namespace mazurka {

/// Explores the closure: executes at least one representative of every class of equivalent interleavings.
template <class Closure>
[[nodiscard]] Exploration explore(const Options& options, Closure&& closure) {
  return detail::explore(options, std::forward<Closure>(closure), detail::framework.prepare);
}
template <class Closure>
[[nodiscard]] Exploration explore(Closure&& closure) {
  return explore(Options{}, std::forward<Closure>(closure));
}

/// Explores the closure, and passes, fails or skips the test accordingly.
template <class Closure>
Exploration check(const Options& options, Closure&& closure, const char* file = __builtin_FILE(),
                  int line = __builtin_LINE()) {
  if (!detail::framework.shards && !detail::is_in_shard()) return Exploration{};
  Exploration result = detail::explore(options, std::forward<Closure>(closure), detail::framework.prepare);
  detail::framework.report(result, file, line);
  return result;
}
template <class Closure, class = std::enable_if_t<!std::is_convertible<Closure, Options>::value>>
Exploration check(Closure&& closure, const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
  return check(Options{}, std::forward<Closure>(closure), file, line);
}

}  // namespace mazurka

#endif
