#include "program/bounded_spins.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <string_view>

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <gelf.h>
#include <unistd.h>

namespace mazurka::program {
namespace {

using protocol::CodeRange;

constexpr std::string_view kSpin = "__atomic_spin";
constexpr std::string_view kSpinSymbol = "_ZNSt8__detail13__atomic_spinI";

/// Whether a function is the library's: `__atomic_spin`, with its template arguments or without. The name is reserved
/// for libraries; where the debug information has the symbol too, that tells more.
bool is_spin(Dwarf_Die* function) {
  const char* const text = dwarf_diename(function);
  if (text == nullptr) return false;
  const std::string_view name = text;
  if (!name.starts_with(kSpin) || (name.size() > kSpin.size() && name[kSpin.size()] != '<')) return false;
  Dwarf_Attribute attribute;
  const char* const symbol = dwarf_formstring(dwarf_attr_integrate(function, DW_AT_linkage_name, &attribute));
  return symbol == nullptr || std::string_view(symbol).starts_with(kSpinSymbol);
}

void add_code_of(Dwarf_Die* function, std::vector<CodeRange>& ranges) {
  Dwarf_Addr base = 0;
  Dwarf_Addr begin = 0;
  Dwarf_Addr end = 0;
  for (std::ptrdiff_t at = 0; (at = dwarf_ranges(function, at, &base, &begin, &end)) > 0;)
    if (begin < end) ranges.push_back({begin, end});
}

/// Adds the spins below `parent`.
void search(Dwarf_Die* parent, std::vector<CodeRange>& ranges) {
  Dwarf_Die child;
  if (dwarf_child(parent, &child) != 0) return;
  do {
    switch (dwarf_tag(&child)) {
      case DW_TAG_subprogram:
      case DW_TAG_inlined_subroutine:
        if (is_spin(&child))
          add_code_of(&child, ranges);
        else
          search(&child, ranges);
        break;
      case DW_TAG_lexical_block:
      case DW_TAG_namespace:
      case DW_TAG_class_type:
      case DW_TAG_structure_type: search(&child, ranges); break;
      default: break;
    }
  } while (dwarf_siblingof(&child, &child) == 0);
}

void search_debug_information(Elf* elf, std::vector<CodeRange>& ranges) {
  const std::unique_ptr<Dwarf, int (*)(Dwarf*)> dwarf(dwarf_begin_elf(elf, DWARF_C_READ, nullptr), dwarf_end);
  if (!dwarf) return;
  Dwarf_CU* unit = nullptr;
  Dwarf_Die die;
  while (dwarf_get_units(dwarf.get(), unit, &unit, nullptr, nullptr, &die, nullptr) == 0) search(&die, ranges);
}

void search_symbols(Elf* elf, std::vector<CodeRange>& ranges) {
  for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf, section)) != nullptr;) {
    GElf_Shdr header;
    Elf_Data* const data = elf_getdata(section, nullptr);
    if (gelf_getshdr(section, &header) == nullptr || header.sh_type != SHT_SYMTAB || data == nullptr) continue;
    GElf_Sym symbol;
    for (int i = 0; gelf_getsym(data, i, &symbol) != nullptr; ++i) {
      if (GELF_ST_TYPE(symbol.st_info) != STT_FUNC || symbol.st_shndx == SHN_UNDEF || symbol.st_size == 0) continue;
      const char* const name = elf_strptr(elf, header.sh_link, symbol.st_name);
      if (name != nullptr && std::string_view(name).starts_with(kSpinSymbol))
        ranges.push_back({symbol.st_value, symbol.st_value + symbol.st_size});
    }
  }
}

/// Cheap test: could the program have such code? Where names are compressed, nobody knows.
bool may_spin(Elf* elf) {
  std::size_t length = 0;
  const char* const bytes = elf_rawfile(elf, &length);
  if (bytes != nullptr && memmem(bytes, length, kSpin.data(), kSpin.size()) != nullptr) return true;
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

}  // namespace

std::vector<CodeRange> bounded_spins(const std::string& binary) {
  std::vector<CodeRange> ranges;
  const int file = open(binary.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return ranges;
  elf_version(EV_CURRENT);
  {
    const std::unique_ptr<Elf, int (*)(Elf*)> elf(elf_begin(file, ELF_C_READ_MMAP, nullptr), elf_end);
    if (elf && elf_kind(elf.get()) == ELF_K_ELF && may_spin(elf.get())) {
      search_debug_information(elf.get(), ranges);
      search_symbols(elf.get(), ranges);
    }
  }
  close(file);
  merge(ranges);
  return ranges;
}

}  // namespace mazurka::program
