#include "net/ll_net_reader.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <unordered_map>

#include <fmt/format.h>

#include "net/text_cursor.hpp"
#include "net/weighted_arcs.hpp"

namespace mazurka::net {
namespace {

constexpr std::array<std::string_view, 14> kBlocks = {"DBL", "DPL", "DTR", "DPT", "BL",  "PL",  "TR",
                                                      "PTR", "TP",  "PT",  "RA",  "PTP", "PPT", "TX"};

constexpr std::size_t block_index(std::string_view name) {
  return static_cast<std::size_t>(std::find(kBlocks.begin(), kBlocks.end(), name) - kBlocks.begin());
}

/// Places and transitions have separate name spaces of ids.
using Ids = std::unordered_map<std::int64_t, std::uint32_t>;

class LlNetReader {
 public:
  LlNetReader(std::string_view file, std::string_view text) : file_(file), rest_(text) {}

  Net read(bool any) {
    if (any) weighted_.accept_any();
    header();
    while (!rest_.empty()) {
      const std::string_view content = next_line();
      TextCursor cursor(file_, content, line_number_);
      cursor.skip_blanks();
      if (cursor.at_end()) continue;
      if (TextCursor::is_capital(cursor.peek()) && TextCursor::is_capital(cursor.peek(1)))
        start_block(cursor);
      else
        entity(cursor);
    }
    for (std::string_view needed : {"PL", "TR", "TP", "PT"})
      if (!seen_[block_index(needed)])
        fail_here(fmt::format("the file ends without a block {}; it may be truncated", needed));
    weighted_.finish();
    return std::move(net_);
  }

 private:
  [[noreturn]] void fail_here(std::string_view message) const {
    throw InputError({std::string(file_), std::max(line_number_, 1U), 1}, message);
  }

  /// The next line without its comment; `%` inside quotation marks is text.
  std::string_view next_line() {
    ++line_number_;
    std::string_view content = take_line(rest_);
    char quote = '\0';
    for (std::size_t i = 0; i < content.size(); ++i) {
      const char c = content[i];
      if (quote != '\0') {
        if (c == quote) quote = '\0';
      } else if (c == '"' || c == '\'') {
        quote = c;
      } else if (c == '%') {
        return content.substr(0, i);
      }
    }
    return content;
  }

  /// The next line that contains more than a comment, without blanks; comments may precede the header too.
  std::string_view next_word() {
    while (!rest_.empty()) {
      std::string_view word = next_line();
      while (!word.empty() && is_blank(word.front())) word.remove_prefix(1);
      while (!word.empty() && is_blank(word.back())) word.remove_suffix(1);
      if (!word.empty()) return word;
    }
    return {};
  }
  static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

  void header() {
    if (next_word() != "PEP") fail_here("not a PEP net: the first line must be PEP");
    const std::string_view kind = next_word();
    if (kind != "PetriBox" && kind != "PTNet")
      fail_here("not a low-level net: the second line must be PetriBox or PTNet");
    const std::string_view format = next_word();
    if (format != "FORMAT_N" && format != "FORMAT_N2")
      fail_here("not a low-level net: the third line must be FORMAT_N or FORMAT_N2");
  }

  void start_block(TextCursor& cursor) {
    std::string name;
    while (TextCursor::is_capital(cursor.peek())) name += cursor.next();
    const std::size_t index = block_index(name);
    if (index == kBlocks.size()) cursor.fail_at(0, fmt::format("unknown block '{}'", name));
    if (seen_[index]) cursor.fail_at(0, fmt::format("block {} occurs twice", name));
    if (index < block_) cursor.fail_at(0, fmt::format("block {} must come before {}", name, kBlocks[block_]));
    seen_[index] = true;
    block_ = index;
    if (name.starts_with('D')) {
      default_weight_ = read_tags(cursor).weight;
    } else if (cursor.skip_blanks(); !cursor.at_end()) {
      cursor.fail(fmt::format("unexpected text after {}", name));
    }
  }

  void entity(TextCursor& cursor) {
    switch (block_) {
      case block_index("PL"): return place(cursor);
      case block_index("TR"): return transition(cursor);
      case block_index("TP"):
      case block_index("PT"):
      case block_index("RA"): return arc(cursor);
      default:
        if (!seen_[block_]) cursor.fail("expected the start of a block, such as PL");
    }
  }

