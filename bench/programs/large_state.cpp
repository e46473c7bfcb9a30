// Hundreds of megabytes that are there before main begins, of which two threads change one page each: large_state
// [MEGABYTES]. Going back to the start should cost what changed, not what is there.
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <thread>

namespace {

unsigned char* data;
std::size_t bytes;

// With its arguments, which only functions of this kind have before main.
[[gnu::constructor]] void fill(int argc, char** argv) {
  bytes = (argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 1) << 20;
  data = static_cast<unsigned char*>(std::malloc(bytes));
  if (data != nullptr) std::memset(data, 1, bytes);
}

std::mutex lock;
unsigned sum;

void change(std::size_t place) {
  const std::lock_guard guard(lock);
  sum += data[place]++;
}

}  // namespace

int main() {
  if (data == nullptr) return 1;
  std::thread one(change, 0);
  std::thread other(change, bytes / 2);
  one.join();
  other.join();
  return sum == 2 ? 0 : 1;
}
