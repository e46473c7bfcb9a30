#include "net/tina_reader.hpp"

#include <set>
#include <string>
#include <unordered_map>

#include <fmt/format.h>

#include "net/text_cursor.hpp"
#include "net/weighted_arcs.hpp"

namespace mazurka::net {
namespace {

class TinaReader {
 public:
  TinaReader(std::string_view file, std::string_view text) : file_(file), rest_(text) {}

  Net read(bool any) {
    if (any) weighted_.accept_any();
    for (unsigned line = 1; !rest_.empty(); ++line) {
      line_ = line;
      TextCursor cursor(file_, take_line(rest_), line);
      blanks(cursor);
      if (!cursor.at_end()) statement(cursor);
    }
    if (!any_) throw InputError({std::string(file_), 1, 1}, "no net here: expected lines that start with tr or pl");
    weighted_.finish();
    return std::move(net_);
  }

 private:
  struct Arc {
    bool test = false;
    std::int64_t weight = 1;
  };

  static void blanks(TextCursor& cursor) {
    cursor.skip_blanks();
    if (cursor.peek() == '#') cursor.rewind(cursor.offset() + cursor.rest().size());
  }

  void statement(TextCursor& cursor) {
    const std::size_t start = cursor.offset();
    const std::string keyword = name(cursor);
    if (keyword == "tr") {
      transition_line(cursor);
    } else if (keyword == "pl") {
      place_line(cursor);
    } else if (keyword == "net") {
      name(cursor);
      return end(cursor);
    } else if (keyword == "lb") {
      name(cursor);
      annotation(cursor);
      return end(cursor);
    } else if (keyword == "nt") {
      name(cursor);
      name(cursor);
      annotation(cursor);
      return end(cursor);
    } else if (keyword == "pr") {
      cursor.fail_at(start, "priorities are not supported");
    } else {
      cursor.fail_at(start, fmt::format("expected tr, pl, lb or net, found '{}'", keyword));
    }
    any_ = true;
  }

  /// TINA treats a line break as a blank. We require one declaration per line, so that nothing after a declaration is
  /// dropped silently.
  static void end(TextCursor& cursor) {
    blanks(cursor);
    if (!cursor.at_end()) cursor.fail("unexpected text after the declaration; write the next one on a line of its own");
  }

  static bool in_name(char c) {
    return TextCursor::is_letter(c) || TextCursor::is_digit(c) || c == '_' || c == '\'' || c == '.';
  }

  static std::string name(TextCursor& cursor) {
    blanks(cursor);
    const std::size_t start = cursor.offset();
    std::string text = cursor.peek() == '{' ? braced(cursor) : word(cursor);
    if (text.empty()) cursor.fail_at(start, "expected a name");
    return text;
  }

  /// Labels and notes may be empty: {}.
  static void annotation(TextCursor& cursor) {
    blanks(cursor);
    if (cursor.peek() == '{')
      braced(cursor);
    else
      name(cursor);
  }

  static std::string word(TextCursor& cursor) {
    std::string text;
    while (in_name(cursor.peek())) text += cursor.next();
    return text;
  }

  static std::string braced(TextCursor& cursor) {
    const std::size_t start = cursor.offset();
    std::string text;
    cursor.next();
    while (cursor.peek() != '}') {
      if (cursor.at_end()) cursor.fail_at(start, "the name in braces is not closed");
      if (cursor.peek() == '\\') cursor.next();
      if (cursor.at_end()) cursor.fail_at(start, "the name in braces is not closed");
      text += cursor.next();
    }
    cursor.next();
    return text;
  }

  PlaceId place(const std::string& text) {
    const auto [at, fresh] = places_.try_emplace(text, static_cast<PlaceId>(net_.places().size()));
    if (fresh) net_.add_place(text);
    return at->second;
  }

  TransitionId transition(const std::string& text) {
    const auto [at, fresh] = transitions_.try_emplace(text, static_cast<TransitionId>(net_.transitions().size()));
    if (fresh) net_.add_transition(text);
    return at->second;
  }

  static void label(TextCursor& cursor) {
    blanks(cursor);
    if (cursor.peek() != ':') return;
    cursor.next();
    annotation(cursor);
  }

  /// Only the trivial interval, [0,w[, keeps the net untimed.
  static void interval(TextCursor& cursor) {
    blanks(cursor);
    if (cursor.peek() != '[' && cursor.peek() != ']') return;
    if (!cursor.rest().starts_with("[0,w[")) cursor.fail("time intervals other than [0,w[ are not supported");
    cursor.rewind(cursor.offset() + 5);
  }

