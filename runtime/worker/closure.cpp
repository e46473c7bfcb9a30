#include "runtime/worker/closure.hpp"

#include <initializer_list>

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "mazurka/closure.h"
#include "mazurka/mazurka.h"
#include "program/protocol.hpp"
#include "runtime/arch.hpp"
#include "runtime/detector/detector.hpp"
#include "runtime/export.hpp"
#include "runtime/files/system_call_trap.hpp"
#include "runtime/memory/heap.hpp"
#include "runtime/memory/layout.hpp"
#include "runtime/memory/mapping.hpp"
#include "runtime/memory/memory.hpp"
#include "runtime/memory/snapshot.hpp"
#include "runtime/own_calls.hpp"
#include "runtime/posix/c_library.hpp"
#include "runtime/posix/exit.hpp"
#include "runtime/posix/signals.hpp"
#include "runtime/posix/thread_exit.hpp"
#include "runtime/scheduling/frames.hpp"
#include "runtime/scheduling/scheduling.hpp"
#include "runtime/scheduling/sections.hpp"
#include "runtime/scheduling/site.hpp"
#include "runtime/scheduling/thread_table.hpp"
#include "runtime/text.hpp"
#include "runtime/worker/channel.hpp"
#include "runtime/worker/driver.hpp"
#include "runtime/worker/outcome.hpp"
#include "runtime/worker/output.hpp"
#include "runtime/worker/worker.hpp"

// <mazurka/test.hpp> defines it in programs that have closures to explore.
extern "C" __attribute__((weak)) const char mazurka_has_closures;

namespace mazurka::runtime {
namespace {

constexpr int kMaxWords = 64;
constexpr int kNoExplorer = 127;
constexpr const char* kBindNow = "LD_BIND_NOW";

template <class T>
void zero_pages(T& object) {
  static_assert(alignof(T) >= kPage);
  raw_syscall(SYS_madvise, reinterpret_cast<long>(&object), sizeof object, MADV_DONTNEED);
}

/// Removes all traces that the process left in the runtime's records before the closure: threads get new slots.
void forget_threads() {
  const bool fast = scheduling.fast_thread_pointer;
  const std::uint64_t mask = threads.all[0].signal_mask;
  for (std::uint32_t i = 0; i < protocol::kMaxProcesses && (i < 2 || threads.slots[i].mapped); ++i)
    if (threads.slots[i].mapped)
      raw_syscall(SYS_munmap, static_cast<long>(slot_base(i)), static_cast<long>(slot_base(i + 1) - slot_base(i)));
  zero_pages(threads);
  zero_pages(plain_stacks);
  const std::uint64_t main_thread = scheduling.main_thread_pointer;
  scheduling = Scheduling{{.current = threads.all}};
  scheduling.fast_thread_pointer = fast;
  scheduling.main_thread_pointer = main_thread;
  threads.all[0].signal_mask = mask;
  memory = Memory{};
  forget_snapshot();
}

struct Stay {
  const mazurka_exploration* what;
  int socket;
  std::uint64_t stack;  ///< the process stack belongs to the test from this page up
};

[[noreturn]] void become_worker(const Stay& stay, const int (&files)[2], std::uint32_t channel, long explorer) {
  raw_syscall(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL);
  if (raw_syscall(SYS_getppid) != explorer)
    for (;;) raw_syscall(SYS_exit_group, kNoExplorer);
  raw_syscall(SYS_setpgid, 0, 0);
  struct sigaction standard = {};
  standard.sa_handler = SIG_DFL;
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGXFSZ}) set_real_handler(number, standard);
  raw_syscall(SYS_close, stay.socket);
  // A worker must not read the test's standard input.
  const long null = raw_syscall(SYS_openat, AT_FDCWD, reinterpret_cast<long>("/dev/null"), O_RDONLY, 0);
  if (null > 0) {
    raw_syscall(SYS_dup3, null, 0, 0);
    raw_syscall(SYS_close, null);
  }
  forget_threads();
  forget_exit_handlers();
  protocol::Channel* const own = worker.channel;
  worker = Worker{};
  open_channel(files[0], channel);
  worker.channel->undo.backup_file = files[1];
  worker.closure = true;
  // Goals that the test declared before the call. Another worker may have added them already.
  for (std::uint32_t i = 0; i < own->goal_count; ++i)
    if (own->goals[i].declared != 0) mazurka_goal(own->goals[i].name);
  raw_syscall(SYS_munmap, reinterpret_cast<long>(own), sizeof *own);
  if (!worker.channel->settings.pass_output) capture_streams();
  if (stay.what->prepare != nullptr) stay.what->prepare();
  trap_system_calls();
  keep_stack_from(stay.stack);
  serve({nullptr, 0, nullptr, nullptr, stay.what->closure, stay.what->argument});
}

