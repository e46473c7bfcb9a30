#include "program/object_file.hpp"

#include <array>
#include <cctype>
#include <filesystem>
#include <memory>
#include <string_view>

#include <fcntl.h>
#include <gelf.h>
#include <unistd.h>

namespace mazurka::program {
namespace {

namespace fs = std::filesystem;

/// Exported by every program that is built for Mazurka.
constexpr std::string_view kRuntimeSymbol = "mazurka_failed";

/// A file opened by libelf.
class ElfFile {
 public:
  explicit ElfFile(const std::string& file) : descriptor_(open(file.c_str(), O_RDONLY | O_CLOEXEC)) {
    elf_version(EV_CURRENT);
    if (descriptor_ >= 0) elf_ = elf_begin(descriptor_, ELF_C_READ_MMAP, nullptr);
  }
  ~ElfFile() {
    elf_end(elf_);
    if (descriptor_ >= 0) close(descriptor_);
  }
  ElfFile(const ElfFile&) = delete;
  ElfFile& operator=(const ElfFile&) = delete;
  int descriptor() const { return descriptor_; }
  Elf* elf() const { return elf_; }

 private:
  int descriptor_;
  Elf* elf_ = nullptr;
};

/// Calls `visit(symbol, name)` for the symbols of a table until it returns true. Returns whether it did.
template <class Visit>
bool find_symbol(Elf* elf, Elf_Scn* section, const GElf_Shdr& header, Visit&& visit) {
  Elf_Data* const data = elf_getdata(section, nullptr);
  if (data == nullptr || header.sh_entsize == 0) return false;
  const auto count = static_cast<int>(header.sh_size / header.sh_entsize);
  for (int i = 0; i < count; ++i) {
    GElf_Sym symbol;
    if (gelf_getsym(data, i, &symbol) == nullptr) continue;
    const char* const name = elf_strptr(elf, header.sh_link, symbol.st_name);
    if (name != nullptr && visit(symbol, std::string_view(name))) return true;
  }
  return false;
}

bool refers_to_instrumentation(Elf* elf, Elf_Scn* section, const GElf_Shdr& header) {
  return find_symbol(elf, section, header,
                     [](const GElf_Sym&, std::string_view name) { return assembly::kInstrumented == name; });
}

bool defines_runtime(Elf* elf, Elf_Scn* section, const GElf_Shdr& header) {
  return find_symbol(elf, section, header, [](const GElf_Sym& symbol, std::string_view name) {
    return symbol.st_shndx != SHN_UNDEF && name == kRuntimeSymbol;
  });
}

std::string interpreter_of(Elf* elf) {
  std::size_t count = 0;
  std::size_t size = 0;
  const char* const image = elf_rawfile(elf, &size);
  if (image == nullptr || elf_getphdrnum(elf, &count) != 0) return "";
  for (std::size_t i = 0; i < count; ++i) {
    GElf_Phdr header;
    if (gelf_getphdr(elf, static_cast<int>(i), &header) == nullptr || header.p_type != PT_INTERP) continue;
    if (header.p_offset + header.p_filesz <= size && header.p_filesz > 0)
      return {image + header.p_offset, header.p_filesz - 1};
  }
  return "";
}

/// The dependencies in a dynamic section.
std::vector<std::string> libraries_of(Elf* elf, Elf_Scn* section, const GElf_Shdr& header) {
  std::vector<std::string> result;
  Elf_Data* const data = elf_getdata(section, nullptr);
  if (data == nullptr || header.sh_entsize == 0) return result;
  const auto count = static_cast<int>(header.sh_size / header.sh_entsize);
  for (int i = 0; i < count; ++i) {
    GElf_Dyn entry;
    if (gelf_getdyn(data, i, &entry) == nullptr) continue;
    if (entry.d_tag != DT_NEEDED && entry.d_tag != DT_AUXILIARY && entry.d_tag != DT_FILTER) continue;
    const char* const name = elf_strptr(elf, header.sh_link, entry.d_un.d_val);
    result.emplace_back(name == nullptr ? "" : name);
  }
  return result;
}

ObjectFile read_elf(Elf* elf) {
  ObjectFile result;
  if (elf == nullptr || elf_kind(elf) != ELF_K_ELF) return result;
  result.has_code = false;
  std::size_t names = 0;
  if (elf_getshdrstrndx(elf, &names) != 0) return ObjectFile{};
  for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf, section)) != nullptr;) {
    GElf_Shdr header;
    if (gelf_getshdr(section, &header) == nullptr) continue;
    const char* const name = elf_strptr(elf, names, header.sh_name);
    if ((header.sh_flags & SHF_EXECINSTR) != 0 && header.sh_size > 0) result.has_code = true;
    if (header.sh_type == SHT_SYMTAB || header.sh_type == SHT_DYNSYM)
      result.instrumented = result.instrumented || refers_to_instrumentation(elf, section, header);
    if (header.sh_type == SHT_DYNAMIC) result.libraries = libraries_of(elf, section, header);
    if (header.sh_type == SHT_DYNSYM) result.has_runtime = defines_runtime(elf, section, header);
    if (name != nullptr && assembly::kSection == name) {
      result.scanned = true;
      if (Elf_Data* const data = elf_getdata(section, nullptr); data != nullptr && data->d_buf != nullptr)
        result.unseen = assembly::from_section({static_cast<const char*>(data->d_buf), data->d_size});
    }
  }
  result.interpreter = interpreter_of(elf);
  return result;
}

}  // namespace

