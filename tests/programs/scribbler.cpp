// A program with a bug that also writes where it must not: into the memory that the runtime shares with the explorer.
// `seen`: by an instrumented store. `unseen N`: by code that is not instrumented, at a place and in a way that the
// number N decides. Whatever that does to the exploration, the answer must not be that there is no bug.
#include <atomic>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>

#include "program/protocol.hpp"

namespace {

using mazurka::protocol::Channel;
using mazurka::protocol::Common;

char* channel = nullptr;
char* common = nullptr;

/// Before main, where reading a file is no step.
__attribute__((constructor)) void find_segment() {
  FILE* maps = std::fopen("/proc/self/maps", "r");
  char line[512];
  while (maps != nullptr && std::fgets(line, sizeof line, maps) != nullptr) {
    unsigned long begin = 0;
    unsigned long end = 0;
    if (std::strstr(line, "memfd:mazurka ") == nullptr || std::sscanf(line, "%lx-%lx", &begin, &end) != 2) continue;
    (end - begin > sizeof(Common) + 4096 ? channel : common) = reinterpret_cast<char*>(begin);
  }
  if (maps != nullptr) std::fclose(maps);
}

struct Range {
  std::size_t begin;
  std::size_t bytes;
};
constexpr std::size_t kFew = 1024;
#define FROM(member) \
  Range { offsetof(Channel, member), kFew }
constexpr Range kRanges[] = {
    {offsetof(Channel, request), offsetof(Channel, skipped_ranges) - offsetof(Channel, request)},
    {offsetof(Channel, event_count), offsetof(Channel, message) - offsetof(Channel, event_count)},
    {offsetof(Channel, event_count), offsetof(Channel, message) - offsetof(Channel, event_count)},
    {offsetof(Channel, message), offsetof(Channel, blocks) - offsetof(Channel, message)},
    FROM(undo),
    {offsetof(Channel, footprint_count), 8},
    FROM(footprints),
    FROM(footprint_operations),
    FROM(prefix),
    FROM(sleepers),
    FROM(pending),
    FROM(offers),
    FROM(events),
    FROM(events),
    FROM(journal),
    FROM(journal),
    FROM(journal),
    FROM(output),
};

std::uint64_t state = 0;

__attribute__((no_sanitize("thread"))) std::uint64_t random_number() {
  state += 0x9e3779b97f4a7c15ULL;
  std::uint64_t z = state;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

/// Bytes of any kind: zeros, ones, small numbers, single bits turned, noise.
__attribute__((no_sanitize("thread"))) void damage(volatile unsigned char* place, std::size_t bytes) {
  const std::uint64_t how = random_number() % 5;
  for (std::size_t i = 0; i < bytes; ++i) {
    if (how == 0) place[i] = 0;
    if (how == 1) place[i] = 0xff;
    if (how == 2) place[i] = static_cast<unsigned char>(i % 4 == 0 ? random_number() % 20 : 0);
    if (how == 3) place[i] = static_cast<unsigned char>(place[i] ^ (i == 0 ? 1U << (random_number() % 8) : 0U));
    if (how == 4) place[i] = static_cast<unsigned char>(random_number());
  }
}

__attribute__((no_sanitize("thread"))) void scribble(std::uint64_t seed) {
  state = seed;
  constexpr std::size_t kCount = sizeof kRanges / sizeof kRanges[0];
  constexpr std::size_t kLengths[] = {1, 4, 8, 64, kFew};
  const std::uint64_t which = random_number() % (kCount + 1);
  const Range range = which == kCount ? Range{offsetof(Common, processes), 64} : kRanges[which];
  const std::size_t length = kLengths[random_number() % 5];
  const std::size_t first = random_number() % range.bytes & ~std::size_t{3};
  const std::size_t bytes = length < range.bytes - first ? length : range.bytes - first;
  damage(reinterpret_cast<unsigned char*>((which == kCount ? common : channel) + range.begin + first), bytes);
}

std::atomic<int> counter{0};
std::atomic<int> turn{0};

void count() {
  const int seen = counter.load();
  counter.store(seen + 1);
}

}  // namespace

int main(int argc, char** argv) {
  const bool seen = argc > 1 && std::string(argv[1]) == "seen";
  const std::uint64_t seed = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 0;
  std::thread first([&] {
    turn.fetch_add(1);
    count();
  });
  std::thread second([&] {
    turn.fetch_add(1);
    if (seen)
      *reinterpret_cast<std::uint64_t*>(channel + offsetof(Channel, event_count)) = ~0ULL;
    else if (argc > 2 && channel != nullptr && (seed % 2 == 0 || turn.load() == 2))
      scribble(seed);
    count();
  });
  count();
  first.join();
  second.join();
  assert(counter != 1);  // in a few of the schedules only, so that the exploration goes on after the damage
}