/// If standard streams are closed, new descriptors get their numbers. Moves them above.
bool lift_above_streams(int (&ends)[2]) {
  for (int& end : ends) {
    if (end > 2) continue;
    const long higher = raw_syscall(SYS_fcntl, end, F_DUPFD_CLOEXEC, 3);
    raw_syscall(SYS_close, end);
    if (higher < 0) return false;
    end = static_cast<int>(higher);
  }
  return true;
}

/// Receives a request with its descriptors. False if the explorer has exited.
bool receive(int socket, protocol::ForkRequest& request, int (&files)[2]) {
  iovec part{&request, sizeof request};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof files)];
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  long got;
  do got = raw_syscall(SYS_recvmsg, socket, reinterpret_cast<long>(&message), 0);
  while (got == -EINTR);
  const cmsghdr* header = CMSG_FIRSTHDR(&message);
  if (got != sizeof request || header == nullptr || header->cmsg_len != CMSG_LEN(sizeof files)) return false;
  copy_bytes(files, CMSG_DATA(header), sizeof files);
  return true;
}

/// The main loop of the zygote, at the point where the closure is to be executed, until the explorer exits.
[[noreturn]] void stay(const Stay& here) {
  raw_syscall(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL);
  const long explorer = raw_syscall(SYS_getppid);
  protocol::ForkRequest request{};
  for (int files[2]; receive(here.socket, request, files);) {
    const long child = lift_above_streams(files) ? raw_syscall(SYS_clone, CLONE_PARENT | SIGCHLD, 0, 0, 0, 0) : -EMFILE;
    if (child == 0) become_worker(here, files, request.channel, explorer);
    const protocol::ForkAnswer answer{static_cast<std::int32_t>(child), files[1]};
    for (const int file : files) raw_syscall(SYS_close, file);
    raw_syscall(SYS_write, here.socket, reinterpret_cast<long>(&answer), sizeof answer);
  }
  for (;;) raw_syscall(SYS_exit_group, 0);
}

/// Whether two words set the same option.
bool same_option(const char* a, const char* b) {
  while (*a != 0 && *a == *b && *a != '=') ++a, ++b;
  return (*a == 0 || *a == '=') && (*b == 0 || *b == '=');
}

/// The command line of the explorer.
struct Command {
  const char* words[kMaxWords + 1];
  int count = 0;
  char zygote[48];
  char answer[32];
  char binary[4096];
  char variable[2048];  ///< the words of MAZURKA_OPTIONS, separated by zeros

  void add(const char* word) {
    if (count < kMaxWords) words[count++] = word;
  }
  void add_options(const char* const* options) {
    const int first = count;
    const char* given = getenv("MAZURKA_OPTIONS");
    std::size_t length = 0;
    for (; given != nullptr && given[length] != 0 && length + 1 < sizeof variable; ++length)
      variable[length] = given[length] == ' ' ? '\0' : given[length];
    variable[length] = 0;
    for (std::size_t i = 0; i < length; ++i)
      if (variable[i] != 0 && (i == 0 || variable[i - 1] == 0)) add(variable + i);
    const int last = count;
    for (; options != nullptr && *options != nullptr; ++options) {
      bool replaced = false;
      for (int i = first; i < last; ++i) replaced |= same_option(words[i], *options);
      if (!replaced) add(*options);
    }
  }
};

/// Runs in the child that becomes the explorer.
[[noreturn]] void start_explorer(Command& command, const char* explorer, int socket, long stayer, int report,
                                 int answer) {
  Text(command.zygote, sizeof command.zygote) << "--zygote=" << socket << ":" << stayer;
  Text(command.answer, sizeof command.answer) << "--answer=" << answer;
  for (const int file : {socket, answer}) raw_syscall(SYS_fcntl, file, F_SETFD, 0);
  raw_syscall(SYS_dup3, report, 1, 0);
  raw_syscall(SYS_dup3, report, 2, 0);
  const long null = raw_syscall(SYS_openat, AT_FDCWD, reinterpret_cast<long>("/dev/null"), O_RDONLY, 0);
  if (null > 0) raw_syscall(SYS_dup3, null, 0, 0);
  command.words[0] = explorer;
  command.words[command.count] = nullptr;
  reinterpret_cast<int (*)(const char*, char* const*)>(next_function("execvp"))(
      explorer, const_cast<char* const*>(command.words));
  char buffer[512];
  Text text(buffer, sizeof buffer);
  text << "the explorer cannot be started: " << explorer << ": " << strerror(errno)
       << "; set MAZURKA to the path of mazurka\n";
  raw_syscall(SYS_write, 1, reinterpret_cast<long>(buffer), static_cast<long>(text.size()));
  for (;;) raw_syscall(SYS_exit_group, kNoExplorer);
}

