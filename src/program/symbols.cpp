#include "program/symbols.hpp"

#include <cstdlib>
#include <filesystem>
#include <memory>

#include <cxxabi.h>
#include <elfutils/libdwfl.h>
#include <fmt/format.h>

#include "core/error.hpp"

namespace mazurka::program {
namespace {

std::string demangled(const char* name) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(abi::__cxa_demangle(name, nullptr, nullptr, &status), std::free);
  return status == 0 ? text.get() : name;
}

// Separate debug files are looked for where the distribution puts them.
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
};

Symbols::Symbols(const std::string& binary) : implementation_(std::make_unique<Implementation>()) {
  Implementation& self = *implementation_;
  dwfl_report_begin(self.session.get());
  self.module = dwfl_report_offline(self.session.get(), binary.c_str(), binary.c_str(), -1);
  if (self.module == nullptr) throw InputError({binary}, fmt::format("is not a program: {}", dwfl_errmsg(-1)));
  dwfl_report_end(self.session.get(), nullptr, nullptr);
  dwfl_module_info(self.module, nullptr, &self.start, nullptr, nullptr, nullptr, nullptr, nullptr);
}

Symbols::~Symbols() = default;

CodePlace Symbols::code(std::uint64_t address) const {
  const Implementation& self = *implementation_;
  const Dwarf_Addr absolute = self.start + address;
  CodePlace place;
  if (const char* name = dwfl_module_addrname(self.module, absolute)) place.function = demangled(name);
  if (Dwfl_Line* line = dwfl_module_getsrc(self.module, absolute)) {
    if (const char* path = dwfl_lineinfo(line, nullptr, &place.line, nullptr, nullptr, nullptr)) place.path = path;
    place.file = std::filesystem::path(place.path).filename().string();
  }
  return place;
}

std::string Symbols::variable(std::uint64_t address) const {
  const Implementation& self = *implementation_;
  GElf_Off offset = 0;
  GElf_Sym symbol{};
  const char* name =
      dwfl_module_addrinfo(self.module, self.start + address, &offset, &symbol, nullptr, nullptr, nullptr);
  if (name == nullptr || GELF_ST_TYPE(symbol.st_info) != STT_OBJECT || offset >= symbol.st_size) return "";
  return offset == 0 ? demangled(name) : fmt::format("{}+{}", demangled(name), offset);
}

std::string to_string(const CodePlace& place) {
  if (place.file.empty()) return place.function;
  const std::string line = fmt::format("{}:{}", place.file, place.line);
  return place.function.empty() ? line : fmt::format("{} ({})", line, place.function);
}

}  // namespace mazurka::program
