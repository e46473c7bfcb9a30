#include "core/interrupt.hpp"

#include <cerrno>
#include <cmath>
#include <cstddef>
#include <initializer_list>

#include <signal.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "core/result.hpp"

namespace mazurka {
namespace {

volatile sig_atomic_t interrupt_flag = 0;
volatile sig_atomic_t ends_promptly = 0;
volatile sig_atomic_t asks_first = 0;
volatile sig_atomic_t was_asked = 0;
volatile sig_atomic_t prompt_json = 0;
volatile sig_atomic_t out_of_time = 0;  // a time limit raised the flag, not a signal
volatile sig_atomic_t was_signalled = 0;

constexpr double kGrace = 0.5;  // seconds
constexpr double kPatience = 10;

void set_timer(double seconds) {
  itimerval timer{};
  timer.it_value.tv_sec = static_cast<time_t>(seconds);
  timer.it_value.tv_usec = static_cast<suseconds_t>(std::fmod(seconds, 1) * 1e6);
  if (seconds > 0 && timer.it_value.tv_sec == 0 && timer.it_value.tv_usec == 0) timer.it_value.tv_usec = 1;
  setitimer(ITIMER_REAL, &timer, nullptr);
}

template <std::size_t size>
void write_literal(int file, const char (&text)[size]) {
  const ssize_t written = write(file, text, size - 1);
  static_cast<void>(written);
}

/// Async-signal-safe.
[[noreturn]] void end_now() {
  if (out_of_time != 0)
    write_literal(STDERR_FILENO, "mazurka: the time limit was reached: nothing is proved\n");
  else
    write_literal(STDERR_FILENO, "mazurka: stopped: nothing is proved\n");
  if (prompt_json != 0 && out_of_time != 0)
    write_literal(STDOUT_FILENO,
                  "{\"result\":\"incomplete\",\"message\":\"the time limit was reached: nothing is proved\","
                  "\"incomplete\":[{\"reason\":\"time-limit\","
                  "\"message\":\"the time limit was reached in the middle of a computation\","
                  "\"advice\":\"raise --time-limit, or make the system smaller\"}]}\n");
  else if (prompt_json != 0)
    write_literal(STDOUT_FILENO,
                  "{\"result\":\"incomplete\",\"message\":\"stopped: nothing is proved\","
                  "\"incomplete\":[{\"reason\":\"interrupt\","
                  "\"message\":\"it was stopped in the middle of a computation\","
                  "\"advice\":\"let it run longer, or make the system smaller\"}]}\n");
  _exit(exit_code(Result::Incomplete));
}

void raise_flag() {
  if (asks_first != 0 && was_asked == 0) {
    was_asked = 1;
    set_timer(kPatience);
    return;
  }
  interrupt_flag = 1;
  if (ends_promptly != 0) set_timer(kGrace);
}

void on_signal(int signal_number) {
  const int error = errno;
  was_signalled = 1;
  raise_flag();
  struct sigaction fallback {};
  fallback.sa_handler = SIG_DFL;
  sigaction(signal_number, &fallback, nullptr);
  errno = error;
}

void on_timer(int) {
  const int error = errno;
  if (interrupt_flag != 0 && ends_promptly != 0) end_now();
  if (interrupt_flag == 0 && was_asked == 0) out_of_time = 1;
  raise_flag();
  errno = error;
}

}  // namespace

void catch_interrupts() {
  struct sigaction action {};
  action.sa_handler = on_signal;
  struct sigaction hang_up {};
  sigaction(SIGHUP, nullptr, &hang_up);
  for (int signal_number : {SIGINT, SIGTERM, SIGHUP})
    if (signal_number != SIGHUP || hang_up.sa_handler != SIG_IGN) sigaction(signal_number, &action, nullptr);
  signal(SIGXFSZ, SIG_IGN);
  action.sa_handler = on_timer;
  action.sa_flags = SA_RESTART;
  sigaction(SIGALRM, &action, nullptr);
}

bool interrupted() noexcept { return interrupt_flag != 0; }

void interrupt_after(double seconds) { set_timer(seconds); }

void interrupt() noexcept { interrupt_flag = 1; }

void ask_before_interrupts() { asks_first = 1; }

bool end_wanted() noexcept { return interrupt_flag != 0 || was_asked != 0; }

bool signalled() noexcept { return was_signalled != 0; }

PromptEnd::PromptEnd(bool json) {
  prompt_json = json ? 1 : 0;
  ends_promptly = 1;
  if (interrupted()) set_timer(kGrace);
}

PromptEnd::~PromptEnd() {
  ends_promptly = 0;
  set_timer(0);
}

}  // namespace mazurka
