#include "program/stuck_place.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <thread>

#include <fmt/format.h>
#include <signal.h>
#include <sys/uio.h>

#include "program/watchdog.hpp"

namespace mazurka::program {
namespace {

/// The program's code in memory.
struct Code {
  std::uint64_t base = 0;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  bool contains(std::uint64_t address) const { return address >= begin && address < end; }
};

Code code_of(pid_t process, const std::string& binary) {
  std::error_code error;
  const std::string path = std::filesystem::canonical(binary, error).string();
  std::ifstream file(fmt::format("/proc/{}/maps", process));
  Code code;
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    std::uint64_t offset = 0;
    char dash = 0;
    std::string rights;
    std::string rest;
    words >> std::hex >> begin >> dash >> end >> rights >> offset;
    if (!words || !line.ends_with(path) || path.empty()) continue;
    if (code.base == 0) code.base = begin - offset;
    if (rights.find('x') == std::string::npos) continue;
    if (code.begin == 0) code.begin = begin;
    code.end = end;
  }
  return code;
}

struct Registers {
  std::uint64_t stack_pointer = 0;
  std::uint64_t place = 0;
};

/// Stack pointer and program counter: the last two words that the kernel shows of a process that does not run.
std::optional<Registers> registers_of(pid_t process) {
  std::ifstream file(fmt::format("/proc/{}/syscall", process));
  std::vector<std::string> words;
  for (std::string word; file >> word;) words.push_back(word);
  if (words.size() < 3) return std::nullopt;
  return Registers{std::stoull(words[words.size() - 2], nullptr, 16), std::stoull(words.back(), nullptr, 16)};
}

bool wait_until_stopped(pid_t process) {
  for (int i = 0; i < 100; ++i) {
    if (process_state(process) == 'T') return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return false;
}

}  // namespace

std::vector<std::uint64_t> places_of_stuck(pid_t process, const std::string& binary) {
  if (process <= 0 || kill(process, SIGSTOP) != 0 || !wait_until_stopped(process)) return {};
  const Code code = code_of(process, binary);
  const std::optional<Registers> registers = registers_of(process);
  if (!registers) return {};
  std::vector<std::uint64_t> sites;
  // A site is a return address, behind what it refers to.
  if (code.contains(registers->place)) sites.push_back(registers->place - code.base + 1);
  constexpr std::size_t kWords = 2048;
  std::vector<std::uint64_t> stack(kWords);
  // Page by page: the stack may end soon.
  constexpr std::uint64_t kPageBytes = 4096;
  std::size_t known = 0;
  for (std::uint64_t at = registers->stack_pointer & ~std::uint64_t{7}; known < kWords;) {
    const std::uint64_t bytes = std::min<std::uint64_t>(kPageBytes - at % kPageBytes, (kWords - known) * 8);
    const iovec here{stack.data() + known, bytes};
    const iovec there{reinterpret_cast<void*>(at), bytes};  // NOLINT(performance-no-int-to-ptr): of another process
    if (process_vm_readv(process, &here, 1, &there, 1, 0) != static_cast<ssize_t>(bytes)) break;
    known += bytes / 8;
    at += bytes;
  }
  for (std::size_t i = 0; i < known; ++i)
    if (code.contains(stack[i])) sites.push_back(stack[i] - code.base);
  return sites;
}

}  // namespace mazurka::program