  /// What we keep of the tags that follow an id.
  struct Tags {
    std::string name;
    std::int64_t tokens = 0;
    std::int64_t weight = 1;
    bool has_capacity = false;
  };

  /// Names, coordinates and one-letter tags with an optional value, in any order.
  Tags read_tags(TextCursor& cursor) const {
    Tags tags;
    tags.weight = default_weight_;
    bool named = false;
    for (cursor.skip_blanks(); !cursor.at_end(); cursor.skip_blanks()) {
      const char c = cursor.peek();
      if (c == '"' || c == '\'') {
        std::string name = cursor.quoted();
        if (!named) tags.name = std::move(name);
        named = true;
      } else if (cursor.at_number() || c == ',') {
        if (c == ',') cursor.next();
        coordinates(cursor);
      } else if (TextCursor::is_letter(c)) {
        tag(cursor, tags);
      } else {
        cursor.fail(fmt::format("unexpected character '{}'", printable(c)));
      }
    }
    return tags;
  }

  static std::string printable(char c) {
    return c >= ' ' && c < '\x7f' ? std::string(1, c) : fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
  }

  /// A single number would be the id, which is accepted only at the front.
  static void coordinates(TextCursor& cursor) {
    const std::size_t start = cursor.offset();
    if (!cursor.at_number()) cursor.fail("expected a coordinate");
    cursor.number();
    if (cursor.peek() != '@') cursor.fail_at(start, "unexpected number; an id stands in front of all else");
    cursor.next();
    if (!cursor.at_number()) cursor.fail("expected the second coordinate after '@'");
    cursor.number();
  }

  /// The tags of a block that only concern layout and PEP's own bookkeeping: positions (nNaAsthHjqQJcB), visibility
  /// (v), comments (b), references to the program (R, T, u, P), entry and exit of a box (e, x, S), the current marking
  /// (m, y).
  std::string_view decoration() const {
    switch (block_) {
      case block_index("PL"): return "nNbaAmuByRexvstcT";
      case block_index("TR"): return "SnNbaAvuPhHRjstcT";
      case block_index("DPT"): return "nt";
      case block_index("DBL"):
      case block_index("DPL"):
      case block_index("DTR"): return "nast";
      default: return "JnNqQvtc";
    }
  }

  enum class Value { None, Number, Text, Coordinates };

  void tag(TextCursor& cursor, Tags& tags) const {
    const std::size_t start = cursor.offset();
    const char letter = cursor.next();
    Value kind = Value::None;
    std::int64_t number = 0;
    if (cursor.peek() == '"' || cursor.peek() == '\'') {
      if (!cursor.quoted().empty()) kind = Value::Text;
    } else if (cursor.at_number()) {
      const std::size_t value = cursor.offset();
      number = cursor.number();
      kind = cursor.peek() == '@' ? Value::Coordinates : Value::Number;
      if (kind == Value::Coordinates) {
        cursor.rewind(value);
        coordinates(cursor);
      }
    }
    const bool place = block_ == block_index("PL");
    const bool arc = block_ == block_index("DPT") || block_ >= block_index("TP");
    if (place && letter == 'M' && kind == Value::Number) {
      tags.tokens = number;
    } else if (arc && letter == 'w' && kind == Value::Number) {
      tags.weight = number;
    } else {
      const bool harmless = decoration().find(letter) != std::string_view::npos ||
                            (place && letter == 'k' && number >= 2) ||  // no place of a 1-safe net holds that many
                            (is_term(letter) && kind == Value::None);
      if (!harmless) cursor.fail_at(start, refusal(letter));
      if (place && letter == 'k') tags.has_capacity = true;
    }
  }

  /// Types, initial markings, guards, actions and inscriptions of high-level nets.
  static bool is_term(char letter) { return std::string_view("zZgip").find(letter) != std::string_view::npos; }

  std::string refusal(char letter) const {
    if (letter == 'k')
      return "tag 'k': capacities below 2 are not supported; remove it if the net is 1-safe without it";
    if (is_term(letter))
      return fmt::format(
          "tag '{}': types, terms and inscriptions of high-level nets are not supported; unfold the net "
          "first",
          letter);
    return fmt::format("tag '{}' is not known in block {} and may change what the net does; remove it if it does not",
                       letter, kBlocks[block_]);
  }

