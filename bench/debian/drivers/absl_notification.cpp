// Abseil's Notification: what came before Notify() is seen after WaitForNotification().
#include <cassert>
#include <thread>

#include "absl/synchronization/mutex.h"
#include "absl/synchronization/notification.h"

int main() {
  // What Abseil keeps for each thread that waits is taken from a list behind a spin lock, whose waits time out any
  // number of times. Main takes its own before there is anybody to wait for.
  absl::Mutex mutex;
  bool always = true;
  mutex.LockWhen(absl::Condition(&always));
  mutex.Unlock();

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
