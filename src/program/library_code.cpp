#include "program/library_code.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string_view>

#include <cxxabi.h>
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <gelf.h>
#include <unistd.h>

#include "program/debug_units.hpp"

namespace mazurka::program {
namespace {

using protocol::CodeRange;

/// A function template of the library.
struct LibraryFunction {
  std::string_view name;                 ///< without template arguments
  std::string_view symbol;               ///< prefix of its mangled names
  std::string_view hint;                 ///< prefix of its name in debug information
  bool (*is_meant)(const char* symbol);  ///< which instances; null: all
};

constexpr LibraryFunction kSpin = {"__atomic_spin", "_ZNSt8__detail13__atomic_spinI", "__atomic_spin", nullptr};

/// Whether all arguments are mutexes of the library, or locks of them: types of the program may do anything else.
bool locks_mutexes_of_the_library(const char* symbol) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> owned(abi::__cxa_demangle(symbol, nullptr, nullptr, &status), std::free);
  if (status != 0) return false;
  std::string_view text = owned.get();
  constexpr std::string_view kBegin = "void std::lock<";
  if (!text.starts_with(kBegin)) return false;
  text.remove_prefix(kBegin.size());
  text = text.substr(0, text.find(">("));
  while (!text.empty()) {
    std::string_view type = text.substr(0, text.find(", "));
    text.remove_prefix(std::min(text.size(), type.size() + 2));
    constexpr std::string_view kLock = "std::unique_lock<";
    if (type.starts_with(kLock)) {
      type.remove_prefix(kLock.size());
      type = type.substr(0, type.find_first_of(" >"));
    }
    constexpr std::string_view kMutexes[] = {"std::mutex", "std::timed_mutex", "std::recursive_mutex",
                                             "std::recursive_timed_mutex"};
    if (std::find(std::begin(kMutexes), std::end(kMutexes), type) == std::end(kMutexes)) return false;
  }
  return true;
}

constexpr LibraryFunction kLock = {"lock", "_ZSt4lockI", "lock<std::", locks_mutexes_of_the_library};

bool is_symbol_of(const LibraryFunction& wanted, const char* symbol) {
  return std::string_view(symbol).starts_with(wanted.symbol) && (wanted.is_meant == nullptr || wanted.is_meant(symbol));
}

/// Whether this is the library's function, by its name with or without template arguments, and by its symbol. If debug
/// information has no symbol, a name reserved for libraries is enough.
bool is_function(const LibraryFunction& wanted, Dwarf_Die* function) {
  const char* const text = dwarf_diename(function);
  if (text == nullptr) return false;
  const std::string_view name = text;
  const std::size_t length = wanted.name.size();
  if (!name.starts_with(wanted.name) || (name.size() > length && name[length] != '<')) return false;
  Dwarf_Attribute attribute;
  const char* const symbol = dwarf_formstring(dwarf_attr_integrate(function, DW_AT_linkage_name, &attribute));
  return symbol != nullptr ? is_symbol_of(wanted, symbol) : name.starts_with("__");
}

void add_code_of(Dwarf_Die* function, std::vector<CodeRange>& ranges) {
  Dwarf_Addr base = 0;
  Dwarf_Addr begin = 0;
  Dwarf_Addr end = 0;
  for (std::ptrdiff_t at = 0; (at = dwarf_ranges(function, at, &base, &begin, &end)) > 0;)
    if (begin < end) ranges.push_back({begin, end});
}

/// Adds the functions below `parent`.
void search(const LibraryFunction& wanted, Dwarf_Die* parent, std::vector<CodeRange>& ranges) {
  Dwarf_Die child;
  if (dwarf_child(parent, &child) != 0) return;
  do {
    switch (dwarf_tag(&child)) {
      case DW_TAG_subprogram:
      case DW_TAG_inlined_subroutine:
        if (is_function(wanted, &child))
          add_code_of(&child, ranges);
        else
          search(wanted, &child, ranges);
        break;
      case DW_TAG_lexical_block:
      case DW_TAG_namespace:
      case DW_TAG_class_type:
      case DW_TAG_structure_type: search(wanted, &child, ranges); break;
      default: break;
    }
  } while (dwarf_siblingof(&child, &child) == 0);
}

void search_debug_information(const LibraryFunction& wanted, Elf* elf, std::vector<CodeRange>& ranges) {
  for_each_unit_naming(elf, {&wanted.hint, 1}, [&](Dwarf_Die* unit) { search(wanted, unit, ranges); });
}

void search_symbols(const LibraryFunction& wanted, Elf* elf, std::vector<CodeRange>& ranges) {
  for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf, section)) != nullptr;) {
    GElf_Shdr header;
    Elf_Data* const data = elf_getdata(section, nullptr);
    if (gelf_getshdr(section, &header) == nullptr || header.sh_type != SHT_SYMTAB || data == nullptr) continue;
    GElf_Sym symbol;
    for (int i = 0; gelf_getsym(data, i, &symbol) != nullptr; ++i) {
      if (GELF_ST_TYPE(symbol.st_info) != STT_FUNC || symbol.st_shndx == SHN_UNDEF || symbol.st_size == 0) continue;
      const char* const name = elf_strptr(elf, header.sh_link, symbol.st_name);
      if (name != nullptr && is_symbol_of(wanted, name))
        ranges.push_back({symbol.st_value, symbol.st_value + symbol.st_size});
    }
  }
}

/// Cheap test: could the program have such code? True if names are compressed.
bool may_have(const LibraryFunction& wanted, Elf* elf) {
  for (const char* const section : {".strtab", ".debug_str", ".debug_info"})
    for (const std::string_view word : {wanted.hint, wanted.symbol})
      if (find_bytes(section_of(elf, section), word) != std::string_view::npos) return true;
  for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf, section)) != nullptr;) {
    GElf_Shdr header;
    if (gelf_getshdr(section, &header) != nullptr && (header.sh_flags & SHF_COMPRESSED) != 0) return true;
  }
  return false;
}

void merge(std::vector<CodeRange>& ranges) {
  std::sort(ranges.begin(), ranges.end(), [](const CodeRange& a, const CodeRange& b) { return a.begin < b.begin; });
  std::size_t kept = 0;
  for (const CodeRange& range : ranges) {
    if (kept > 0 && range.begin <= ranges[kept - 1].end)
      ranges[kept - 1].end = std::max(ranges[kept - 1].end, range.end);
    else
      ranges[kept++] = range;
  }
  ranges.resize(kept);
}

std::vector<CodeRange> code_of(const LibraryFunction& wanted, const std::string& binary) {
  std::vector<CodeRange> ranges;
  const int file = open(binary.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return ranges;
  elf_version(EV_CURRENT);
  {
    const std::unique_ptr<Elf, int (*)(Elf*)> elf(elf_begin(file, ELF_C_READ_MMAP, nullptr), elf_end);
    if (elf && elf_kind(elf.get()) == ELF_K_ELF && may_have(wanted, elf.get())) {
      search_debug_information(wanted, elf.get(), ranges);
      search_symbols(wanted, elf.get(), ranges);
    }
  }
  close(file);
  merge(ranges);
  return ranges;
}

}  // namespace

std::vector<CodeRange> bounded_spins(const std::string& binary) { return code_of(kSpin, binary); }

std::vector<CodeRange> back_offs(const std::string& binary) { return code_of(kLock, binary); }

}  // namespace mazurka::program
