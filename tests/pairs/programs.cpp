#include "pairs/programs.hpp"

#include <array>
#include <string_view>

#include <fmt/format.h>

#include "pairs/feature.hpp"

namespace mazurka::pairs {
namespace {

constexpr const char* kPrelude = R"(#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <mqueue.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include <mazurka/mailbox.h>
#include <mazurka/mazurka.h>

static const struct timespec soon = {0, 1};
static long note(long who, long value) {
  printf("%ld:%ld\n", who, value);
  return value;
}
#define N_(who, value) note((long)(who), (long)(value))
#define N(value) N_(who, value)
static long futex(atomic_int* word, int operation, int value, const struct timespec* time) {
  return syscall(SYS_futex, word, operation, value, time, 0, 0);
}
)";

constexpr std::array kArrangements = {"apart", "sequence", "crossed", "inside", "around", "joined", "trio"};
static_assert(kArrangements.size() == static_cast<std::size_t>(Arrangement::Count));

/// What stands where a feature leaves room and the other is not put there: so all threads have something in common.
constexpr std::array kAccess = {"N(atomic_fetch_add(&x, 1));", "N(atomic_load(&x));"};

void replace(std::string& text, char mark, std::string_view by) {
  for (std::size_t at = 0; (at = text.find(mark, at)) != std::string::npos; at += by.size()) text.replace(at, 1, by);
}

class Writer {
 public:
  explicit Writer(const Pair& pair) : pair_(pair), a_(features()[pair.first]), b_(features()[pair.second]) {}

  std::string write() {
    arrange();
    text_ = fmt::format("/* {0}: {1} */\n#define x x_{0}\nstatic atomic_int x;\n", pair_.number, name(pair_));
    // What is inside comes first.
    text_ +=
        pair_.arrangement == Arrangement::Inside ? globals(b_, 1) + globals(a_, 0) : globals(a_, 0) + globals(b_, 1);
    for (std::size_t i = 0; i < threads_.size(); ++i)
      text_ += fmt::format(
          "static void* thread_{}_{}(void* argument) {{\n  const long who = (long)argument;\n  {}\n  return 0;\n}}\n",
          pair_.number, i + 1, threads_[i]);
    text_ += fmt::format("static int program_{}(void) {{\n  enum {{ who = 0 }};\n  pthread_t t[2];\n  {} {}\n",
                         pair_.number, numbered(a_.setup, 0), numbered(b_.setup, 1));
    for (std::size_t i = 0; i < threads_.size(); ++i)
      text_ += fmt::format("  pthread_create(&t[{0}], 0, thread_{1}_{2}, (void*){2});\n", i, pair_.number, i + 1);
    return text_ + fmt::format("  {}\n  {} {}\n  return 0;\n}}\n#undef x\n", main_, numbered(a_.finish, 0),
                               numbered(b_.finish, 1));
  }

 private:
  void arrange() {
    using enum Arrangement;
    const std::string access0 = kAccess[0];
    const std::string access1 = kAccess[1];
    switch (pair_.arrangement) {
      case Apart: threads_ = {a(0, access0), b(0, access0)}; break;
      case Sequence:
        threads_ = {a(0, access0) + b(0)};
        main_ = a(1, access1) + b(1);
        break;
      case Crossed:
        threads_ = {a(0, access0) + b(0)};
        main_ = b(1) + a(1, access1);
        break;
      case Inside:
        threads_ = {a(0, b(0, access0))};
        main_ = a(1, b(1, access1));
        break;
      case Around:
        threads_ = {b(0, a(0, access0))};
        main_ = a(1) + b(1, access1);
        break;
      case Joined:
        threads_ = {a(0, access0) + b(0)};
        main_ = a(1, access1) + "pthread_join(t[0], 0); " + b(1);
        break;
      case Trio:
        threads_ = {a(0), a(1)};
        main_ = b(0, access1);
        break;
      case Count: break;
    }
  }

  std::string a(int role, const std::string& what = "") const { return filled(a_.role(role), 0, what); }
  std::string b(int role, const std::string& what = "") const { return filled(b_.role(role), 1, what); }
  std::string filled(std::string_view code, int instance, const std::string& what) const {
    std::string text = numbered(code, instance);
    replace(text, '@', what);
    return text + ' ';
  }
  /// A function that is called back has the other feature inside where that is the arrangement.
  std::string globals(const Feature& feature, int instance) const {
    std::string what = kAccess[0];
    if (pair_.arrangement == Arrangement::Inside && instance == 0) what = b(0, what);
    if (pair_.arrangement == Arrangement::Around && instance == 1) what = a(0, what);
    return filled(feature.globals, instance, what) + '\n';
  }
  std::string numbered(std::string_view code, int instance) const {
    std::string text(code);
    replace(text, '#', fmt::format("{}{}", pair_.number, instance == 0 ? "0" : "1"));
    return text;
  }

  const Pair& pair_;
  const Feature& a_;
  const Feature& b_;
  std::vector<std::string> threads_;
  std::string main_;
  std::string text_;
};

}  // namespace

std::vector<Pair> all_pairs() {
  std::vector<Pair> pairs;
  const std::size_t count = features().size();
  for (std::size_t first = 0; first < count; ++first)
    for (std::size_t second = first; second < count; ++second)
      for (int i = 0; i < static_cast<int>(Arrangement::Count); ++i)
        pairs.push_back({pairs.size(), first, second, static_cast<Arrangement>(i)});
  return pairs;
}

std::string name(const Pair& pair) {
  return fmt::format("{} + {}, {}", features()[pair.first].name, features()[pair.second].name,
                     kArrangements[static_cast<std::size_t>(pair.arrangement)]);
}

std::string program_text(const Pair& pair) { return Writer(pair).write(); }

std::string source_text(std::span<const Pair> pairs) {
  std::string text = kPrelude;
  for (const Pair& pair : pairs) text += program_text(pair);
  text += "int main(int argc, char** argv) {\n  switch (argc > 1 ? atoi(argv[1]) : -1) {\n";
  for (const Pair& pair : pairs) text += fmt::format("    case {0}: return program_{0}();\n", pair.number);
  return text + "  }\n  return 2;\n}\n";
}

}  // namespace mazurka::pairs
