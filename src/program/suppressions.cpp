#include "program/suppressions.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>

#include <cxxabi.h>
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <gelf.h>
#include <unistd.h>

#include "core/error.hpp"
#include "program/command_line.hpp"
#include "program/object_file.hpp"

namespace mazurka::program {
namespace {

using Ranges = std::vector<protocol::SuppressedRange>;

constexpr std::string_view kDefault = "__tsan_default_suppressions";

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

/// Whether a pattern with `*` matches the whole text.
bool globs(std::string_view pattern, std::string_view text) {
  std::size_t p = 0;
  std::size_t t = 0;
  std::size_t star = std::string_view::npos;
  std::size_t resume = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      resume = t;
    } else if (p < pattern.size() && pattern[p] == text[t]) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++resume;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

std::string demangled_symbol(const char* name) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(abi::__cxa_demangle(name, nullptr, nullptr, &status), std::free);
  return status == 0 ? text.get() : name;
}

/// Calls `visit(symbol, name)` for every function and variable of the program.
template <class Visit>
void for_each_symbol(Elf* elf, Visit&& visit) {
  for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf, section)) != nullptr;) {
    GElf_Shdr header;
    Elf_Data* const data = elf_getdata(section, nullptr);
    if (gelf_getshdr(section, &header) == nullptr || header.sh_type != SHT_SYMTAB || data == nullptr) continue;
    GElf_Sym symbol;
    for (int i = 0; gelf_getsym(data, i, &symbol) != nullptr; ++i) {
      const int type = GELF_ST_TYPE(symbol.st_info);
      if ((type != STT_FUNC && type != STT_OBJECT) || symbol.st_shndx == SHN_UNDEF || symbol.st_size == 0) continue;
      const char* const name = elf_strptr(elf, header.sh_link, symbol.st_name);
      if (name != nullptr) visit(symbol, name);
    }
  }
}

/// Collects the code and the variables that the rules match.
class Search {
 public:
  explicit Search(const std::vector<Suppression>& rules) : rules_(rules) {}

  void search_debug_information(Elf* elf) {
    const std::unique_ptr<Dwarf, int (*)(Dwarf*)> dwarf(dwarf_begin_elf(elf, DWARF_C_READ, nullptr), dwarf_end);
    if (!dwarf) return;
    Dwarf_CU* unit = nullptr;
    Dwarf_Die die;
    while (dwarf_get_units(dwarf.get(), unit, &unit, nullptr, nullptr, &die, nullptr) == 0) {
      search(&die);
      search_lines(&die);
    }
  }

  void search_symbols(Elf* elf) {
    for_each_symbol(elf, [&](const GElf_Sym& symbol, const char* name) {
      add(demangled_symbol(name), "", {{symbol.st_value, symbol.st_value + symbol.st_size}},
          GELF_ST_TYPE(symbol.st_info) == STT_OBJECT);
    });
  }

  Ranges calls;
  Ranges accesses;
  Ranges variables;

 private:
  void add(const std::string& name, const std::string& file, const std::vector<protocol::CodeRange>& ranges,
           bool variable) {
    for (std::uint32_t i = 0; i < rules_.size(); ++i) {
      const Suppression& rule = rules_[i];
      if (rule.kind == Suppression::Kind::WithoutEffect) continue;
      if (variable && rule.kind != Suppression::Kind::Race) continue;
      if (!matches(rule.pattern, name) && !matches(rule.pattern, file)) continue;
      Ranges& into = variable ? variables : (rule.kind == Suppression::Kind::Race ? calls : accesses);
      for (const protocol::CodeRange& range : ranges) into.push_back({range.begin, range.end, i});
    }
  }

  void add_function(Dwarf_Die* function) {
    std::vector<protocol::CodeRange> ranges;
    Dwarf_Addr base = 0;
    Dwarf_Addr begin = 0;
    Dwarf_Addr end = 0;
    for (std::ptrdiff_t at = 0; (at = dwarf_ranges(function, at, &base, &begin, &end)) > 0;)
      if (begin < end) ranges.push_back({begin, end});
    if (ranges.empty()) return;
    Dwarf_Attribute attribute;
    const char* name = dwarf_formstring(dwarf_attr_integrate(function, DW_AT_linkage_name, &attribute));
    if (name == nullptr) name = dwarf_diename(function);
    const char* const file = dwarf_decl_file(function);
    add(name == nullptr ? "" : demangled_symbol(name), file == nullptr ? "" : file, ranges, false);
  }

  /// Finds the code of each file by line tables: debug information does not always tell the file of a function.
  void search_lines(Dwarf_Die* unit) {
    Dwarf_Lines* lines = nullptr;
    std::size_t count = 0;
    if (dwarf_getsrclines(unit, &lines, &count) != 0) return;
    Dwarf_Addr begin = 0;
    std::string file;
    for (std::size_t i = 0; i < count; ++i) {
      Dwarf_Line* const line = dwarf_onesrcline(lines, i);
      Dwarf_Addr address = 0;
      bool ends = false;
      if (dwarf_lineaddr(line, &address) != 0 || dwarf_lineendsequence(line, &ends) != 0) continue;
      const char* const source = ends ? nullptr : dwarf_linesrc(line, nullptr, nullptr);
      const std::string next = source == nullptr ? "" : source;
      if (next == file) continue;
      if (!file.empty() && begin < address) add("", file, {{begin, address}}, false);
      file = next;
      begin = address;
    }
  }