const char* path_of_explorer(const char* built_in) {
  if (const char* given = environment("MAZURKA"); given != nullptr && *given != 0) return given;
  if (built_in != nullptr && raw_syscall(SYS_access, reinterpret_cast<long>(built_in), X_OK) == 0) return built_in;
  return "mazurka";
}

char* copied(const char* text, std::size_t length) {
  char* copy = static_cast<char*>(malloc(length + 1));
  if (copy == nullptr) return nullptr;
  copy_bytes(copy, text, length);
  copy[length] = 0;
  return copy;
}

void refuse_exploration(mazurka_explored& result, const char* why) {
  result = {};
  result.verdict = MAZURKA_ERROR;
  result.report = copied(why, strlen(why));
}

/// Reads a pipe to its end, up to a limit. Not into the program's heap: a test may check any number of closures.
void read_report(int file, mazurka_explored& result) {
  constexpr std::uint64_t kMost = 16U << 20;
  auto* text = static_cast<char*>(map_anywhere(kMost));
  std::uint64_t length = 0;
  static char rest[4096];
  for (;;) {
    const bool full = text == nullptr || length == kMost;
    const long got = raw_syscall(SYS_read, file, reinterpret_cast<long>(full ? rest : text + length),
                                 static_cast<long>(full ? sizeof rest : kMost - length));
    if (got == -EINTR) continue;
    if (got <= 0) break;
    if (!full) length += static_cast<std::uint64_t>(got);
  }
  result.report = copied(text, text == nullptr ? 0 : length);
  if (text != nullptr) raw_syscall(SYS_munmap, reinterpret_cast<long>(text), kMost);
}

void read_answer(int file, long explorer, mazurka_explored& result) {
  protocol::ClosureAnswer answer{};
  long got;
  do got = raw_syscall(SYS_read, file, reinterpret_cast<long>(&answer), sizeof answer);
  while (got == -EINTR);
  int status = 0;
  while (raw_syscall(SYS_wait4, explorer, reinterpret_cast<long>(&status), 0, 0) == -EINTR) {
  }
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  const bool known = got == sizeof answer;
  result.verdict = !known || (code != 0 && code != 1 && code != 3) ? MAZURKA_ERROR : static_cast<mazurka_verdict>(code);
  result.complete = answer.complete != 0;
  result.executions = answer.executions;
  result.blocked = answer.blocked;
  result.cut = answer.cut;
  result.errors = answer.errors;
  result.goals_missed = answer.goals_missed;
  result.seconds = answer.seconds;
}

using Fork = pid_t (*)();

/// A separate function, so that its frame is not on a page of the test's frames.
[[gnu::noinline]] void explore_from(const mazurka_exploration& what, std::uint64_t stack, mazurka_explored& result) {
  int link[2];
  int report[2];
  int answer[2];
  if (raw_syscall(SYS_socketpair, AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, reinterpret_cast<long>(link)) != 0)
    return refuse_exploration(result, "no socket can be made");
  if (raw_syscall(SYS_pipe2, reinterpret_cast<long>(report), O_CLOEXEC) != 0 ||
      raw_syscall(SYS_pipe2, reinterpret_cast<long>(answer), O_CLOEXEC) != 0)
    return refuse_exploration(result, "no pipe can be made");
  if (!lift_above_streams(link) || !lift_above_streams(report) || !lift_above_streams(answer))
    return refuse_exploration(result, "no descriptor is left");
  // On the stack, so that nothing remains of it.
  Command command;
  for (const char* word :
       {"", "check", static_cast<const char*>(command.zygote), static_cast<const char*>(command.answer)})
    command.add(word);
  command.add_options(what.options);
  const long length = raw_syscall(SYS_readlink, reinterpret_cast<long>("/proc/self/exe"),
                                  reinterpret_cast<long>(command.binary), sizeof command.binary - 1);
  command.binary[length > 0 ? length : 0] = 0;
  command.add(command.binary);
  // The C library's fork(), which drops the threads that the child does not have.
  const auto fork = reinterpret_cast<Fork>(next_function("fork"));
  flush_streams();
  const long test = raw_syscall(SYS_getpid);
  const long explorer = fork();
  if (explorer == 0) {
    // SIGTERM: the explorer undoes the closure's file changes before it exits.
    raw_syscall(SYS_prctl, PR_SET_PDEATHSIG, SIGTERM);
    if (raw_syscall(SYS_getppid) != test)
      for (;;) raw_syscall(SYS_exit_group, kNoExplorer);
    const long stayer = fork();
    if (stayer == 0) {
      for (const int file : {link[0], report[0], report[1], answer[0], answer[1]}) raw_syscall(SYS_close, file);
      stay({&what, link[1], stack});
    }
    raw_syscall(SYS_close, link[1]);
    start_explorer(command, path_of_explorer(what.explorer), link[0], stayer, report[1], answer[1]);
  }
  for (const int file : {link[0], link[1], report[1], answer[1]}) raw_syscall(SYS_close, file);
  if (explorer < 0) {
    refuse_exploration(result, "no process can be created");
  } else {
    read_report(report[0], result);
    read_answer(answer[0], explorer, result);
  }
  raw_syscall(SYS_close, report[0]);
  raw_syscall(SYS_close, answer[0]);
}

}  // namespace

