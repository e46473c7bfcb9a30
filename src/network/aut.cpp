#include "network/aut.hpp"

#include <charconv>
#include <iterator>

#include <fmt/format.h>

#include "core/error.hpp"

namespace mazurka::network {
namespace {

/// Reads one line of an `.aut` file token by token.
class Cursor {
 public:
  Cursor(std::string_view line, unsigned number, const std::string& file) : line_(line), number_(number), file_(file) {}

  [[noreturn]] void fail(std::string_view message) const {
    throw InputError({file_, number_, static_cast<unsigned>(position_ + 1)}, message);
  }
  InputPosition position() const { return {number_, static_cast<unsigned>(position_ + 1)}; }

  bool at_end() {
    skip_blanks();
    return position_ == line_.size();
  }
  void expect(std::string_view token) {
    skip_blanks();
    if (!line_.substr(position_).starts_with(token)) fail(fmt::format("expected '{}'", token));
    position_ += token.size();
  }
  std::uint32_t number(std::string_view what) {
    skip_blanks();
    std::uint32_t value = 0;
    const char* begin = line_.data() + position_;
    const auto [end, error] = std::from_chars(begin, line_.data() + line_.size(), value);
    if (error != std::errc{}) fail(fmt::format("expected {}, a number below 4294967296", what));
    position_ += static_cast<std::size_t>(end - begin);
    return value;
  }
  /// A label up to the last comma, quoted or bare.
  std::string label() {
    skip_blanks();
    if (position_ < line_.size() && line_[position_] == '"') {
      const std::size_t close = line_.rfind('"');
      if (close == position_) fail("this label's closing quote is missing");
      std::string text(line_.substr(position_ + 1, close - position_ - 1));
      position_ = close + 1;
      return text;
    }
    const std::size_t comma = line_.rfind(',');
    if (comma == std::string_view::npos || comma < position_) fail("expected a label and ','");
    std::string_view text = line_.substr(position_, comma - position_);
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
    position_ = comma;
    return std::string(text);
  }
  void end() {
    if (!at_end()) fail("unexpected text at the end of the line");
  }

 private:
  void skip_blanks() {
    while (position_ < line_.size() &&
           (line_[position_] == ' ' || line_[position_] == '\t' || line_[position_] == '\r'))
      ++position_;
  }

  std::string_view line_;
  unsigned number_;
  const std::string& file_;
  std::size_t position_ = 0;
};

struct Header {
  std::uint32_t initial;
  std::uint32_t transitions;
  std::uint32_t states;
};

Header read_header(Cursor& cursor) {
  Header header{};
  cursor.expect("des");
  cursor.expect("(");
  header.initial = cursor.number("the initial state");
  cursor.expect(",");
  header.transitions = cursor.number("the number of transitions");
  cursor.expect(",");
  header.states = cursor.number("the number of states");
  if (header.states == 0) cursor.fail("an automaton has at least one state");
  if (header.initial >= header.states)
    cursor.fail(fmt::format("the initial state is {}, but states are 0 to {}", header.initial, header.states - 1));
  cursor.expect(")");
  cursor.end();
  return header;
}

}  // namespace

Automaton read_aut(std::string_view text, const std::string& file) {
  Automaton automaton;
  Header header{};
  bool has_header = false;
  unsigned number = 0;
  while (!text.empty()) {
    ++number;
    const std::size_t end = std::min(text.find('\n'), text.size());
    Cursor cursor(text.substr(0, end), number, file);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (cursor.at_end()) continue;
    if (!has_header) {
      header = read_header(cursor);
      has_header = true;
      continue;
    }
    const auto state = [&](std::string_view what) {
      const InputPosition position = cursor.position();
      const std::uint32_t id = cursor.number(what);
      if (id >= header.states)
        throw InputError({file, position.line, position.column},
                         fmt::format("state {} does not exist; states are 0 to {}", id, header.states - 1));
      return id;
    };
    Automaton::Transition transition;
    cursor.expect("(");
    transition.position = cursor.position();
    transition.source = state("a source state");
    cursor.expect(",");
    transition.label = cursor.label();
    cursor.expect(",");
    transition.target = state("a target state");
    cursor.expect(")");
    cursor.end();
    automaton.transitions.push_back(std::move(transition));
  }
  if (!has_header) throw InputError({file, 1, 1}, "there is no 'des (initial, transitions, states)' line");
  if (automaton.transitions.size() != header.transitions)
    throw InputError({file, number, 1},
                     fmt::format("the header announces {} transitions, but there are {}; is the file whole?",
                                 header.transitions, automaton.transitions.size()));
  automaton.initial = header.initial;
  automaton.states = header.states;
  return automaton;
}

std::string write_aut(const Network& network, ComponentId id) {
  const Component& component = network.component(id);
  std::string text =
      fmt::format("des ({}, {}, {})\n", network.initial(id), component.edges.size(), component.locations.size());
  for (const Edge& edge : component.edges)
    fmt::format_to(std::back_inserter(text), "({}, \"{}\", {})\n", edge.source, network.events()[edge.event],
                   edge.target);
  return text;
}

}  // namespace mazurka::network
