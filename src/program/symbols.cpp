#include "program/symbols.hpp"

#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string_view>
#include <unordered_map>

#include <cxxabi.h>
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <fmt/format.h>

#include "core/error.hpp"
#include "program/locals.hpp"
#include "program/members.hpp"

namespace mazurka::program {
namespace {

/// `[abi:cxx11]` tells versions of a library apart, and nothing to people.
std::string without_abi_tags(std::string name) {
  for (std::size_t tag = 0; (tag = name.find("[abi:", tag)) != std::string::npos;) {
    const std::size_t end = name.find(']', tag);
    if (end == std::string::npos) break;
    name.erase(tag, end + 1 - tag);
  }
  return name;
}

std::string demangled(const char* name) {
  if (!std::string_view(name).starts_with("_Z")) return name;  // otherwise the C name `x` would be demangled as a type
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(abi::__cxa_demangle(name, nullptr, nullptr, &status), std::free);
  return status == 0 ? without_abi_tags(text.get()) : name;
}

/// `count` for `f()::{lambda(int)#2}::operator()(int) const::count`, a static variable of a lambda.
void leave_lambdas(std::string& name) {
  constexpr std::string_view kCall = "::operator()(";
  const std::size_t lambda = name.rfind("{lambda(");
  const std::size_t call = lambda == std::string::npos ? lambda : name.find(kCall, lambda);
  if (call == std::string::npos) return;
  std::size_t end = call + kCall.size();
  for (int open = 1; open > 0 && end < name.size(); ++end) open += name[end] == '(' ? 1 : name[end] == ')' ? -1 : 0;
  end = name.find("::", end);
  constexpr std::string_view kGuard = "guard variable for ";
  const std::size_t begin = name.starts_with(kGuard) ? kGuard.size() : 0;
  if (end != std::string::npos) name.erase(begin, end + 2 - begin);
}

/// The name of a variable as its programmer would say it: without unnamed namespaces and lambdas, and without the
/// number that gcc appends to the static variables of functions in C.
std::string variable_name(const char* symbol) {
  constexpr std::string_view kUnnamed = "(anonymous namespace)::";
  std::string name = demangled(symbol);
  for (std::size_t at = 0; (at = name.find(kUnnamed, at)) != std::string::npos;) name.erase(at, kUnnamed.size());
  leave_lambdas(name);
  const std::size_t number = name.find_last_not_of("0123456789");
  if (number != std::string::npos && number != 0 && number + 1 < name.size() && name[number] == '.') name.erase(number);
  return name;
}

/// Some names of the standard library fill several lines, mostly with types.
std::string shortened(const std::string& function) {
  constexpr std::size_t kMost = 80;
  return function.size() <= kMost ? function : function.substr(0, function.find_first_of("<("));
}

/// The name of a function in debug information, without template arguments that are long or lambdas: compilers call
/// those by their places.
std::string without_long_arguments(std::string_view function) {
  constexpr std::size_t kMost = 40;
  // The runtime's definition of a function of the C library, whose symbol has that function's name.
  for (const std::string_view prefix : {"mazurka_library_", "mazurka_file_"})
    if (function.starts_with(prefix)) return std::string(function.substr(prefix.size()));
  const bool keeps = function.size() <= kMost && function.find("lambda") == std::string_view::npos;
  if (keeps || function.starts_with("operator")) return std::string(function);
  return std::string(function.substr(0, function.find('<')));
}

std::string normal_path(const std::string& path) { return std::filesystem::path(path).lexically_normal().string(); }

/// The compilation unit of an address. clang omits the table in which libdw looks it up; then all units are searched.
Dwarf_Die* unit_of(Dwfl_Module* module, Dwarf_Addr address, Dwarf_Addr& bias) {
  if (Dwarf_Die* unit = dwfl_module_addrdie(module, address, &bias)) return unit;
  for (Dwarf_Die* unit = nullptr; (unit = dwfl_module_nextcu(module, unit, &bias)) != nullptr;)
    if (dwarf_haspc(unit, address - bias) == 1) return unit;
  return nullptr;
}

/// The innermost scope of an address below `parent`. dwarf_getscopes() does not descend into namespaces, which have no
/// addresses of their own, and clang puts functions there. gcc puts the functions of a local class, such as a lambda,
/// into the enclosing function, which has other addresses: with `local` they are searched there.
bool search_scope(Dwarf_Die* parent, Dwarf_Addr address, bool local, Dwarf_Die* result) {
  Dwarf_Die child;
  if (dwarf_child(parent, &child) != 0) return false;
  do {
    const int tag = dwarf_tag(&child);
    const bool only_names = tag == DW_TAG_namespace || tag == DW_TAG_structure_type || tag == DW_TAG_class_type;
    const bool is_inside = !only_names && dwarf_haspc(&child, address) == 1;
    const bool may_hold_classes = tag == DW_TAG_subprogram || tag == DW_TAG_lexical_block;
    if (!only_names && !is_inside && !(local && may_hold_classes)) continue;
    if (search_scope(&child, address, local, result)) return true;
    if (!is_inside) continue;
    *result = child;
    return true;
  } while (dwarf_siblingof(&child, &child) == 0);
  return false;
}
bool innermost_scope(Dwarf_Die* unit, Dwarf_Addr address, Dwarf_Die* result) {
  return search_scope(unit, address, false, result) || search_scope(unit, address, true, result);
}

/// Walks outwards through the functions inlined at `address` until one is in the user's own files.
void leave_foreign_headers(Dwarf_Die* unit, Dwarf_Addr address, CodePlace& place) {
  Dwarf_Files* files = nullptr;
  if (dwarf_getsrcfiles(unit, &files, nullptr) != 0) return;
  // The innermost scope by address, then its parents in the code, not in the source.
  Dwarf_Die innermost;
  if (!innermost_scope(unit, address, &innermost)) return;
  Dwarf_Die* scopes = nullptr;
  const int count = dwarf_getscopes_die(&innermost, &scopes);
  const std::unique_ptr<Dwarf_Die, void (*)(void*)> owner(scopes, std::free);
  for (int i = 0; i < count; ++i) {
    const int tag = dwarf_tag(&scopes[i]);
    if (tag != DW_TAG_inlined_subroutine && tag != DW_TAG_subprogram) continue;
    if (const char* name = dwarf_diename(&scopes[i])) place.function = without_long_arguments(name);
    if (tag == DW_TAG_subprogram || !place.in_foreign_header()) return;
    Dwarf_Attribute attribute;
    Dwarf_Word file = 0;
    Dwarf_Word line = 0;
    if (dwarf_formudata(dwarf_attr(&scopes[i], DW_AT_call_file, &attribute), &file) != 0) return;
    if (dwarf_formudata(dwarf_attr(&scopes[i], DW_AT_call_line, &attribute), &line) != 0) return;
    if (const char* path = dwarf_filesrc(files, file, nullptr, nullptr)) place.path = path;
    place.line = static_cast<int>(line);
  }
}

// Where distributions put separate debug files.
char* debug_path = nullptr;
const Dwfl_Callbacks kCallbacks = {
    .find_elf = dwfl_build_id_find_elf,
    .find_debuginfo = dwfl_standard_find_debuginfo,
    .section_address = dwfl_offline_section_address,
    .debuginfo_path = &debug_path,
};

}  // namespace

struct Symbols::Implementation {
  std::unique_ptr<Dwfl, void (*)(Dwfl*)> session{dwfl_begin(&kCallbacks), dwfl_end};
  Dwfl_Module* module = nullptr;
  Dwarf_Addr start = 0;
  std::unique_ptr<Members> members;
  std::unique_ptr<Locals> locals;
  std::optional<std::string> runtime_folder;  ///< of its sources, after the first query

