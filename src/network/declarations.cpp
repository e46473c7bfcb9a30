#include "network/declarations.hpp"

#include <algorithm>
#include <cctype>
#include <iterator>

#include <fmt/format.h>

#include "core/error.hpp"

namespace mazurka::network {
namespace {

[[noreturn]] void fail(const std::string& file, InputPosition position, std::string_view message) {
  throw InputError({file, position.line, position.column}, message);
}

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

/// The text of a declaration: one line, or several if its attributes span lines.
struct Lines {
  std::string_view text;
  unsigned first;  ///< the number of the first

  InputPosition position(std::size_t at) const {
    const std::string_view before = text.substr(0, at);
    const auto line = static_cast<unsigned>(std::count(before.begin(), before.end(), '\n'));
    return {first + line, static_cast<unsigned>(line == 0 ? at + 1 : at - before.rfind('\n'))};
  }
};

/// A part of a declaration, trimmed; its position is that of the first character.
Field trimmed(const Lines& lines, std::size_t begin, std::size_t end) {
  while (begin < end && is_blank(lines.text[begin])) ++begin;
  while (end > begin && is_blank(lines.text[end - 1])) --end;
  return {std::string(lines.text.substr(begin, end - begin)), lines.position(begin)};
}

std::vector<Field> split(const Lines& lines, std::size_t begin, std::size_t end, char separator) {
  std::vector<Field> fields;
  for (;;) {
    const std::size_t stop = std::min(lines.text.find(separator, begin), end);
    fields.push_back(trimmed(lines, begin, stop));
    if (stop == end) return fields;
    begin = stop + 1;
  }
}

Declaration parse_declaration(const Lines& lines, const std::string& file) {
  const std::string_view line = lines.text;
  Declaration declaration;
  std::size_t end = line.size();
  if (const std::size_t brace = line.find('{'); brace != std::string_view::npos) {
    const std::size_t close = line.find_first_of("{}", brace + 1);
    const InputPosition position = lines.position(brace);
    if (close == std::string_view::npos || line[close] == '{')
      fail(file, position, "this '{' is never closed; attributes end with '}'");
    if (const Field rest = trimmed(lines, close + 1, line.size()); !rest.text.empty())
      fail(file, rest.position, fmt::format("unexpected '{}' after the attributes", rest.text));
    const auto parts = split(lines, brace + 1, close, ':');
    if (!(parts.size() == 1 && parts[0].text.empty())) {
      if (parts.size() % 2 != 0)
        fail(file, parts.back().position, "an attribute is written 'name: value', the value may be empty");
      for (std::size_t i = 0; i < parts.size(); i += 2) {
        for (const Attribute& earlier : declaration.attributes)
          if (earlier.key.text == parts[i].text)
            fail(file, parts[i].position, fmt::format("attribute '{}' is given twice", parts[i].text));
        declaration.attributes.push_back({parts[i], parts[i + 1].text});
      }
    }
    end = brace;
  } else if (const std::size_t stray = line.find('}'); stray != std::string_view::npos) {
    fail(file, lines.position(stray), "this '}' has no '{' before it");
  }
  declaration.fields = split(lines, 0, end, ':');
  declaration.keyword = declaration.fields.front();
  declaration.fields.erase(declaration.fields.begin());
  return declaration;
}

SyncEnd parse_sync_end(const Field& field, const std::string& file) {
  if (field.text.ends_with('?'))
    fail(file, field.position,
         "weak synchronisation ('?') is not supported; an action joins one client and one server");
  const std::size_t at = field.text.find('@');
  if (at == std::string::npos) fail(file, field.position, fmt::format("'{}' should be 'process@event'", field.text));
  SyncEnd end{{field.text.substr(0, at), field.position}, {field.text.substr(at + 1), field.position}};
  end.event.position.column += static_cast<unsigned>(at + 1);
  require_name(end.process, file);
  require_name(end.event, file);
  return end;
}

}  // namespace

std::vector<Declaration> parse_declarations(std::string_view text, const std::string& file) {
  std::vector<Declaration> declarations;
  unsigned number = 0;
  const auto take_line = [&] {
    ++number;
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    return line.substr(0, line.find('#'));
  };
  while (!text.empty()) {
    std::string_view line = take_line();
    if (std::all_of(line.begin(), line.end(), is_blank)) continue;
    const unsigned first = number;
    std::string several;  // if the attributes span lines
    if (const std::size_t brace = line.find('{'); brace < line.size() && line.find('}', brace) == line.npos) {
      several = line;
      while (!text.empty() && several.find_first_of("{}", brace + 1) == several.npos)
        several.append("\n").append(take_line());
      line = several;
    }
    declarations.push_back(parse_declaration({line, first}, file));
  }
  return declarations;
}

void require_name(const Field& field, const std::string& file) {
  if (field.text.empty()) fail(file, field.position, "expected a name");
  const auto is_letter = [](unsigned char c) { return std::isalpha(c) != 0 || c == '_'; };
  const bool good = is_letter(static_cast<unsigned char>(field.text[0])) &&
                    std::all_of(field.text.begin(), field.text.end(), [&](unsigned char c) {
                      return is_letter(c) || std::isdigit(c) != 0 || c == '.' || c == '-';
                    });
  if (!good)
    fail(file, field.position,
         fmt::format("'{}' is not a name; names start with a letter or '_' and hold letters, digits, '_', '.', '-'",
                     field.text));
}

Sync parse_sync(const Declaration& declaration, const std::string& file) {
  if (declaration.fields.size() != 2)
    fail(file, declaration.keyword.position,
         fmt::format("a synchronisation of {} processes; an action joins one client and one server: sync:p@e:q@f",
                     declaration.fields.size()));
  if (!declaration.attributes.empty())
    fail(file, declaration.attributes.front().key.position, "a synchronisation has no attributes");
  return {parse_sync_end(declaration.fields[0], file), parse_sync_end(declaration.fields[1], file)};
}

Role parse_role(const Declaration& declaration, const std::string& file) {
  Role role = Role::Unknown;
  for (const Attribute& attribute : declaration.attributes) {
    if (attribute.key.text != "role")
      fail(file, attribute.key.position,
           fmt::format("attribute '{}' of a process is not known; it may have role: client or role: server",
                       attribute.key.text));
    if (attribute.value == "client") {
      role = Role::Client;
    } else if (attribute.value == "server") {
      role = Role::Server;
    } else {
      fail(file, attribute.key.position, fmt::format("role '{}' is neither client nor server", attribute.value));
    }
  }
  return role;
}

std::string_view role_name(Role role) { return role == Role::Client ? "client" : "server"; }

void append_sync_lines(const Network& network, std::string& text) {
  for (const Action& action : network.actions()) {
    if (network.component(action.server).implicit) continue;
    fmt::format_to(std::back_inserter(text), "sync:{}@{}:{}@{}\n", network.component(action.client).name,
                   network.events()[action.client_event], network.component(action.server).name,
                   network.events()[action.server_event]);
  }
}

}  // namespace mazurka::network
