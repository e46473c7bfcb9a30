#include "program/timed_code.hpp"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <string_view>

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <gelf.h>
#include <unistd.h>

#include "program/debug_units.hpp"

namespace mazurka::program {
namespace {

using protocol::TimedCode;
using protocol::TimeQuestion;

/// Members of classes of libstdc++ that read the clock for this purpose only.
struct TimedFunction {
  std::string_view name;
  std::string_view owner;  ///< the class
  TimeQuestion question;
};
constexpr TimedFunction kTimedFunctions[] = {
    {"wait_for", "condition_variable", TimeQuestion::Deadline},
    {"__wait_until_impl", "condition_variable", TimeQuestion::IsOver},
    {"wait_for", "condition_variable_any", TimeQuestion::Deadline},
    {"_M_try_lock_for", "__timed_mutex_impl", TimeQuestion::Deadline},
    {"try_lock_for", "shared_timed_mutex", TimeQuestion::Deadline},
    {"try_lock_shared_for", "shared_timed_mutex", TimeQuestion::Deadline},
    {"_M_load_when_equal_for", "__atomic_futex_unsigned", TimeQuestion::Deadline},
    {"_M_do_wait_for", "__timed_waiter", TimeQuestion::Deadline},
    {"_M_do_wait_until", "__timed_waiter", TimeQuestion::IsOver},
    {"operator()", "__timed_backoff_spin_policy", TimeQuestion::IsOver},
};
/// Prefixes of their names.
constexpr std::string_view kWords[] = {"wait_for",      "__wait_until_impl",   "_M_try_lock_for",
                                       "try_lock_for",  "try_lock_shared_for", "_M_load_when_equal_for",
                                       "_M_do_wait_for"};

/// The name without template arguments.
std::string_view plain_name(Dwarf_Die* die) {
  const char* const text = dwarf_diename(die);
  const std::string_view name = text == nullptr ? "" : text;
  return name.substr(0, name.find('<'));
}

/// The declaration of a function, which may be an inlined copy or defined elsewhere. Symbols would not do: functions
/// local to a unit have none in the debug information, and a predicate may make them local.
Dwarf_Die declaration_of(Dwarf_Die die) {
  for (const unsigned attribute : {DW_AT_abstract_origin, DW_AT_specification}) {
    Dwarf_Attribute reference;
    Dwarf_Die target;
    if (dwarf_attr(&die, attribute, &reference) != nullptr && dwarf_formref_die(&reference, &target) != nullptr)
      die = target;
  }
  return die;
}

/// Whether a function is a member of a class in namespace std, or in an inner namespace of the library there.
bool is_member_in_std(Dwarf_Die* function, std::string_view owner) {
  Dwarf_Die declaration = declaration_of(*function);
  Dwarf_Die* scopes = nullptr;
  const int count = dwarf_getscopes_die(&declaration, &scopes);
  const std::unique_ptr<Dwarf_Die, void (*)(void*)> owned(scopes, std::free);
  if (count < 4 || plain_name(&scopes[1]) != owner) return false;
  const bool is_inner = plain_name(&scopes[2]) == "_V2" || plain_name(&scopes[2]) == "__detail";
  const int inner = is_inner ? 3 : 2;
  return inner + 2 == count && dwarf_tag(&scopes[inner]) == DW_TAG_namespace && plain_name(&scopes[inner]) == "std";
}

TimeQuestion question_of(Dwarf_Die* function) {
  const std::string_view name = plain_name(function);
  for (const TimedFunction& timed : kTimedFunctions)
    if (name == timed.name && is_member_in_std(function, timed.owner)) return timed.question;
  return TimeQuestion::Other;
}

using CodeRanges = std::vector<protocol::CodeRange>;

void add_ranges(Dwarf_Die* die, CodeRanges& ranges) {
  Dwarf_Addr base = 0;
  Dwarf_Addr begin = 0;
  Dwarf_Addr end = 0;
  for (std::ptrdiff_t at = 0; (at = dwarf_ranges(die, at, &base, &begin, &end)) > 0;)
    if (begin < end) ranges.push_back({begin, end});
}

/// Adds the range except for the holes.
void add_without(protocol::CodeRange range, const CodeRanges& holes, TimeQuestion question,
                 std::vector<TimedCode>& found) {
  for (const protocol::CodeRange& hole : holes) {  // sorted by begin
    if (hole.end <= range.begin || hole.begin >= range.end) continue;
    if (range.begin < hole.begin) found.push_back({{range.begin, hole.begin}, question});
    range.begin = hole.end;
    if (range.begin >= range.end) return;
  }
  found.push_back({range, question});
}

/// Calls `visit` for the functions below `parent`: inlined in it, or defined there.
template <class Visit>
void for_each_function_below(Dwarf_Die* parent, const Visit& visit) {
  Dwarf_Die child;
  if (dwarf_child(parent, &child) != 0) return;
  do {
    switch (dwarf_tag(&child)) {
      case DW_TAG_subprogram:
      case DW_TAG_inlined_subroutine: visit(&child); break;
      case DW_TAG_lexical_block:
      case DW_TAG_namespace:
      case DW_TAG_class_type:
      case DW_TAG_structure_type: for_each_function_below(&child, visit); break;
      default: break;
    }
  } while (dwarf_siblingof(&child, &child) == 0);
}

void search_function(Dwarf_Die* function, std::vector<TimedCode>& found) {
  if (const TimeQuestion question = question_of(function); question != TimeQuestion::Other) {
    CodeRanges own;
    CodeRanges inlined;
    add_ranges(function, own);
    for_each_function_below(function, [&](Dwarf_Die* inner) { add_ranges(inner, inlined); });
    std::sort(inlined.begin(), inlined.end(), [](const auto& a, const auto& b) { return a.begin < b.begin; });
    for (const protocol::CodeRange& range : own) add_without(range, inlined, question, found);
  }
  for_each_function_below(function, [&](Dwarf_Die* inner) { search_function(inner, found); });
}

void search_units(Elf* elf, std::vector<TimedCode>& found) {
  for_each_unit_naming(elf, kWords, [&](Dwarf_Die* unit) {
    for_each_function_below(unit, [&](Dwarf_Die* function) { search_function(function, found); });
  });
}

/// Whether a name occurs with template arguments, as in `wait_for<long, ...>` or the mangled `8wait_forIl...`. A mere
/// declaration, which every program that includes <condition_variable> has, has none.
bool has_instance(std::string_view strings, std::string_view name) {
  for (std::size_t at = 0; (at = find_bytes(strings, name, at)) != std::string_view::npos; ++at) {
    const std::size_t next = at + name.size();
    if (next < strings.size() && (strings[next] == '<' || strings[next] == 'I')) return true;
  }
  return false;
}

/// Cheap test: does the program call the library's clocks and timed waits?
bool may_ask(Elf* elf) {
  const auto asks = [&](std::string_view section) {
    return find_bytes(section_of(elf, section), "_clock3nowEv") != std::string_view::npos;
  };
  if (!asks(".dynstr") && !asks(".strtab")) return false;
  for (const char* const section : {".strtab", ".debug_str"})
    for (const std::string_view name : kWords)
      if (has_instance(section_of(elf, section), name)) return true;
  return false;
}

}  // namespace

std::vector<TimedCode> timed_code(const std::string& binary) {
  std::vector<TimedCode> found;
  const int file = open(binary.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return found;
  elf_version(EV_CURRENT);
  {
    const std::unique_ptr<Elf, int (*)(Elf*)> elf(elf_begin(file, ELF_C_READ_MMAP, nullptr), elf_end);
    if (elf && elf_kind(elf.get()) == ELF_K_ELF && may_ask(elf.get())) search_units(elf.get(), found);
  }
  close(file);
  std::sort(found.begin(), found.end(),
            [](const TimedCode& a, const TimedCode& b) { return a.code.begin < b.code.begin; });
  // The linker keeps one copy of a function that several units define, and does not relocate the others.
  std::size_t kept = 0;
  for (const TimedCode& code : found)
    if (kept == 0 || code.code.begin >= found[kept - 1].code.end) found[kept++] = code;
  found.resize(kept);
  return found;
}

}  // namespace mazurka::program