/// Removes a variable from the environment. The C library's function: the program may have one of its name.
static void forget(const char* variable) {
  reinterpret_cast<int (*)(const char*)>(next_function("unsetenv"))(variable);
}

void fix_addresses(char** argv) {
  if (&mazurka_has_closures == nullptr) return;
  constexpr unsigned long kAsk = 0xffffffff;
  const long now = raw_syscall(SYS_personality, static_cast<long>(kAsk));
  if (now < 0) return;
  if ((now & ADDR_NO_RANDOMIZE) != 0) {
    forget(kBindNow);
    return;
  }
  if (raw_syscall(SYS_personality, now | ADDR_NO_RANDOMIZE) < 0) return;
  // Otherwise lazy binding would resolve functions anew in every execution.
  using Set = int(const char*, const char*, int);
  reinterpret_cast<Set*>(next_function("setenv"))(kBindNow, "1", 1);
  char binary[4096];
  const long length = raw_syscall(SYS_readlink, reinterpret_cast<long>("/proc/self/exe"),
                                  reinterpret_cast<long>(binary), sizeof binary - 1);
  if (length > 0) {
    binary[length] = 0;
    raw_syscall(SYS_execve, reinterpret_cast<long>(binary), reinterpret_cast<long>(argv),
                reinterpret_cast<long>(environ));
  }
  forget(kBindNow);
}

}  // namespace mazurka::runtime

using namespace mazurka::runtime;

MAZURKA_EXPORT void mazurka_explore(const mazurka_exploration* what, mazurka_explored* result) {
  *result = {};
  if (!worker.standalone) {
    what->closure(what->argument);
    result->executions = 1;
    result->report = copied("", 0);
    return;
  }
  if (!worker.ready || worker.ending)
    return refuse_exploration(*result, "a closure can be checked while main runs, neither before it nor after its end");
  if (self().index != 0) return refuse_exploration(*result, "a closure can be checked by the main thread only");
  if (scheduling.live > 1)
    return refuse_exploration(*result,
                              "other threads are running: join them before a closure is checked, since what they do "
                              "cannot be undone");
  scheduling.exploring = false;
  note_frames_of_test();
  // The test's memory ends at this frame. The driver of a worker needs pages of its own below it.
  const auto frame = reinterpret_cast<std::uint64_t>(__builtin_frame_address(0));
  char gap[2 * kPage];
  __asm__ volatile("" : : "r"(gap) : "memory");
  explore_from(*what, frame & ~(kPage - 1), *result);
  worker.channel->goal_count = 0;  // the next closure has its own
  __asm__ volatile("" : : "r"(gap) : "memory");
}

MAZURKA_EXPORT void mazurka_fail(const char* text) {
  worker.channel->exit_status = 134;
  fail(FailureKind::Assertion, text, MAZURKA_SITE);
}

MAZURKA_EXPORT int mazurka_is_exploring() { return worker.standalone ? 0 : 1; }

MAZURKA_EXPORT int __tsan_simulate(void (*callback)(void*), void* argument) {
  const mazurka_exploration what{callback, argument, nullptr, nullptr, nullptr};
  mazurka_explored result{};
  mazurka_explore(&what, &result);
  if (result.report != nullptr)
    raw_syscall(SYS_write, 2, reinterpret_cast<long>(result.report), static_cast<long>(strlen(result.report)));
  free(result.report);
  return static_cast<int>(result.verdict);
}