  struct Function {
    Dwarf_Addr end;
    const char* name;
  };
  std::map<Dwarf_Addr, Function> functions;  ///< cache, by first address

  struct Found {
    const char* name = nullptr;
    Dwarf_Addr begin = 0;  ///< of a function; otherwise both are 0
    Dwarf_Addr end = 0;
  };
  /// The symbol at an address. libdw scans all symbols to find it, so functions are cached.
  Found symbol_at(Dwarf_Addr address) {
    const auto next = functions.upper_bound(address);
    if (next != functions.begin())
      if (const auto& [begin, function] = *std::prev(next); address < function.end)
        return {function.name, begin, function.end};
    GElf_Off offset = 0;
    GElf_Sym symbol{};
    const char* name = dwfl_module_addrinfo(module, address, &offset, &symbol, nullptr, nullptr, nullptr);
    if (name == nullptr || GELF_ST_TYPE(symbol.st_info) != STT_FUNC || offset >= symbol.st_size) return {name};
    const Dwarf_Addr begin = address - offset;
    functions.emplace(begin, Function{begin + symbol.st_size, name});
    return {name, begin, begin + symbol.st_size};
  }

  // Executions have many events but few places: cache the answers.
  std::unordered_map<std::uint64_t, CodePlace> places;
  std::unordered_map<std::uint64_t, bool> in_runtime;
};

Symbols::Symbols(const std::string& binary) : implementation_(std::make_unique<Implementation>()) {
  Implementation& self = *implementation_;
  dwfl_report_begin(self.session.get());
  self.module = dwfl_report_offline(self.session.get(), binary.c_str(), binary.c_str(), -1);
  if (self.module == nullptr) throw InputError({binary}, fmt::format("is not a program: {}", dwfl_errmsg(-1)));
  dwfl_report_end(self.session.get(), nullptr, nullptr);
  self.members = std::make_unique<Members>(self.module);
  self.locals = std::make_unique<Locals>(self.module);
  dwfl_module_info(self.module, nullptr, &self.start, nullptr, nullptr, nullptr, nullptr, nullptr);
}

Symbols::~Symbols() = default;

CodePlace Symbols::code(std::uint64_t address) const {
  const auto [place, is_new] = implementation_->places.try_emplace(address);
  if (is_new) place->second = find_code(address);
  return place->second;
}

CodePlace Symbols::find_code(std::uint64_t address) const {
  Implementation& self = *implementation_;
  const Dwarf_Addr absolute = self.start + address;
  CodePlace place;
  if (const char* name = self.symbol_at(absolute).name) place.function = shortened(demangled(name));
  Dwarf_Addr bias = 0;
  if (Dwarf_Die* unit = unit_of(self.module, absolute, bias)) {
    if (Dwarf_Line* line = dwarf_getsrc_die(unit, absolute - bias)) {
      if (const char* path = dwarf_linesrc(line, nullptr, nullptr)) place.path = path;
      dwarf_lineno(line, &place.line);
    }
    leave_foreign_headers(unit, absolute - bias, place);
  }
  place.file = std::filesystem::path(place.path).filename().string();
  return place;
}

Symbols::Variable Symbols::variable(std::uint64_t address, std::string_view whole) const {
  const Implementation& self = *implementation_;
  GElf_Off offset = 0;
  GElf_Sym symbol{};
  const char* name =
      dwfl_module_addrinfo(self.module, self.start + address, &offset, &symbol, nullptr, nullptr, nullptr);
  if (name == nullptr || GELF_ST_TYPE(symbol.st_info) != STT_OBJECT || offset >= symbol.st_size) return {};
  const Dwarf_Addr begin = self.start + address - offset;
  return {variable_name(name) + self.members->path(begin, offset, whole), self.members->scalar(begin, offset)};
}

protocol::CodeRange Symbols::function(std::uint64_t address) const {
  Implementation& self = *implementation_;
  const auto found = self.symbol_at(self.start + address);
  return found.end == 0 ? protocol::CodeRange{} : protocol::CodeRange{found.begin - self.start, found.end - self.start};
}

Symbols::Variable Symbols::local(std::int64_t distance, std::string_view whole) const {
  Locals::Found found = implementation_->locals->at(distance, whole);
  return {std::move(found.name), std::move(found.type)};
}

Symbols::Variable Symbols::local(std::uint64_t address, std::int64_t distance, std::string_view whole) const {
  const Implementation& self = *implementation_;
  Dwarf_Addr bias = 0;
  Dwarf_Die* unit = unit_of(self.module, self.start + address, bias);
  Dwarf_Die innermost;
  if (unit == nullptr || !innermost_scope(unit, self.start + address - bias, &innermost)) return {};
  Locals::Found found = self.locals->at(innermost, self.start + address, bias, distance, whole);
  return {std::move(found.name), std::move(found.type)};
}

bool Symbols::is_runtime(std::uint64_t address) const {
  const auto known = implementation_->in_runtime.find(address);
  if (known != implementation_->in_runtime.end()) return known->second;
  return implementation_->in_runtime[address] = find_in_runtime(address);
}

bool Symbols::is_framework(std::uint64_t address) const {
  Implementation& self = *implementation_;
  const char* const symbol = self.symbol_at(self.start + address).name;
  const std::string function = symbol == nullptr ? "" : demangled(symbol);
  return function.starts_with("testing::") || function.starts_with("Catch::") || function.starts_with("doctest::") ||
         function.starts_with("mazurka::detail::");
}

bool Symbols::find_in_runtime(std::uint64_t address) const {
  Implementation& self = *implementation_;
  const char* name = self.symbol_at(self.start + address).name;
  if (name == nullptr) return false;
  const std::string function = demangled(name);
  if (function.starts_with("mazurka::runtime::") || function.starts_with("__tsan_") ||
      function.starts_with("mazurka_") || function.starts_with("__mazurka_"))
    return true;
  // Interposed functions have the names of the C library's, but their source is in our directory.
  if (!self.runtime_folder) self.runtime_folder = find_runtime_folder();
  return !self.runtime_folder->empty() && normal_path(code(address).path).starts_with(*self.runtime_folder);
}

/// The source directory of the runtime; empty if unknown.
std::string Symbols::find_runtime_folder() const {
  const Implementation& self = *implementation_;
  const int count = dwfl_module_getsymtab(self.module);
  for (int i = 0; i < count; ++i) {
    GElf_Sym symbol{};
    GElf_Addr address = 0;
    const char* name = dwfl_module_getsym_info(self.module, i, &symbol, &address, nullptr, nullptr, nullptr);
    if (name == nullptr || std::string_view(name) != "mazurka_failed") continue;
    const std::string path = normal_path(code(address - self.start).path);  // …/runtime/worker/outcome.cpp
    const std::size_t folder = path.rfind("/worker/");
    return folder == std::string::npos ? "" : path.substr(0, folder + 1);
  }
  return "";
}

bool Symbols::is_in_thread_end(std::uint64_t address) const {
  Implementation& self = *implementation_;
  const char* symbol = self.symbol_at(self.start + address).name;
  const std::string function = symbol == nullptr ? "" : demangled(symbol);
  if (function.starts_with("std::thread::~thread(") || function.starts_with("std::thread::operator=(")) return true;
  Dwarf_Addr bias = 0;
  Dwarf_Die* unit = unit_of(self.module, self.start + address, bias);
  Dwarf_Die innermost;
  if (unit == nullptr || !innermost_scope(unit, self.start + address - bias, &innermost)) return false;
  Dwarf_Die* scopes = nullptr;
  const int count = dwarf_getscopes_die(&innermost, &scopes);
  const std::unique_ptr<Dwarf_Die, void (*)(void*)> owner(scopes, std::free);
  for (int i = 0; i < count; ++i) {
    if (dwarf_tag(&scopes[i]) != DW_TAG_inlined_subroutine) continue;
    const char* name = dwarf_diename(&scopes[i]);
    const char* file = dwarf_decl_file(&scopes[i]);
    if (name == nullptr || file == nullptr) continue;
    const bool is_either = std::string_view(name) == "~thread" || std::string_view(name) == "operator=";
    const std::string header = std::filesystem::path(file).filename().string();
    if (is_either && (header == "std_thread.h" || header == "thread")) return true;
  }
  return false;
}

}  // namespace mazurka::program
