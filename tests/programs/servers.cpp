// Programs that never end: their states come back. The first argument says which; those with a bug end in -bug.
#include <cassert>
#include <condition_variable>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <pthread.h>

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

/// What the producer allocates the consumer frees, for ever. Before it waits for more, it writes a log, with a mutex of
/// which the producer knows nothing.
class Queue {
 public:
  [[noreturn]] void run() {
    std::thread consumer(&Queue::consume, this);
    for (;;) {
      auto job = std::make_unique<int>(has_bug ? 0 : 7);
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] { return jobs_.empty(); });
      jobs_.push_back(std::move(job));
      changed_.notify_one();
      if (has_bug) {  // the job is complete after the mutex was given back
        lock.unlock();
        lock.lock();
        if (!jobs_.empty()) *jobs_.front() = 7;
      }
    }
  }

 private:
  [[noreturn]] void consume() {
    for (;;) {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] { return !jobs_.empty(); });
      std::unique_ptr<int> job = std::move(jobs_.front());
      jobs_.pop_front();
      changed_.notify_one();
      lock.unlock();
      const int value = *job;
      assert(value == 7);
      job.reset();
      const std::lock_guard logs(log_mutex_);
      logged_ = value;
    }
  }

  std::mutex mutex_;
  std::mutex log_mutex_;
  std::condition_variable changed_;
  std::list<std::unique_ptr<int>> jobs_;
  int logged_ = 0;
};

/// Threads whose first block is the runtime's own, for their thread-specific data: it must not be taken for memory that
/// can be used again.
class Keys {
 public:
  [[noreturn]] void run() {
    for (pthread_key_t& key : keys_) pthread_key_create(&key, nullptr);
    std::thread other([this] { use(1); });
    use(2);
  }

 private:
  [[noreturn]] void use(int number) {
    for (const pthread_key_t key : keys_) pthread_setspecific(key, &values_[number]);
    for (;;) {
      auto block = std::make_unique<std::string>(std::size_t{40}, 'x');
      {
        const std::lock_guard lock(mutex_);
        turn_ = 1 - turn_;
      }
      block.reset();
      for (const pthread_key_t key : keys_) assert(pthread_getspecific(key) == &values_[number]);
    }
  }

  std::mutex mutex_;
  int turn_ = 0;
  pthread_key_t keys_[8];
  int values_[3] = {};
};

/// A value that practically never comes back.
class Values {
 public:
  [[noreturn]] void run() {
    std::thread others[] = {std::thread([this] { multiply(3); }), std::thread([this] { multiply(5); })};
    multiply(7);
  }

 private:
  [[noreturn]] void multiply(std::uint64_t number) {
    for (;;) {
      const std::lock_guard lock(mutex_);
      value_ = value_ * 6364136223846793005U + number;
    }
  }

  std::mutex mutex_;
  std::uint64_t value_ = 1;
};

}  // namespace

int main(int, char** argv) {
  const std::string which = argv[1];
  has_bug = which.ends_with("-bug");
  if (which.starts_with("server")) {
    Server server;
    server.run();
  }
  if (which.starts_with("queue")) {
    Queue queue;
    queue.run();
  }
  if (which == "keys") {
    Keys keys;
    keys.run();
  }
  if (which == "values") {
    Values values;
    values.run();
  }
  Pair pair;
  pair.run();
}
