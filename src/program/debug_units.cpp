// The name of an entry is either a four-byte offset into .debug_str or inline in the unit. So a unit whose bytes
// contain neither the offset of a name nor the name itself has no entry of that name. clang refers to names by index,
// which the bytes do not show, and entries of partial units are imported by others: then every unit is visited.
#include "program/debug_units.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

#include <dwarf.h>

namespace mazurka::program {
namespace {

/// What the bytes of a unit contain if it has one of the names: its offset, or the name itself.
struct Traces {
  std::vector<std::string_view> words;
  std::vector<std::uint32_t> offsets;  ///< sorted

  Traces(std::string_view strings, std::span<const std::string_view> names) : words(names.begin(), names.end()) {
    for (const std::string_view word : words)
      for (std::size_t at = 0; (at = find_bytes(strings, word, at)) != std::string_view::npos; ++at)
        offsets.push_back(static_cast<std::uint32_t>(at));
    std::ranges::sort(offsets);
  }

  bool are_in(std::string_view bytes) const {
    const auto has = [&](std::string_view word) { return find_bytes(bytes, word) != std::string_view::npos; };
    return has_offset(bytes) || std::ranges::any_of(words, has);
  }

 private:
  bool has_offset(std::string_view bytes) const {
    if (offsets.empty()) return false;
    const std::uint32_t range = offsets.back() - offsets.front();
    for (std::size_t i = 0; i + sizeof(std::uint32_t) <= bytes.size(); ++i) {
      std::uint32_t value = 0;
      std::memcpy(&value, bytes.data() + i, sizeof value);
      if (value - offsets.front() <= range && std::ranges::binary_search(offsets, value)) return true;
    }
    return false;
  }
};

struct Unit {
  Dwarf_Die die;
  std::string_view bytes;
};

}  // namespace

std::string_view section_of(Elf* elf, std::string_view wanted) {
  std::size_t names = 0;
  if (elf_getshdrstrndx(elf, &names) != 0) return {};
  for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf, section)) != nullptr;) {
    GElf_Shdr header;
    if (gelf_getshdr(section, &header) == nullptr || (header.sh_flags & SHF_COMPRESSED) != 0) continue;
    const char* const name = elf_strptr(elf, names, header.sh_name);
    if (name == nullptr || name != wanted) continue;
    const Elf_Data* const data = elf_rawdata(section, nullptr);
    return data == nullptr || data->d_buf == nullptr
               ? std::string_view{}
               : std::string_view{static_cast<const char*>(data->d_buf), data->d_size};
  }
  return {};
}

std::size_t find_bytes(std::string_view bytes, std::string_view part, std::size_t from) {
  if (bytes.size() < from + part.size()) return std::string_view::npos;
  const void* const found = memmem(bytes.data() + from, bytes.size() - from, part.data(), part.size());
  return found == nullptr ? std::string_view::npos
                          : static_cast<std::size_t>(static_cast<const char*>(found) - bytes.data());
}

void for_each_unit_naming(Elf* elf, std::span<const std::string_view> words,
                          const std::function<void(Dwarf_Die*)>& visit) {
  const std::unique_ptr<Dwarf, int (*)(Dwarf*)> dwarf(dwarf_begin_elf(elf, DWARF_C_READ, nullptr), dwarf_end);
  if (!dwarf) return;
  const std::string_view information = section_of(elf, ".debug_info");
  const std::string_view strings = section_of(elf, ".debug_str");
  const bool readable = !information.empty() && !strings.empty() && strings.size() <= UINT32_MAX;
  std::vector<Unit> units;
  bool partial = false;
  Dwarf_Off next = 0;
  std::size_t header = 0;
  for (Dwarf_Off at = 0; dwarf_nextcu(dwarf.get(), at, &next, &header, nullptr, nullptr, nullptr) == 0; at = next) {
    Unit unit;
    if (dwarf_offdie(dwarf.get(), at + header, &unit.die) == nullptr) continue;
    if (next > at && at < information.size()) unit.bytes = information.substr(at, next - at);
    partial = partial || dwarf_tag(&unit.die) != DW_TAG_compile_unit;
    units.push_back(unit);
  }
  const Traces traces(strings, words);
  for (Unit& unit : units) {
    const bool is_known = readable && !partial && !dwarf_hasattr(&unit.die, DW_AT_str_offsets_base);
    if (!is_known || traces.are_in(unit.bytes)) visit(&unit.die);
  }
}

}  // namespace mazurka::program
