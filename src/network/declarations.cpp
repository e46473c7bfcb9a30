#include "network/declarations.hpp"

#include <algorithm>
#include <cctype>
#include <iterator>

#include <fmt/format.h>

#include "core/error.hpp"

namespace mazurka::network {
namespace {

[[noreturn]] void fail(const std::string& file, Place place, std::string_view message) {
  throw InputError({file, place.line, place.column}, message);
}

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

/// A piece of a line without the blanks around it; its place is where the text itself begins.
Field trimmed(std::string_view line, std::size_t begin, std::size_t end, unsigned number) {
  while (begin < end && is_blank(line[begin])) ++begin;
  while (end > begin && is_blank(line[end - 1])) --end;
  return {std::string(line.substr(begin, end - begin)), {number, static_cast<unsigned>(begin + 1)}};
}

std::vector<Field> split(std::string_view line, std::size_t begin, std::size_t end, char separator, unsigned number) {
  std::vector<Field> fields;
  for (;;) {
    const std::size_t stop = std::min(line.find(separator, begin), end);
    fields.push_back(trimmed(line, begin, stop, number));
    if (stop == end) return fields;
    begin = stop + 1;
  }
}

Declaration parse_line(std::string_view line, unsigned number, const std::string& file) {
  Declaration declaration;
  std::size_t end = line.size();
  if (const std::size_t brace = line.find('{'); brace != std::string_view::npos) {
    const std::size_t close = line.find('}', brace);
    const Place place{number, static_cast<unsigned>(brace + 1)};
    if (close == std::string_view::npos) fail(file, place, "this '{' is never closed; attributes end with '}'");
    if (const Field rest = trimmed(line, close + 1, line.size(), number); !rest.text.empty())
      fail(file, rest.place, fmt::format("unexpected '{}' after the attributes", rest.text));
    const auto parts = split(line, brace + 1, close, ':', number);
    if (!(parts.size() == 1 && parts[0].text.empty())) {
      if (parts.size() % 2 != 0)
        fail(file, parts.back().place, "an attribute is written 'name: value', the value may be empty");
      for (std::size_t i = 0; i < parts.size(); i += 2) {
        for (const Attribute& earlier : declaration.attributes)
          if (earlier.key.text == parts[i].text)
            fail(file, parts[i].place, fmt::format("attribute '{}' stands here for the second time", parts[i].text));
        declaration.attributes.push_back({parts[i], parts[i + 1].text});
      }
    }
    end = brace;
  } else if (const std::size_t stray = line.find('}'); stray != std::string_view::npos) {
    fail(file, {number, static_cast<unsigned>(stray + 1)}, "this '}' has no '{' before it");
  }
  declaration.fields = split(line, 0, end, ':', number);
  declaration.keyword = declaration.fields.front();
  declaration.fields.erase(declaration.fields.begin());
  return declaration;
}

SyncEnd parse_sync_end(const Field& field, const std::string& file) {
  if (field.text.ends_with('?'))
    fail(file, field.place, "weak synchronisation ('?') is not supported; an action joins one client and one server");
  const std::size_t at = field.text.find('@');
  if (at == std::string::npos) fail(file, field.place, fmt::format("'{}' should be 'process@event'", field.text));
  SyncEnd end{{field.text.substr(0, at), field.place}, {field.text.substr(at + 1), field.place}};
  end.event.place.column += static_cast<unsigned>(at + 1);
  require_name(end.process, file);
  require_name(end.event, file);
  return end;
}

}  // namespace

std::vector<Declaration> parse_declarations(std::string_view text, const std::string& file) {
  std::vector<Declaration> declarations;
  unsigned number = 0;
  while (!text.empty()) {
    ++number;
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    line = line.substr(0, line.find('#'));
    if (std::all_of(line.begin(), line.end(), is_blank)) continue;
    declarations.push_back(parse_line(line, number, file));
  }
  return declarations;
}

void require_name(const Field& field, const std::string& file) {
  if (field.text.empty()) fail(file, field.place, "a name is missing here");
  const auto is_letter = [](unsigned char c) { return std::isalpha(c) != 0 || c == '_'; };
  const bool good = is_letter(static_cast<unsigned char>(field.text[0])) &&
                    std::all_of(field.text.begin(), field.text.end(), [&](unsigned char c) {
                      return is_letter(c) || std::isdigit(c) != 0 || c == '.' || c == '-';
                    });
  if (!good)
    fail(file, field.place,
         fmt::format("'{}' is not a name; names start with a letter or '_' and hold letters, digits, '_', '.', '-'",
                     field.text));
}

Sync parse_sync(const Declaration& declaration, const std::string& file) {
  if (declaration.fields.size() != 2)
    fail(file, declaration.keyword.place,
         fmt::format("a synchronisation of {} processes; an action joins one client and one server: sync:p@e:q@f",
                     declaration.fields.size()));
  if (!declaration.attributes.empty())
    fail(file, declaration.attributes.front().key.place, "a synchronisation has no attributes");
  return {parse_sync_end(declaration.fields[0], file), parse_sync_end(declaration.fields[1], file)};
}

Role parse_role(const Declaration& declaration, const std::string& file) {
  Role role = Role::Unknown;
  for (const Attribute& attribute : declaration.attributes) {
    if (attribute.key.text != "role")
      fail(file, attribute.key.place,
           fmt::format("attribute '{}' of a process is not known; it may have role: client or role: server",
                       attribute.key.text));
    if (attribute.value == "client") {
      role = Role::Client;
    } else if (attribute.value == "server") {
      role = Role::Server;
    } else {
      fail(file, attribute.key.place, fmt::format("role '{}' is neither client nor server", attribute.value));
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
