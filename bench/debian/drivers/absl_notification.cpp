// Abseil's Notification: what came before Notify() is seen after WaitForNotification().
#include <cassert>
#include <thread>

#include "absl/synchronization/notification.h"
#include "absl_environment.hpp"

int main() {
  prepare_main_thread();
  absl::Notification ready;
  int message = 0;
  std::thread other([&] {
    ready.WaitForNotification();
    assert(message == 42);
  });
  message = 42;
  ready.Notify();
  other.join();
  assert(ready.HasBeenNotified());
}
