// A mailbox for one message. Its author made the flag atomic and concluded that post() needs no lock. Tests pass for
// years; once in a while a program hangs at shutdown.
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

class Mailbox {
 public:
  void post(int message) {
    message_ = message;
    full_ = true;
    arrived_.notify_one();
  }

  int receive() {
    std::unique_lock<std::mutex> lock(mutex_);
    while (!full_) arrived_.wait(lock);
    return message_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable arrived_;
  std::atomic<bool> full_{false};
  std::atomic<int> message_{0};
};

Mailbox mailbox;

int main() {
  std::thread receiver([] { mailbox.receive(); });
  std::thread sender([] { mailbox.post(42); });
  receiver.join();
  sender.join();
}
