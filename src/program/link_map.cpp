#include "program/link_map.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>

#include <fmt/format.h>

#include "program/object_file.hpp"

namespace mazurka::program {
namespace {

namespace fs = std::filesystem;

std::string_view stripped(std::string_view text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front())) != 0) text.remove_prefix(1);
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())) != 0) text.remove_suffix(1);
  return text;
}

/// Removes the first word from the text and returns it.
std::string_view next_word(std::string_view& text) {
  text = stripped(text);
  const std::string_view word = text.substr(0, text.find_first_of(" \t"));
  text = stripped(text.substr(word.size()));
  return word;
}

bool is_hexadecimal(std::string_view text) {
  if (text.starts_with("0x")) text.remove_prefix(2);
  return !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isxdigit(c) != 0; });
}

bool is_nothing(std::string_view text) { return text.find_first_not_of("0x") == std::string_view::npos; }

bool may_hold_code(std::string_view section) {
  for (const std::string_view data : {".comment",
                                      ".note",
                                      ".debug",
                                      ".eh_frame",
                                      ".gcc_except_table",
                                      ".data",
                                      ".bss",
                                      ".rodata",
                                      ".tdata",
                                      ".tbss",
                                      ".init_array",
                                      ".fini_array",
                                      ".preinit_array",
                                      ".gnu",
                                      ".rela",
                                      ".symtab",
                                      ".strtab",
                                      ".shstrtab",
                                      ".mazurka",
                                      ".got",
                                      ".ctors",
                                      ".dtors",
                                      ".dyn",
                                      ".hash",
                                      ".interp",
                                      ".stab",
                                      ".group",
                                      "*",
                                      ".llvm",
                                      ".sframe"})
    if (section.starts_with(data)) return false;
  return true;
}

/// Splits `libx.a(part.o)`, and `libx.a:part.o` of thin archives.
LinkedFile split_member(std::string_view name) {
  if (name.ends_with(')'))
    if (const std::size_t open = name.rfind('('); open != std::string_view::npos && open > 0)
      return {std::string(name.substr(0, open)), std::string(name.substr(open + 1, name.size() - open - 2))};
  return {std::string(name), ""};
}

class MapReader {
 public:
  std::vector<LinkedFile> read(std::string_view map) {
    // Maps of lld and mold start with column headers.
    const bool columns = stripped(map.substr(0, map.find('\n'))).starts_with("VMA");
    if (!columns) {
      const std::size_t begin = std::min(map.find("Memory map\n"), map.find("Linker script and memory map"));
      map.remove_prefix(std::min(map.size(), begin));  // discarded sections come before
    }
    while (!map.empty()) {
      const std::string_view line = map.substr(0, map.find('\n'));
      map.remove_prefix(std::min(map.size(), line.size() + 1));
      if (columns)
        read_columns(line);
      else
        read_section(line);
    }
    return std::move(files_);
  }

 private:
  /// ` .text 0x1139 0x16 part.o`; a long section name has a line of its own.
  void read_section(std::string_view line) {
    if (line.size() < 2 || line[0] != ' ' || line[1] == '*') return;
    std::string_view rest = line;
    const std::string_view first = next_word(rest);
    if (!first.starts_with("0x")) {
      section_ = first;
      if (rest.empty()) return;
    } else {
      rest = line;
    }
    const std::string_view address = next_word(rest);
    const std::string_view size = next_word(rest);
    if (address.starts_with("0x") && size.starts_with("0x") && !rest.empty()) add(section_, size, rest);
  }

  /// `1139 1139 16 16 part.o:(.text)`; mold omits the second number.
  void read_columns(std::string_view line) {
    line = stripped(line);
    const std::size_t section = line.rfind(":(");
    if (section == std::string_view::npos || !line.ends_with(')') || line[section - 1] == ':') return;
    // Symbols have lines of their own, some with parentheses too.
    if (line.find_first_of(" :(,'<", section + 2) != std::string_view::npos) return;
    std::string_view rest = line.substr(0, section);
    std::vector<std::string_view> numbers;
    while (numbers.size() < 4) {
      std::string_view behind = rest;
      const std::string_view word = next_word(behind);
      if (behind.empty() || !is_hexadecimal(word)) break;
      numbers.push_back(word);
      rest = behind;
    }
    if (numbers.size() < 3) return;
    add(line.substr(section + 2, line.size() - section - 3), numbers[numbers.size() - 2], stripped(rest));
  }

  void add(std::string_view section, std::string_view size, std::string_view name) {
    if (is_nothing(size) || !may_hold_code(section) || name.starts_with('<')) return;
    const LinkedFile file = split_member(name);
    if (std::find(files_.begin(), files_.end(), file) == files_.end()) files_.push_back(file);
  }

  std::vector<LinkedFile> files_;
  std::string_view section_;
};

/// Reads the members of each archive only once.
class ObjectReader {
 public:
  ObjectFile read(const LinkedFile& linked) {
    if (linked.member.empty()) return read_object(linked.file);
    const auto [members, fresh] = archives_.try_emplace(linked.file);
    if (fresh) members->second = read_archive(linked.file);
    if (const auto member = members->second.find(linked.member); member != members->second.end()) return member->second;
    // A thin archive refers to files beside it.
    return read_object((fs::path(linked.file).parent_path() / linked.member).string());
  }

 private:
  std::map<std::string, std::map<std::string, ObjectFile>> archives_;
};

}  // namespace

std::vector<LinkedFile> linked_files(std::string_view map) { return MapReader().read(map); }

std::string map_file(const std::vector<std::string>& words) {
  std::vector<std::string> linker;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "-Xlinker" && i + 1 < words.size()) linker.push_back(words[++i]);
    if (!words[i].starts_with("-Wl,")) continue;
    for (std::size_t begin = 4; begin <= words[i].size();) {
      const std::size_t end = std::min(words[i].find(',', begin), words[i].size());
      linker.push_back(words[i].substr(begin, end - begin));
      begin = end + 1;
    }
  }
  std::string result;
  for (std::size_t i = 0; i < linker.size(); ++i) {
    for (const std::string_view option : {"-Map", "--Map"}) {
      if (linker[i] == option && i + 1 < linker.size()) result = linker[i + 1];
      if (linker[i].starts_with(std::string(option) + "=")) result = linker[i].substr(option.size() + 1);
    }
  }
  return result;
}

std::vector<assembly::Unseen> unseen_files(const std::vector<LinkedFile>& files, const std::string& own) {
  constexpr std::size_t kMembersShown = 5;
  std::vector<assembly::Unseen> result;
  std::map<std::string, std::size_t> members;
  ObjectReader reader;
  for (const LinkedFile& linked : files) {
    if (linked.file == own || is_language_runtime(linked.file)) continue;
    const ObjectFile object = reader.read(linked);
    if (object.seen()) continue;
    const char* const why = object.instrumented ? "instrumented, but not compiled by mazurka cc" : "not instrumented";
    const auto known = std::find_if(result.begin(), result.end(),
                                    [&](const assembly::Unseen& unseen) { return unseen.file == linked.file; });
    const std::size_t count = ++members[linked.file];
    if (known == result.end())
      result.push_back({belongs_to_system(linked.file) ? assembly::Kind::Library : assembly::Kind::Object, linked.file,
                        0, "", linked.member.empty() ? why : fmt::format("{}: {}", why, linked.member)});
    else if (count <= kMembersShown)
      known->text += ", " + linked.member;
    else if (count == kMembersShown + 1)
      known->text += ", ...";
  }
  return result;
}

}  // namespace mazurka::program
