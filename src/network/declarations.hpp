// The line syntax shared by `.tck` and `.sync` files: `keyword:field:field{attribute: value : attribute: value}`, one
// declaration per line, `#` comments. Attributes may span lines.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "network/network.hpp"

namespace mazurka::network {

struct Field {
  std::string text;
  InputPosition position;
};

struct Attribute {
  Field key;
  std::string value;
};

struct Declaration {
  Field keyword;
  std::vector<Field> fields;
  std::vector<Attribute> attributes;
};

/// Splits a text into declarations. Throws InputError on a syntax error.
std::vector<Declaration> parse_declarations(std::string_view text, const std::string& file);

/// Throws InputError unless `field` is a name: a letter or `_`, then letters, digits, `_`, `.`, `-`.
void require_name(const Field& field, const std::string& file);

/// One side of a synchronisation, `process@event`.
struct SyncEnd {
  Field process;
  Field event;
};
struct Sync {
  SyncEnd first;
  SyncEnd second;
};

/// Reads `sync:p@e:q@f`; refuses weak synchronisations and those of more than two processes by name.
Sync parse_sync(const Declaration& declaration, const std::string& file);

/// Reads the attribute `role`, the only one a process may have.
Role parse_role(const Declaration& declaration, const std::string& file);

/// `client` or `server`, as the attribute `role` has it.
std::string_view role_name(Role role);

/// Writes a `sync` line for every action of the input.
void append_sync_lines(const Network& network, std::string& text);

}  // namespace mazurka::network
