// Unit tests without a framework, for closures_test.cpp. The argument names the closure; what is printed is looked at.
#include <atomic>
#include <cassert>
#include <csetjmp>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <dirent.h>
#include <fcntl.h>
#ifdef MAZURKA_EXPLORER
#include <mazurka/mailbox.hpp>
#endif
#include <mazurka/test.hpp>
#include <unistd.h>

#ifndef MAZURKA_EXPLORER
static int __tsan_simulate(void (*callback)(void*), void* argument) {
  callback(argument);
  return 0;
}
#endif

namespace {

int global = 5;
thread_local int own = 5;

void lose_an_increment() {
  std::atomic<int> hits{0};
  std::thread other([&] { hits = hits + 1; });
  hits = hits + 1;
  other.join();
  assert(hits == 2);
}

void lose_in_set_up() {
  std::atomic<int> hits{0};
  std::printf("%s", mazurka::explore([&] {
                      std::thread other([&] { hits = hits + 1; });
                      hits = hits + 1;
                      other.join();
                      assert(hits == 2);
                    })
                        .report()
                        .c_str());
}

void count() {
  std::atomic<int> hits{0};
  std::thread other([&] { ++hits; });
  ++hits;
  other.join();
  assert(hits == 2);
}

void print(const mazurka::Exploration& result) {
  static const char* const kNames[] = {"ok", "bug", "error", "incomplete"};
  std::printf("%s %llu %d\n%s", kNames[static_cast<int>(result.verdict())], result.executions(), result.complete(),
              result.report().c_str());
}

/// What the closure changes is undone, wherever it lies, and its threads have fresh storage.
void undo() {
  int local = 1;
  std::vector<int> heap{1, 2, 3};
  std::thread([] { own = 7; }).join();
  FILE* file = std::fopen("undone", "w+");
  std::fputs("a", file);
  std::fflush(file);
  print(mazurka::explore([&] {
    assert(global == 5 && local == 1 && heap.size() == 3);
    std::thread([] { assert(own++ == 5); }).join();
    std::atomic<int> both{0};
    std::thread other([&] { ++both; });
    ++both;
    other.join();
    ++global;
    ++local;
    heap.push_back(4);
    std::fputs("b", file);
    std::fflush(file);
  }));
  std::fputs("c", file);
  std::rewind(file);
  char text[8] = {};
  if (std::fgets(text, sizeof text, file) == nullptr) text[0] = '?';
  std::fclose(file);
  std::printf("global %d local %d heap %zu own %d file %s\n", global, local, heap.size(), own, text);
}

int descriptors() {
  int count = 0;
  DIR* folder = opendir("/proc/self/fd");
  while (readdir(folder) != nullptr) ++count;
  closedir(folder);
  return count;
}

long resident_pages() {
  long all = 0;
  long resident = 0;
  FILE* file = std::fopen("/proc/self/statm", "r");
  if (std::fscanf(file, "%ld %ld", &all, &resident) != 2) std::abort();
  std::fclose(file);
  return resident;
}

void many(int checks) {
  for (int i = 0; i < 5; ++i) (void)mazurka::explore(count);
  const int files = descriptors();
  const long pages = resident_pages();
  int good = 0;
  for (int i = 0; i < checks; ++i) good += mazurka::explore(count).executions() == 2 ? 1 : 0;
  std::printf("good %d, descriptors %d, pages %s\n", good, descriptors() - files,
              resident_pages() - pages < 256 ? "few" : "many");
}

#ifdef MAZURKA_EXPLORER
/// What was in mailboxes before the call, and who received from them.
void use_mailboxes() {
  mazurka::Mailbox<int> inbox;
  mazurka::Mailbox<int> foreign;
  foreign.send(0);
  std::thread([&] { foreign.receive(); }).join();
  inbox.send(0);
  inbox.send(1);
  print(mazurka::explore([&] {
    std::thread one([&] { inbox.send(2); });
    std::thread two([&] { inbox.send(3); });
    inbox.send(4);
    int received[5];
    for (int& each : received) each = inbox.receive();
    assert(received[0] == 0 && received[1] == 1);
    one.join();
    two.join();
  }));
  print(mazurka::explore([&] {
    std::thread one([&] { inbox.send(2); });
    int last = 0;
    while (const auto received = inbox.try_receive()) last = *received;
    one.join();
    assert(last == 2);
  }));
  print(mazurka::explore([&] {
    for (int i = 0; i < 3; ++i) inbox.receive();
  }));
  print(mazurka::explore([&] {
    foreign.send(1);
    foreign.receive();
  }));
  print(mazurka::explore([&] { inbox.receive(); }));
  std::printf("left %d", inbox.receive());
  std::printf(" %d\n", inbox.receive());
}
#endif

void run(const std::string& name, const char* argument) {
  mazurka::Options options;
  if (name == "count") print(mazurka::explore(count));
  if (name == "lose") print(mazurka::explore(lose_an_increment));
  if (name == "undo") undo();
  if (name == "many") many(std::atoi(argument));
  if (name == "crash") {
    print(mazurka::explore([] { *const_cast<volatile int*>(static_cast<int*>(nullptr)) = 1; }));
    print(mazurka::explore([] { throw std::runtime_error("thrown"); }));
    print(mazurka::explore([] { syscall(59, 0, 0, 0); }));
    print(mazurka::explore(count));
  }
  if (name == "escape") {
    print(mazurka::explore([] { std::exit(0); }));
    print(mazurka::explore([] { _exit(0); }));
    print(mazurka::explore([] { pthread_exit(nullptr); }));
    static jmp_buf before;
    if (setjmp(before) == 0) print(mazurka::explore([] { longjmp(before, 1); }));
  }
  if (name == "save") {
    options.more = {"--save=bug.mzk"};
    print(mazurka::explore(options, lose_an_increment));
  }
  if (name == "leave") {
    print(mazurka::explore([] { std::thread([] {}).detach(); }));
    print(mazurka::explore([] { new std::thread([] {}); }));
  }
  if (name == "outside") {
    int ends[2];
    if (pipe(ends) != 0) std::abort();
    print(mazurka::explore([&] {
      if (write(ends[1], "x", 1) != 1) std::abort();
    }));
    const int file = open("held", O_CREAT | O_RDWR, 0600);
    print(mazurka::explore([] { unlink("held"); }));
    close(file);
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    char byte = 0;
    std::printf("read %zd, held %d\n", read(ends[0], &byte, 1), access("held", F_OK));
  }
  if (name == "busy") {
    std::atomic<bool> stop{false};
    std::thread other([&] {
      while (!stop) std::this_thread::yield();
    });
    print(mazurka::explore(count));
    stop = true;
    other.join();
    print(mazurka::explore(count));
  }
  if (name == "set-up") lose_in_set_up();
  if (name == "limit") {
    options.max_executions = 1;
    print(mazurka::explore(options, count));
    mazurka::check(options, count);
  }
  if (name == "fails") mazurka::check(lose_an_increment);
  if (name == "goals") {
    options.strict = argument != nullptr;
    mazurka::goal("before the call");
    print(mazurka::explore(options, [] {
      mazurka::goal("seen");
      mazurka::goal("missed");
      std::atomic<int> flag{0};
      std::thread other([&] { flag = 1; });
      if (flag == 1) mazurka::reached("seen");
      if (flag == 2) mazurka::reached("missed");
      mazurka::reached("before the call");
      other.join();
    }));
    print(mazurka::explore(options, count));
  }
#ifdef MAZURKA_EXPLORER
  if (name == "mailboxes") use_mailboxes();
#endif
  if (name == "simulate") {
    std::printf("%d\n", __tsan_simulate([](void* number) { assert(*static_cast<int*>(number) == 5); }, &global));
    std::printf("%d\n", __tsan_simulate([](void*) { lose_an_increment(); }, nullptr));
  }
}

/// Before main and after its end.
struct AroundMain {
  AroundMain() {
    if (is_wanted()) print(mazurka::explore(count));
  }
  ~AroundMain() {
    if (is_wanted()) print(mazurka::explore(count));
  }
  static bool is_wanted() { return std::getenv("CHECK_AROUND_MAIN") != nullptr; }
};
AroundMain around_main;

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1) run(argv[1], argc > 2 ? argv[2] : nullptr);
  return 0;
}
