#include "program/worker.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <string_view>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/futex.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/error.hpp"
#include "core/interrupt.hpp"
#include "program/lasting_thread.hpp"
#include "program/object_file.hpp"
#include "program/stuck_place.hpp"
#include "program/syscall_names.hpp"
#include "program/watchdog.hpp"

namespace mazurka::program {
namespace {

// Static constructors and libraries may take long on a busy machine; the user's watchdog limit is for the program's
// steps.
constexpr auto kStart = std::chrono::milliseconds(20'000);
constexpr int kNapsAfterInterrupt = 25;               // most executions end within half a second
constexpr auto kNap = std::chrono::milliseconds(20);  // between checks whether the worker is alive

void sleep_on(const std::uint32_t* word, std::uint32_t value, std::chrono::milliseconds time) {
  const timespec limit{time.count() / 1000, (time.count() % 1000) * 1'000'000};
  syscall(SYS_futex, word, FUTEX_WAIT, value, &limit, nullptr, 0);
}

/// On a single CPU, spinning keeps the other side from running.
bool is_only_one() {
  static const bool one = std::thread::hardware_concurrency() <= 1;
  return one;
}

/// What MPI tells each rank of itself.
bool is_of_rank(const char* entry) {
  constexpr std::string_view kPrefixes[] = {"OMPI_", "PMIX_", "PMI_", "PRTE_", "ORTE_", "OPAL_", "SLURM_"};
  constexpr std::string_view kNames[] = {"HFI_NO_BACKTRACE=", "IPATH_NO_BACKTRACE="};  // set by Open MPI
  const auto begins = [&](std::string_view beginning) { return std::string_view(entry).starts_with(beginning); };
  return std::ranges::any_of(kPrefixes, begins) || std::ranges::any_of(kNames, begins);
}

// Where a worker has its files if there are several ranks: programs can see which numbers are free, and MPI opens
// other files in each rank.
constexpr int kSegmentPlace = 3;
constexpr int kBackupPlace = 4;

/// In a child process: moves the segment and the backup there, has everything else closed by exec, and returns where
/// `report` is now. Async-signal-safe.
int put_files_in_place(int segment, int backup, int report) {
  constexpr int kAway = 100;
  segment = fcntl(segment, F_DUPFD, kAway);
  backup = fcntl(backup, F_DUPFD, kAway);
  report = fcntl(report, F_DUPFD_CLOEXEC, kAway);
  dup2(segment, kSegmentPlace);
  dup2(backup, kBackupPlace);
  constexpr unsigned kCloseOnExec = 4;  // CLOSE_RANGE_CLOEXEC of Linux 5.11
  if (syscall(SYS_close_range, kBackupPlace + 1, ~0U, kCloseOnExec) != 0)
    for (int file = kBackupPlace + 1; file < 1024; ++file)
      if (file != report) close(file);
  return report;
}

}  // namespace

Worker::Worker(Configuration configuration, Segment& segment, std::uint32_t number)
    : configuration_(std::move(configuration)), segment_(segment), number_(number), channel_(&segment.channel(number)) {
  if (configuration_.lockstep && configuration_.workers == 1) processor_.emplace(number);
  backup_ = static_cast<int>(syscall(SYS_memfd_create, "mazurka-backup", MFD_CLOEXEC));
  // All workers have it under the same number: programs can see which numbers are free.
  if (number == 0) channel_->undo.backup_file = backup_;
  backup_place_ = configuration_.registry ? kBackupPlace : segment.channel(0).undo.backup_file;
}

Worker::~Worker() {
  stop();
  close(backup_);
}

void Worker::start() {
  // Anything else must not run: nothing that it does would be undone.
  if (starts_ == 0 && access(configuration_.binary.c_str(), R_OK) == 0 &&
      !read_object(configuration_.binary).has_runtime)
    throw InputError({configuration_.binary},
                     "is not a program built for Mazurka, so it was not run; build it with mazurka cc or mazurka c++");
  has_served_ = false;
  channel_->settings = configuration_.settings;
  channel_->settings.alone = configuration_.explorers == 0;
  const auto put_ranges = [](const std::vector<protocol::CodeRange>& from, protocol::LibraryCode& to) {
    to.count = static_cast<std::uint32_t>(std::min<std::size_t>(from.size(), protocol::kMaxLibraryCode));
    std::copy_n(from.begin(), to.count, to.ranges);
  };
  put_ranges(configuration_.bounded_spins, channel_->bounded_spins);
  put_ranges(configuration_.back_offs, channel_->back_offs);
  const auto& timed = configuration_.timed_code;
  channel_->timed_code_count = static_cast<std::uint32_t>(std::min<std::size_t>(timed.size(), protocol::kMaxTimedCode));
  std::copy_n(timed.begin(), channel_->timed_code_count, channel_->timed_code);
  if (configuration_.suppressed)
    channel_->suppressions = *configuration_.suppressed;
  else
    channel_->suppressions.calls.count = channel_->suppressions.accesses.count =
        channel_->suppressions.variables.count = 0;
  channel_->undo.backup_file = backup_place_;
  channel_->phase = protocol::Phase::Starting;
  channel_->request = channel_->answer = request_;
  channel_->worker_sleeps = 0;
  channel_->runner = 0;
  channel_->event_count = 0;
  channel_->offer_count = 0;
  channel_->pending_count = 0;
  channel_->output_length = 0;
  channel_->error_kind = FailureKind::None;
  channel_->message[0] = 0;

  if (configuration_.zygote != nullptr) {
    const Zygote::Child child = configuration_.zygote->fork(number_, segment_.file(), backup_);
    process_ = child.process;
    backup_place_ = child.backup_file;
  } else if (configuration_.explorers > 0) {
    run_on_lasting_thread([this] { start_program(); });
  } else {
    start_program();
  }
  // The worker itself, until it says which process runs the program.
  std::int32_t nobody = 0;
  __atomic_compare_exchange_n(&channel_->runner, &nobody, process_, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  ++starts_;
}

void Worker::start_program() {
  // Allocate before the fork, not after.
  std::vector<char*> arguments;
  for (std::string& word : configuration_.debugger) arguments.push_back(word.data());
  arguments.push_back(configuration_.binary.data());
  for (std::string& argument : configuration_.arguments) arguments.push_back(argument.data());
  arguments.push_back(nullptr);
  // The same length for each worker, since main's stack starts below it.
  const bool ranked = configuration_.registry != nullptr;
  const int segment_place = ranked ? kSegmentPlace : segment_.file();
  std::string variable = fmt::format("{}={}:{:03}", protocol::kChannelVariable, segment_place, number_);
  std::vector<char*> environment;
  for (char** entry = environ; *entry != nullptr; ++entry)
    if (std::strncmp(*entry, protocol::kChannelVariable, std::strlen(protocol::kChannelVariable)) != 0 &&
        !(ranked && is_of_rank(*entry)))
      environment.push_back(*entry);
  environment.push_back(variable.data());
  // Otherwise the snapshot would undo lazy binding, and every execution would resolve functions anew.
  std::string bind_now = "LD_BIND_NOW=1";
  environment.push_back(bind_now.data());
  environment.push_back(nullptr);

  int report[2];
  if (pipe2(report, O_CLOEXEC) != 0) throw InputError(fmt::format("cannot start a worker: {}", std::strerror(errno)));
  const pid_t parent = getpid();
  process_ = fork();
  if (process_ == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(127);
    if (configuration_.debugger.empty()) setpgid(0, 0);  // a debugger needs the terminal
    if (processor_) processor_->forget();
    for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGXFSZ}) signal(number, SIG_DFL);
    if (ranked)
      report[1] = put_files_in_place(segment_.file(), backup_, report[1]);
    else if (backup_place_ != backup_)
      dup2(backup_, backup_place_);
    else
      fcntl(backup_, F_SETFD, 0);
    // Executions of all workers are compared, including addresses.
    personality(ADDR_NO_RANDOMIZE);
    if (!configuration_.settings.pass_output) {
      const int null = open("/dev/null", O_RDWR | O_CLOEXEC);
      for (const int file : {0, 1}) dup2(null, file);
    }
    execvpe(arguments[0], arguments.data(), environment.data());
    const int error = errno;
    if (write(report[1], &error, sizeof error) < 0) _exit(126);
    _exit(127);
  }
  close(report[1]);
  int error = process_ < 0 ? errno : 0;
  if (process_ > 0 && read(report[0], &error, sizeof error) != sizeof error) error = 0;
  close(report[0]);
  if (error != 0) {
    stop();
    throw InputError(fmt::format("{}: cannot be run: {}", arguments[0], std::strerror(error)));
  }
}

void Worker::stop() {
  if (process_ <= 0) return;
  if (configuration_.debugger.empty()) kill(-process_, SIGKILL);
  kill(process_, SIGKILL);
  int status = 0;
  while (waitpid(process_, &status, 0) < 0 && errno == EINTR) {
  }
  put_files_back();
  process_ = 0;
}

/// Undoes the file changes of the execution in which a worker died.
void Worker::put_files_back() {
  // A child forked for isolation may still be dying: it has been sent SIGKILL, and changes nothing more once that has
  // arrived.
  if (configuration_.settings.isolation == protocol::Isolation::Fork)
    std::this_thread::sleep_for(std::chrono::milliseconds(channel_->undo.length == 0 ? 1 : 20));
  protocol::UndoLog& log = channel_->undo;
  const auto call = [](long number, auto... arguments) -> long {
    const long result = syscall(number, arguments...);
    return result < 0 ? -errno : result;
  };
  log.backup_file = backup_;
  std::string trouble;
  if (!is_sound(log))
    trouble = "the program overwrote the undo log of its file changes; they are not undone";
  else if (const char* path = protocol::Restorer(call).undo(log, {}))
    trouble = fmt::format("{}: the program's changes to it cannot be undone", path);
  log.backup_file = backup_place_;
  if (trouble.empty()) return;
  static_cast<protocol::UndoMark&>(log) = {};
  std::fputs(fmt::format("mazurka: warning: {}\n", trouble).c_str(), stderr);
}

void Worker::discard() {
  stop();
  segment_.clear(number_);
}

bool Worker::has_ended() {
  int status = 0;
  if (waitpid(process_, &status, WNOHANG) != process_) return false;
  if (configuration_.debugger.empty()) kill(-process_, SIGKILL);  // also a child forked for isolation
  put_files_back();
  process_ = 0;
  if (WIFSIGNALED(status))
    death_ = {true, WTERMSIG(status)};
  else if (WEXITSTATUS(status) > 128)  // the signal that killed a forked execution
    death_ = {true, WEXITSTATUS(status) - 128};
  else
    death_ = {false, WEXITSTATUS(status)};
  return true;
}

std::string Worker::where_it_is_stuck() const {
  // The kernel tells whether the process is blocked in a system call, and in which.
  std::ifstream file(fmt::format("/proc/{}/syscall", runner_of(*channel_, process_)));
  std::string first;
  if (!(file >> first) || first == "running" || first == "-1") return "(its name is not known)";
  return syscall_name(std::atol(first.c_str()));
}

Handover Worker::wait_for_answer() {
  const std::uint32_t request = request_;
  std::uint32_t* const answer = &channel_->answer;
  const auto answered = [&] { return __atomic_load_n(answer, __ATOMIC_ACQUIRE) == request; };
  const bool together = channel_->worker_processor == channel_->explorer_processor;
  if (channel_->turns != 0 ? patience_.yield_until(answered, sched_yield) : !together && patience_.spin(answered))
    return Handover::Answered;
  Watchdog watchdog(*channel_, process_, !has_served_);
  for (int naps = 0;; ++naps) {
    __atomic_store_n(&channel_->explorer_sleeps, 1, __ATOMIC_SEQ_CST);
    const std::uint32_t value = __atomic_load_n(answer, __ATOMIC_SEQ_CST);
    if (value != request) sleep_on(answer, value, kNap);
    __atomic_store_n(&channel_->explorer_sleeps, 0, __ATOMIC_SEQ_CST);
    if (answered()) return Handover::Answered;
    if (has_ended()) return answered() ? Handover::Answered : Handover::Died;
    if (naps >= kNapsAfterInterrupt && interrupted() && configuration_.debugger.empty()) {
      stop();
      return Handover::Interrupted;
    }
    if (configuration_.debugger.empty() &&
        watchdog.expired(kNap, configuration_.watchdog, std::max(kStart, configuration_.watchdog))) {
      stuck_in_ = watchdog.asleep() ? where_it_is_stuck() : "";
      stuck_in_plain_loop_ = watchdog.in_plain_loop();
      places_stuck_at_ = places_of_stuck(runner_of(*channel_, process_), configuration_.binary);
      stop();
      return Handover::Stuck;
    }
  }
}

void Worker::request() {
  places_stuck_at_.clear();
  if (process_ == 0) start();
  // Do not pin a worker that is still starting: it has yet to read the number of CPUs.
  const bool started = has_served_ || channel_->phase != protocol::Phase::Starting;
  channel_->turns = is_only_one() || (processor_ && started && processor_->look(process_)) ? 1 : 0;
  channel_->explorer_processor = static_cast<std::uint32_t>(sched_getcpu());
  __atomic_store_n(&channel_->request, ++request_, __ATOMIC_SEQ_CST);
  if (__atomic_load_n(&channel_->worker_sleeps, __ATOMIC_SEQ_CST) != 0)
    syscall(SYS_futex, &channel_->request, FUTEX_WAKE, 1, nullptr, nullptr, 0);
}

bool Worker::has_answered() const { return __atomic_load_n(&channel_->answer, __ATOMIC_ACQUIRE) == request_; }

Handover Worker::wait() {
  const Handover result = wait_for_answer();
  has_served_ |= result == Handover::Answered;
  if (!configuration_.debugger.empty()) wait_for_debugger();
  return result;
}

void Worker::wait_for_debugger() {
  int status = 0;
  while (process_ > 0 && waitpid(process_, &status, 0) < 0 && errno == EINTR) {
  }
  if (process_ > 0) put_files_back();
  process_ = 0;
}

}  // namespace mazurka::program
