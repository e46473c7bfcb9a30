#include <cassert>
#include <cstdlib>
#include <set>
#include <thread>
#include <vector>

#include "ticket.hpp"

// The argument: how many threads.
int main(int, char** arguments) {
  const auto count = static_cast<std::size_t>(std::atoi(arguments[1]));
  std::vector<int> tickets(count);
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < count; ++i) threads.emplace_back([&tickets, i] { tickets[i] = next_ticket(); });
  for (std::thread& thread : threads) thread.join();
  assert(std::set<int>(tickets.begin(), tickets.end()).size() == count);
}