  /// The suffix of a name in a list of arcs: `*2` or `?1`.
  static Arc arc(TextCursor& cursor, const std::string& node) {
    const std::size_t start = cursor.offset();
    const char mark = cursor.peek();
    if (mark == '!') cursor.fail(fmt::format("the stopwatch arc of '{}' is not supported", node));
    if (mark != '*' && mark != '?') return {};
    cursor.next();
    if (cursor.peek() == '-') cursor.fail_at(start, fmt::format("the inhibitor arc of '{}' is not supported", node));
    if (!cursor.at_number()) cursor.fail("expected the weight of the arc");
    const std::int64_t weight = cursor.number();
    // 2K is 2000, but all weights above 1 mean the same here.
    constexpr std::string_view kMultiples = "KMGTPE";
    const bool multiple = !cursor.at_end() && kMultiples.find(cursor.peek()) != std::string_view::npos;
    if (multiple) cursor.next();
    if (in_name(cursor.peek())) cursor.fail(fmt::format("unexpected text after the weight of '{}'", node));
    return {mark == '?', multiple ? 2 * weight : weight};
  }

  /// `a b?1 -> c d`: calls input(name, arc) for each node before the arrow and output(name, arc) for each node after
  /// it.
  template <typename Input, typename Output>
  void arcs(TextCursor& cursor, Input&& input, Output&& output) {
    bool left = true;
    for (blanks(cursor); !cursor.at_end(); blanks(cursor)) {
      const std::size_t start = cursor.offset();
      if (cursor.rest().starts_with("->")) {
        if (!left) cursor.fail("a second '->' in one line");
        left = false;
        cursor.rewind(start + 2);
        continue;
      }
      const std::string node = name(cursor);
      const Arc found = arc(cursor, node);
      const std::optional<ArcError> error = left ? input(node, found) : output(node, found);
      if (error) cursor.fail_at(start, error->message);
    }
    if (left) cursor.fail("expected '->'");
  }

  static ArcError no_test(const std::string& node) {
    return {fmt::format("the arc of '{}' cannot be a test arc: a test arc goes from a place to a transition", node)};
  }

  std::optional<ArcError> add_input(PlaceId p, TransitionId t, Arc arc) {
    return arc.test ? weighted_.add_read(p, t, arc.weight) : weighted_.add_input(p, t, arc.weight);
  }

  SourcePosition here() const { return {std::string(file_), line_, 1}; }

  void transition_line(TextCursor& cursor) {
    const std::string text = name(cursor);
    const TransitionId t = transition(text);
    label(cursor);
    interval(cursor);
    blanks(cursor);
    if (cursor.at_end()) return;
    arcs(
        cursor, [&](const std::string& node, Arc arc) { return add_input(place(node), t, arc); },
        [&](const std::string& node, Arc arc) {
          return arc.test ? std::optional(no_test(node)) : weighted_.add_output(t, place(node), arc.weight, here());
        });
  }

  void place_line(TextCursor& cursor) {
    const std::string text = name(cursor);
    const PlaceId p = place(text);
    label(cursor);
    blanks(cursor);
    if (cursor.peek() == '(') {
      const std::size_t start = cursor.offset();
      cursor.next();
      blanks(cursor);
      if (!cursor.at_number()) cursor.fail("expected the initial marking");
      const std::int64_t tokens = cursor.number();
      blanks(cursor);
      if (cursor.peek() != ')') cursor.fail("expected ')' after the initial marking");
      cursor.next();
      if (!given_.insert(p).second) cursor.fail_at(start, fmt::format("a second initial marking of place '{}'", text));
      if (const auto error =
              weighted_.add_tokens(p, tokens, {std::string(file_), line_, static_cast<unsigned>(start + 1)}))
        cursor.fail_at(start, error->message);
    }
    blanks(cursor);
    if (cursor.at_end()) return;
    arcs(
        cursor,
        [&](const std::string& node, Arc arc) {
          return arc.test ? std::optional(no_test(node))
                          : weighted_.add_output(transition(node), p, arc.weight, here());
        },
        [&](const std::string& node, Arc arc) { return add_input(p, transition(node), arc); });
  }

  std::string_view file_;
  std::string_view rest_;
  std::unordered_map<std::string, PlaceId> places_;
  std::unordered_map<std::string, TransitionId> transitions_;
  std::set<PlaceId> given_;  ///< places whose initial marking was read
  unsigned line_ = 0;
  Net net_;
  WeightedArcs weighted_{net_};
  bool any_ = false;
};

}  // namespace

Net read_tina(std::string_view file, std::string_view text) { return TinaReader(file, text).read(false); }
Net read_any_tina(std::string_view file, std::string_view text) { return TinaReader(file, text).read(true); }

}  // namespace mazurka::net
