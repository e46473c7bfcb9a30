// Programs that never end: their states come back. The first argument says which; those with a bug end in -bug.
#include <cassert>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace {

bool has_bug;

/// Requests come for ever, one at most waits; a pool of two workers serves them, each in memory of its own.
class Server {
 public:
  [[noreturn]] void run() {
    std::thread workers[] = {std::thread(&Server::work, this), std::thread(&Server::work, this)};
    for (int number = 0;; number = 1 - number) {
      std::unique_lock lock(mutex_);
      room_.wait(lock, [this] { return requests_.size() < requests_.capacity(); });
      requests_.push_back(number);
      work_.notify_one();
    }
  }

 private:
  [[noreturn]] void work() {
    for (;;) {
      std::unique_lock lock(mutex_);
      // The bug: a worker that was woken takes it for granted that there is still something to do.
      if (has_bug && requests_.empty())
        work_.wait(lock);
      else
        work_.wait(lock, [this] { return !requests_.empty(); });
      assert(!requests_.empty());
      const int request = requests_.front();
      requests_.erase(requests_.begin());
      room_.notify_one();
      lock.unlock();
      const std::vector<char> body(100, 'x');
      const auto answer = std::make_unique<std::string>(body.begin(), body.end());
      *answer += std::to_string(request);
    }
  }

  static std::vector<int> one_place() {
    std::vector<int> places;
    places.reserve(1);
    return places;
  }

  std::mutex mutex_;
  std::condition_variable work_;
  std::condition_variable room_;
  std::vector<int> requests_ = one_place();
};

/// A producer and a consumer that take turns for ever.
class Pair {
 public:
  [[noreturn]] void run() {
    std::thread consumer([this] {
      for (;;) {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return full_; });
        assert(value_ == 7);
        value_ = 0;
        full_ = false;
        changed_.notify_one();
      }
    });
    for (;;) {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] { return !full_; });
      full_ = true;
      if (has_bug) {  // the value comes after the mutex was given back
        lock.unlock();
        lock.lock();
      }
      value_ = 7;
      changed_.notify_one();
    }
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  int value_ = 0;
  bool full_ = false;
};

}  // namespace

int main(int, char** argv) {
  const std::string which = argv[1];
  has_bug = which.ends_with("-bug");
  if (which.starts_with("server")) {
    Server server;
    server.run();
  }
  Pair pair;
  pair.run();
}
