// A queue with room for one number, closed when its producer is done. What matters is that every number arrives.
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>

#include <mazurka/mazurka.h>

class Queue {
 public:
  void put(int number) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return !slot_; });
    slot_ = number;
    changed_.notify_all();
  }
  void close() {
    std::unique_lock lock(mutex_);
    closed_ = true;
    changed_.notify_all();
  }
  std::optional<int> take() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return slot_ || closed_; });
    std::optional<int> number;
    number.swap(slot_);
    if (number) mazurka::reached("a number is taken");
    if (number && closed_) mazurka::reached("a number is taken from a closed queue");
    changed_.notify_all();
    return number;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::optional<int> slot_;
  bool closed_ = false;
};

int main() {
  mazurka::goal("a number is taken");
  mazurka::goal("a number is taken from a closed queue");
  Queue queue;
  const int count = 1 + mazurka::choose(2);  // every number of messages from 1 to 2
  std::thread producer([&] {
    for (int i = 1; i <= count; ++i) queue.put(i);
    queue.close();
  });
  int sum = 0;
  while (std::optional<int> number = queue.take()) sum += *number;
  producer.join();
  assert(sum == count * (count + 1) / 2);
}