  void search(Dwarf_Die* parent) {
    Dwarf_Die child;
    if (dwarf_child(parent, &child) != 0) return;
    do {
      switch (dwarf_tag(&child)) {
        case DW_TAG_subprogram:
        case DW_TAG_inlined_subroutine: add_function(&child); [[fallthrough]];
        case DW_TAG_lexical_block:
        case DW_TAG_namespace:
        case DW_TAG_class_type:
        case DW_TAG_structure_type: search(&child); break;
        default: break;
      }
    } while (dwarf_siblingof(&child, &child) == 0);
  }

  const std::vector<Suppression>& rules_;
};

/// Makes the ranges disjoint and sorts them: of two that overlap, the one that starts first has the overlap.
void put(Ranges& found, protocol::SuppressedRanges& into) {
  std::ranges::sort(found, {}, &protocol::SuppressedRange::begin);
  Ranges disjoint;
  std::uint64_t done = 0;
  for (protocol::SuppressedRange range : found) {
    range.begin = std::max(range.begin, done);
    if (range.begin >= range.end) continue;
    done = range.end;
    if (!disjoint.empty() && disjoint.back().end == range.begin && disjoint.back().rule == range.rule)
      disjoint.back().end = range.end;
    else
      disjoint.push_back(range);
  }
  if (disjoint.size() > protocol::kMaxSuppressedRanges)
    throw InputError(fmt::format("the suppressions match more than {} functions or variables; make them more specific",
                                 protocol::kMaxSuppressedRanges));
  into.count = static_cast<std::uint32_t>(disjoint.size());
  std::ranges::copy(disjoint, into.ranges);
}

/// Calls `visit(elf)` if the file is an ELF file.
template <class Visit>
void with_elf(const std::string& binary, Visit&& visit) {
  const int file = open(binary.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return;
  elf_version(EV_CURRENT);
  {
    const std::unique_ptr<Elf, int (*)(Elf*)> elf(elf_begin(file, ELF_C_READ_MMAP, nullptr), elf_end);
    if (elf && elf_kind(elf.get()) == ELF_K_ELF) visit(elf.get());
  }
  close(file);
}

}  // namespace

std::string to_string(const Suppression& suppression) { return suppression.type + ':' + suppression.pattern; }

std::vector<Suppression> parse_suppressions(std::string_view text, const std::string& file) {
  constexpr std::array<std::string_view, 5> kWithoutEffect{"thread", "mutex", "signal", "deadlock", "called_from_lib"};
  std::vector<Suppression> rules;
  for (unsigned line = 1; !text.empty(); ++line) {
    const std::size_t end = text.find('\n');
    const std::string_view words = trimmed(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (words.empty() || words[0] == '#') continue;
    const std::size_t colon = words.find(':');
    const std::string type(words.substr(0, colon));
    const bool is_race = type == "race" || type == "race_top";
    if (colon == std::string_view::npos ||
        (!is_race && std::ranges::find(kWithoutEffect, type) == kWithoutEffect.end()))
      throw InputError({file, line, 1},
                       fmt::format("'{}' is not a suppression; write TYPE:PATTERN, where TYPE is race, race_top, "
                                   "thread, mutex, signal, deadlock or called_from_lib",
                                   words));
    const std::string pattern(trimmed(words.substr(colon + 1)));
    if (pattern.empty()) throw InputError({file, line, 1}, fmt::format("'{}' has no pattern", words));
    const auto kind = type == "race"       ? Suppression::Kind::Race
                      : type == "race_top" ? Suppression::Kind::RaceTop
                                           : Suppression::Kind::WithoutEffect;
    rules.push_back({kind, type, pattern});
  }
  return rules;
}

bool matches(std::string_view pattern, std::string_view name) {
  if (name.empty()) return false;
  const bool from_beginning = pattern.starts_with('^');
  if (from_beginning) pattern.remove_prefix(1);
  const bool to_end = pattern.ends_with('$');
  if (to_end) pattern.remove_suffix(1);
  return globs(fmt::format("{}{}{}", from_beginning ? "" : "*", pattern, to_end ? "" : "*"), name);
}

std::shared_ptr<const protocol::Suppressions> suppressed_ranges(const std::string& binary,
                                                                const std::vector<Suppression>& rules) {
  if (rules.empty()) return nullptr;
  Search search(rules);
  with_elf(binary, [&](Elf* elf) {
    search.search_debug_information(elf);
    search.search_symbols(elf);
  });
  if (search.calls.empty() && search.accesses.empty() && search.variables.empty()) return nullptr;
  auto result = std::make_shared<protocol::Suppressions>();
  put(search.calls, result->calls);
  put(search.accesses, result->accesses);
  put(search.variables, result->variables);
  return result;
}

std::string default_suppressions(const std::string& binary) {
  bool has_any = false;
  with_elf(binary, [&](Elf* elf) {
    for_each_symbol(elf, [&](const GElf_Sym&, const char* name) { has_any = has_any || name == kDefault; });
  });
  if (!has_any || !read_object(binary).has_runtime) return "";
  return output_of({"env", std::string(protocol::kSuppressionsVariable) + "=1", binary});
}

}  // namespace mazurka::program
