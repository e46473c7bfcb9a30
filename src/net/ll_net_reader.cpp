#include "net/ll_net_reader.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <unordered_map>

#include <fmt/format.h>

#include "net/text_cursor.hpp"

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

  Net read() {
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
    net_.finish();
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

  void header() {
    if (!next_line().starts_with("PEP")) fail_here("not a PEP net: line 1 must be PEP");
    const std::string_view kind = next_line();
    if (!kind.starts_with("PetriBox") && !kind.starts_with("PTNet"))
      fail_here("not a low-level net: line 2 must be PetriBox or PTNet");
    if (!next_line().starts_with("FORMAT_N")) fail_here("not a low-level net: line 3 must start with FORMAT_N");
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
    if (name == "DPT") default_weight(cursor);
  }

  void default_weight(TextCursor& cursor) {
    const Tags tags = read_tags(cursor);
    if (tags.weight != 1) cursor.fail("arcs have default weight other than 1; only weight 1 is supported");
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
  };

  /// Names, coordinates and one-letter tags with an optional value, in any order.
  static Tags read_tags(TextCursor& cursor) {
    Tags tags;
    bool named = false;
    for (cursor.skip_blanks(); !cursor.at_end(); cursor.skip_blanks()) {
      const char c = cursor.peek();
      if (c == '"' || c == '\'') {
        std::string name = cursor.quoted();
        if (!named) tags.name = std::move(name);
        named = true;
      } else if (cursor.at_number()) {
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

  static void coordinates(TextCursor& cursor) {
    cursor.number();
    if (cursor.peek() != '@') return;
    cursor.next();
    if (!cursor.at_number()) cursor.fail("expected the second coordinate after '@'");
    cursor.number();
  }

  static void tag(TextCursor& cursor, Tags& tags) {
    const char letter = cursor.next();
    if (cursor.peek() == '"' || cursor.peek() == '\'') {
      cursor.quoted();
      return;
    }
    if (!cursor.at_number()) return;
    const std::int64_t value = cursor.number();
    if (cursor.peek() == '@') {
      cursor.next();
      if (!cursor.at_number()) cursor.fail("expected the second coordinate after '@'");
      cursor.number();
      return;
    }
    if (letter == 'M') tags.tokens = value;
    if (letter == 'w') tags.weight = value;
  }

  /// The optional id of an entity; `x@y` at the front is a coordinate. Without an id, entities count on from the last.
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
    if (tags.tokens < 0 || tags.tokens > 1)
      cursor.fail_at(start,
                     fmt::format("place '{}' starts with {} tokens; the net must be 1-safe", tags.name, tags.tokens));
    if (!places_.try_emplace(id, static_cast<PlaceId>(net_.places().size())).second)
      cursor.fail_at(start, fmt::format("a second place with id {}", id));
    net_.add_place(std::move(tags.name), tags.tokens == 1);
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
    if (tags.weight != 1)
      cursor.fail_at(0, fmt::format("the arc between place '{}' and transition '{}' has weight {}; only weight 1 is "
                                    "supported",
                                    net_.place(p).name, net_.transition(t).name, tags.weight));
    std::optional<ArcError> error;
    if (block_ == block_index("TP"))
      error = net_.add_output(t, p);
    else if (place_first)
      error = net_.add_input(p, t);
    else
      error = net_.add_read(p, t);
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
  Net net_;
};

}  // namespace

Net read_ll_net(std::string_view file, std::string_view text) { return LlNetReader(file, text).read(); }

}  // namespace mazurka::net
