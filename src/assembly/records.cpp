#include "assembly/records.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include <fmt/format.h>

namespace mazurka::assembly {
namespace {

constexpr std::array kKinds = {Kind::Assembly, Kind::Function, Kind::Object, Kind::Library};

/// Fields are separated by tabs and records by zeros.
std::string field(std::string_view text) {
  std::string result(text);
  std::replace_if(
      result.begin(), result.end(), [](unsigned char c) { return c < ' '; }, ' ');
  return result;
}

void append_quoted(std::string& result, std::string_view text) {
  result += '"';
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\' || byte < ' ' || byte > '~')
      result += fmt::format("\\{:03o}", byte);
    else
      result += c;
  }
  result += '"';
}

}  // namespace

std::string_view name(Kind kind) {
  switch (kind) {
    case Kind::Assembly: return "asm";
    case Kind::Function: return "function";
    case Kind::Object: return "object";
    case Kind::Library: return "library";
  }
  return "";
}

std::string to_record(const Unseen& unseen) {
  return fmt::format("{}\t{}\t{}\t{}\t{}", name(unseen.kind), field(unseen.file), unseen.line, field(unseen.function),
                     field(unseen.text));
}

std::vector<Unseen> from_section(std::string_view section) {
  std::vector<Unseen> result;
  while (!section.empty()) {
    std::string_view record = section.substr(0, section.find('\0'));
    section.remove_prefix(std::min(section.size(), record.size() + 1));
    std::array<std::string_view, 5> fields;
    std::size_t count = 0;
    while (count < fields.size()) {
      const std::size_t tab = count + 1 < fields.size() ? record.find('\t') : std::string_view::npos;
      fields[count++] = record.substr(0, tab);
      if (tab == std::string_view::npos) break;
      record.remove_prefix(tab + 1);
    }
    const auto* kind =
        std::find_if(kKinds.begin(), kKinds.end(), [&](Kind candidate) { return name(candidate) == fields[0]; });
    if (count != fields.size() || kind == kKinds.end()) continue;
    Unseen unseen{*kind, std::string(fields[1]), 0, std::string(fields[3]), std::string(fields[4])};
    std::from_chars(fields[2].data(), fields[2].data() + fields[2].size(), unseen.line);
    result.push_back(std::move(unseen));
  }
  return result;
}

std::string section_text(const std::vector<Unseen>& records) {
  std::string result = fmt::format("\t.pushsection {},\"MS\",@progbits,1; .asciz \"{}\"", kSection, kScanned);
  for (const Unseen& unseen : records) {
    result += "; .asciz ";
    append_quoted(result, to_record(unseen));
  }
  return result + "; .popsection\n";
}

}  // namespace mazurka::assembly
