// 50 MB of plain data: allocated, filled and copied as a whole, looked at here and there by two threads, freed. What
// the race detector is to say of it should cost little more than what the program does.
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <thread>

namespace {

constexpr std::size_t kBytes = std::size_t{25} << 20;
constexpr std::size_t kStride = 64 * 1024;

std::mutex lock;
unsigned long sum;

void look(const unsigned char* data, std::size_t begin) {
  unsigned long mine = 0;
  for (std::size_t i = begin; i < kBytes; i += kStride) mine += data[i];
  const std::lock_guard guard(lock);
  sum += mine;
}

}  // namespace

int main() {
  auto* first = static_cast<unsigned char*>(std::malloc(kBytes));
  auto* second = static_cast<unsigned char*>(std::malloc(kBytes));
  auto* never_used = static_cast<unsigned char*>(std::malloc(kBytes));
  if (first == nullptr || second == nullptr || never_used == nullptr) return 1;
  std::memset(first, 1, kBytes);
  std::memcpy(second, first, kBytes);
  std::thread one(look, second, 0);
  std::thread other(look, second, kStride / 2);
  one.join();
  other.join();
  const bool right = sum == 2 * kBytes / kStride;
  std::free(never_used);
  std::free(first);
  std::free(second);
  return right ? 0 : 1;
}