  /// The optional id of an entity; `x@y` at the front is a coordinate. Entities without an id are numbered on from the
  /// last one.
  static std::int64_t identify(TextCursor& cursor, std::int64_t& counter) {
    if (cursor.at_number()) {
      const std::size_t start = cursor.offset();
      const std::int64_t id = cursor.number();
      if (cursor.peek() == '@') {
        cursor.rewind(start);
      } else {
        if (id < 1) cursor.fail_at(start, "ids count from 1");
        counter = id;
        return id;
      }
    }
    return ++counter;
  }

  void place(TextCursor& cursor) {
    const std::size_t start = cursor.offset();
    const std::int64_t id = identify(cursor, last_place_);
    Tags tags = read_tags(cursor);
    if (tags.name.empty()) tags.name = fmt::format("p{}", id);
    if (!places_.try_emplace(id, static_cast<PlaceId>(net_.places().size())).second)
      cursor.fail_at(start, fmt::format("a second place with id {}", id));
    const PlaceId added = net_.add_place(std::move(tags.name));
    if (tags.has_capacity) weighted_.note_capacity();
    if (const auto error = weighted_.add_tokens(added, tags.tokens,
                                                {std::string(file_), line_number_, static_cast<unsigned>(start + 1)}))
      cursor.fail_at(start, error->message);
  }

  void transition(TextCursor& cursor) {
    const std::size_t start = cursor.offset();
    const std::int64_t id = identify(cursor, last_transition_);
    Tags tags = read_tags(cursor);
    if (tags.name.empty()) tags.name = fmt::format("t{}", id);
    if (!transitions_.try_emplace(id, static_cast<TransitionId>(net_.transitions().size())).second)
      cursor.fail_at(start, fmt::format("a second transition with id {}", id));
    net_.add_transition(std::move(tags.name));
  }

  std::uint32_t endpoint(TextCursor& cursor, const Ids& ids, std::string_view kind) const {
    const std::size_t start = cursor.offset();
    if (!cursor.at_number()) cursor.fail(fmt::format("expected the id of a {}", kind));
    const std::int64_t id = cursor.number();
    const auto found = ids.find(id);
    if (found == ids.end()) cursor.fail_at(start, fmt::format("no {} has id {}", kind, id));
    return found->second;
  }

  void arc(TextCursor& cursor) {
    const bool place_first = block_ == block_index("PT");
    const std::uint32_t first =
        endpoint(cursor, place_first ? places_ : transitions_, place_first ? "place" : "transition");
    cursor.skip_blanks();
    if (cursor.peek() != '<' && cursor.peek() != '>' && cursor.peek() != '@')
      cursor.fail("expected '<', '>' or '@' between the ends of an arc");
    cursor.next();
    cursor.skip_blanks();
    const std::uint32_t second =
        endpoint(cursor, place_first ? transitions_ : places_, place_first ? "transition" : "place");
    const PlaceId p = place_first ? first : second;
    const TransitionId t = place_first ? second : first;
    const Tags tags = read_tags(cursor);
    std::optional<ArcError> error;
    if (block_ == block_index("TP"))
      error = weighted_.add_output(t, p, tags.weight, {std::string(file_), line_number_, 1});
    else if (place_first)
      error = weighted_.add_input(p, t, tags.weight);
    else
      error = weighted_.add_read(p, t, tags.weight);
    if (error) cursor.fail_at(0, error->message);
  }

  std::string_view file_;
  std::string_view rest_;
  unsigned line_number_ = 0;
  std::size_t block_ = 0;
  std::array<bool, kBlocks.size()> seen_{};
  std::int64_t last_place_ = 0;
  std::int64_t last_transition_ = 0;
  Ids places_;
  Ids transitions_;
  std::int64_t default_weight_ = 1;
  Net net_;
  WeightedArcs weighted_{net_};
};

}  // namespace

Net read_ll_net(std::string_view file, std::string_view text) { return LlNetReader(file, text).read(false); }
Net read_any_ll_net(std::string_view file, std::string_view text) { return LlNetReader(file, text).read(true); }

}  // namespace mazurka::net
