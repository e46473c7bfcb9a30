#include "core/interrupt.hpp"

#include <initializer_list>

#include <signal.h>

namespace mazurka {
namespace {

volatile sig_atomic_t interrupt_flag = 0;

void on_signal(int signal_number) {
  interrupt_flag = 1;
  struct sigaction fallback {};
  fallback.sa_handler = SIG_DFL;
  sigaction(signal_number, &fallback, nullptr);
}

}  // namespace

void catch_interrupts() {
  struct sigaction action {};
  action.sa_handler = on_signal;
  for (int signal_number : {SIGINT, SIGTERM}) sigaction(signal_number, &action, nullptr);
}

bool interrupted() noexcept { return interrupt_flag != 0; }

}  // namespace mazurka
