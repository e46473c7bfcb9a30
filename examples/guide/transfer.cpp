// Transfers between two accounts, each of which has a lock of its own. Two ways to take both locks without a deadlock:
// -DORDERED takes them in the order of their addresses, -DSCOPED leaves it to the library, which tries and backs off.
#include <functional>
#include <mutex>
#include <thread>

struct Account {
  std::mutex mutex;
  int balance = 100;
};

Account savings, current;

void transfer(Account& from, Account& to, int amount) {
#if defined ORDERED
  const bool up = std::less<Account*>{}(&from, &to);
  std::lock_guard<std::mutex> first(up ? from.mutex : to.mutex);
  std::lock_guard<std::mutex> second(up ? to.mutex : from.mutex);
#elif defined SCOPED
  std::scoped_lock both(from.mutex, to.mutex);
#else
  std::lock_guard<std::mutex> first(from.mutex);
  std::lock_guard<std::mutex> second(to.mutex);
#endif
  from.balance -= amount;
  to.balance += amount;
}

int main() {
  std::thread alice([] { transfer(savings, current, 10); });
  std::thread bob([] { transfer(current, savings, 20); });
  alice.join();
  bob.join();
}