ObjectFile read_object(const std::string& file) {
  const ElfFile object(file);
  return read_elf(object.elf());
}

std::map<std::string, ObjectFile> read_archive(const std::string& file) {
  std::map<std::string, ObjectFile> result;
  const ElfFile archive(file);
  if (archive.elf() == nullptr || elf_kind(archive.elf()) != ELF_K_AR) return result;
  Elf_Cmd command = ELF_C_READ_MMAP;
  for (Elf* member = nullptr; (member = elf_begin(archive.descriptor(), command, archive.elf())) != nullptr;) {
    if (const Elf_Arhdr* const header = elf_getarhdr(member); header != nullptr && header->ar_name != nullptr) {
      // An archive may have several members of one name: all of them must be seen.
      const ObjectFile object = read_elf(member);
      if (const auto [known, fresh] = result.emplace(header->ar_name, object); !fresh && !object.seen())
        known->second = object;
    }
    command = elf_next(member);
    elf_end(member);
  }
  return result;
}

bool belongs_to_system(const std::string& file) {
  std::error_code error;
  const std::string path = fs::weakly_canonical(file, error).string();
  for (const char* const folder : {"/lib/", "/lib32/", "/lib64/", "/usr/lib/", "/usr/lib32/", "/usr/lib64/",
                                   "/usr/local/lib/", "/usr/local/lib64/", "/nix/store/"})
    if (path.starts_with(folder)) return true;
  return false;
}

bool is_language_runtime(const std::string& file) {
  std::string name = fs::path(file).filename().string();
  if (name.ends_with(".o")) {
    static constexpr std::array<std::string_view, 13> kStarts = {
        "crt1.",  "crti.",  "crtn.",  "crtbegin", "crtend", "crtfastmath", "crtprec",
        "Scrt1.", "gcrt1.", "rcrt1.", "grcrt1.",  "Mcrt1.", "clang_rt.crt"};
    for (const std::string_view start : kStarts)
      if (name.starts_with(start)) return true;
    return false;
  }
  // libc.so.6, libc-2.31.so, libc_nonshared.a
  name = name.substr(0, name.find(".so"));
  if (name.ends_with(".a")) name.resize(name.size() - 2);
  if (const std::size_t dash = name.find('-');
      dash + 1 < name.size() && std::isdigit(static_cast<unsigned char>(name[dash + 1])) != 0)
    name.resize(dash);
  static constexpr std::array<std::string_view, 19> kNames = {"libc",
                                                              "libm",
                                                              "libmvec",
                                                              "libpthread",
                                                              "libBrokenLocale",
                                                              "libc_nonshared",
                                                              "libpthread_nonshared",
                                                              "libmvec_nonshared",
                                                              "libstdc++",
                                                              "libstdc++fs",
                                                              "libsupc++",
                                                              "libgcc",
                                                              "libgcc_s",
                                                              "libgcc_eh",
                                                              "libc++",
                                                              "libc++abi",
                                                              "libc++experimental",
                                                              "libatomic",
                                                              "libcxxrt"};
  static constexpr std::array<std::string_view, 7> kNamesOfMany = {"libdl",  "librt",  "libutil",  "libresolv",
                                                                   "libanl", "libnsl", "libunwind"};
  for (const std::string_view known : kNames)
    if (name == known) return true;
  for (const std::string_view known : kNamesOfMany)
    if (name == known) return belongs_to_system(file);
  return name.starts_with("ld-linux") || name.starts_with("linux-vdso") || name.starts_with("ld-musl") ||
         name.starts_with("libclang_rt") || name == "ld";
}

}  // namespace mazurka::program
