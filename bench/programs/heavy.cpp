// Plain accesses above all: two threads sort and sum their own halves of a vector and fill a map, then meet under a
// lock.
#include <algorithm>
#include <map>
#include <mutex>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

namespace {

std::mutex mutex;
long total;
std::map<int, std::string> names;

void work(std::vector<int>& numbers, std::size_t begin, std::size_t end) {
  const auto first = numbers.begin() + static_cast<std::ptrdiff_t>(begin);
  const auto last = numbers.begin() + static_cast<std::ptrdiff_t>(end);
  std::sort(first, last);
  const long sum = std::accumulate(first, last, 0L);
  std::lock_guard lock(mutex);
  total += sum;
  for (auto i = first; i != first + 8; ++i) names[*i] = std::to_string(*i);
}

}  // namespace

int main() {
  std::vector<int> numbers(400);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<int>(i * 7919 % 1009);
  std::thread other(work, std::ref(numbers), 0, 200);
  work(numbers, 200, 400);
  other.join();
  return total == 0 || names.empty();
}
