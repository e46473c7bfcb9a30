// Functions named __VERIFIER_atomic_… are atomic sections (rules of the software verification competition). The
// compiler inserts hooks at function entry and exit; the hook's return address tells the function, whose extent is in
// the symbol table. `mazurka cc` keeps such functions from being inlined.
#include <elf.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "runtime/arch.hpp"
#include "runtime/own_calls.hpp"
#include "runtime/scheduling/scheduling.hpp"
#include "runtime/scheduling/sections.hpp"
#include "runtime/worker/image.hpp"
#include "runtime/worker/outcome.hpp"

namespace mazurka::runtime {
namespace {

constexpr std::uint32_t kMost = 1024;
struct Range {
  std::uint64_t begin;
  std::uint64_t end;
};
std::uint32_t function_count;
Range functions[kMost];  // found before the snapshot, constant afterwards

/// Whether this is the name of such a function, or of a clone or part that the compiler made of one.
bool is_section_name(const char* name) {
  constexpr const char* kPrefix = "__VERIFIER_atomic_";
  if (*name != '_') return false;  // most symbols: cheap test first
  if (begins_with(name, "_Z")) {   // C++ mangling: the length precedes the name
    name += 2;
    if (*name == 'L') ++name;
    while (*name >= '0' && *name <= '9') ++name;
  }
  if (!begins_with(name, kPrefix)) return false;
  const char* rest = name + length_of(kPrefix);
  return !is_equal(rest, "begin") && !is_equal(rest, "end");
}

void find_in(const char* file) {
  const auto& header = *reinterpret_cast<const Elf64_Ehdr*>(file);
  const auto* sections = reinterpret_cast<const Elf64_Shdr*>(file + header.e_shoff);
  for (unsigned i = 0; i < header.e_shnum; ++i) {
    if (sections[i].sh_type != SHT_SYMTAB) continue;
    const auto* symbols = reinterpret_cast<const Elf64_Sym*>(file + sections[i].sh_offset);
    const char* names = file + sections[sections[i].sh_link].sh_offset;
    for (std::uint64_t s = 0; s < sections[i].sh_size / sizeof(Elf64_Sym); ++s) {
      const Elf64_Sym& symbol = symbols[s];
      if (ELF64_ST_TYPE(symbol.st_info) != STT_FUNC || symbol.st_shndx == SHN_UNDEF || symbol.st_size == 0) continue;
      if (!is_section_name(names + symbol.st_name)) continue;
      if (function_count == kMost) fail(FailureKind::Sections, "more than 1024 functions are atomic sections", 0);
      const std::uint64_t begin = image.base + symbol.st_value;
      functions[function_count++] = {begin, begin + symbol.st_size};
    }
  }
}

}  // namespace

void find_section_functions() {
  function_count = 0;
  const long file = raw_syscall(SYS_open, reinterpret_cast<long>("/proc/self/exe"), O_RDONLY | O_CLOEXEC, 0);
  struct stat status {};
  if (file < 0 || raw_syscall(SYS_fstat, file, reinterpret_cast<long>(&status)) != 0)
    fail(FailureKind::Sections, "the symbols of the program cannot be read", 0);
  const auto bytes = static_cast<long>(status.st_size);
  const long pages = raw_syscall(SYS_mmap, 0, bytes, PROT_READ, MAP_PRIVATE, file, 0);
  if (pages < 0 && pages > -4096) fail(FailureKind::Sections, "the symbols of the program cannot be read", 0);
  find_in(reinterpret_cast<const char*>(pages));
  raw_syscall(SYS_munmap, pages, bytes);
  raw_syscall(SYS_close, file);
}

bool has_section_functions() { return function_count > 0; }

void enter_function(const void* address) {
  if (!scheduling.exploring || function_count == 0 || scheduling.in_trial) return;
  Thread& thread = self();
  if (thread.section_calls > 0) {
    ++thread.section_calls;
    return;
  }
  const auto place = reinterpret_cast<std::uint64_t>(address);
  for (std::uint32_t i = 0; i < function_count; ++i) {
    if (place < functions[i].begin || place >= functions[i].end) continue;
    begin_section(place - image.base);
    thread.section_calls = 1;
    return;
  }
}

void leave_function() {
  Thread& thread = self();
  if (thread.section_calls > 0 && --thread.section_calls == 0) end_section(thread.site);
}

}  // namespace mazurka::runtime
