// Threads that read, fill, copy and free parts of a few pages, chosen at random: at once, by the functions of the C
// library, or byte by byte. The race detector keeps other records then, and must say the same.
//
//   pages SEED (whole|bytes)
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <thread>

namespace {

constexpr unsigned kPage = 4096;
constexpr unsigned kBytes = 3 * kPage;
constexpr int kThreads = 2;
constexpr int kSteps = 3;

bool by_bytes;
unsigned char* memory;
unsigned char* other;
std::mutex locks[2];

struct Random {
  unsigned long state;
  unsigned below(unsigned bound) {
    state = state * 6364136223846793005UL + 1442695040888963407UL;
    return static_cast<unsigned>(state >> 33) % bound;
  }
};

void fill(unsigned char* to, unsigned bytes) {
  if (!by_bytes) {
    std::memset(to, 1, bytes);
    return;
  }
  for (unsigned i = 0; i < bytes; ++i) static_cast<volatile unsigned char*>(to)[i] = 1;
}

void copy(unsigned char* to, const unsigned char* from, unsigned bytes) {
  if (!by_bytes) {
    std::memcpy(to, from, bytes);
    return;
  }
  // All reads come first, as they do in the library's function.
  for (unsigned i = 0; i < bytes; ++i) static_cast<void>(static_cast<const volatile unsigned char*>(from)[i]);
  for (unsigned i = 0; i < bytes; ++i) static_cast<volatile unsigned char*>(to)[i] = 1;
}

/// Whole pages, a page and a bit, or a few bytes.
void step(Random& random) {
  unsigned begin = random.below(3) * kPage;
  unsigned bytes = (1 + random.below(2)) * kPage;
  switch (random.below(4)) {
    case 0: begin += random.below(64) * 8 + random.below(2); break;
    case 1:
      begin += random.below(4) * 8;
      bytes = 1 + random.below(24);
      break;
    default: break;
  }
  if (begin + bytes > kBytes) bytes = kBytes - begin;
  switch (random.below(3)) {
    case 0: fill(memory + begin, bytes); break;
    case 1: copy(other + begin, memory + begin, bytes); break;
    default: copy(memory + begin, other + begin, bytes); break;
  }
}

void work(unsigned long seed) {
  Random random{seed};
  for (int i = 0; i < kSteps; ++i) {
    const std::lock_guard guard(locks[random.below(5) == 0 ? 1 : 0]);
    step(random);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  const unsigned long seed = std::strtoul(argv[1], nullptr, 10) * 1000;
  by_bytes = std::strcmp(argv[2], "bytes") == 0;
  memory = static_cast<unsigned char*>(std::aligned_alloc(kPage, kBytes));
  other = static_cast<unsigned char*>(std::aligned_alloc(kPage, kBytes));
  Random random{seed};
  for (int i = 0; i < 2; ++i) step(random);
  std::thread threads[kThreads];
  for (int i = 0; i < kThreads; ++i) threads[i] = std::thread(work, seed + 1 + i);
  if (random.below(4) == 0) step(random);
  for (std::thread& thread : threads) thread.join();
  std::free(memory);
  std::free(other);
}
