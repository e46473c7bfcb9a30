// Three philosophers, each of whom takes the fork at the left, then the one at the right. Most evenings go well.
#include <array>
#include <mutex>
#include <thread>

std::array<std::mutex, 3> forks;
int meals = 0;
std::mutex ledger;

void dine(std::size_t seat) {
  std::lock_guard<std::mutex> left(forks[seat]);
  std::lock_guard<std::mutex> right(forks[(seat + 1) % forks.size()]);
  std::lock_guard<std::mutex> book(ledger);
  ++meals;
}

int main() {
  std::thread plato(dine, 0);
  std::thread kant(dine, 1);
  std::thread arendt(dine, 2);
  plato.join();
  kant.join();
  arendt.join();
}
