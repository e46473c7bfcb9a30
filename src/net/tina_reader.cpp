#include "net/tina_reader.hpp"

#include <string>
#include <unordered_map>

#include <fmt/format.h>

#include "net/text_cursor.hpp"

namespace mazurka::net {
namespace {

class TinaReader {
 public:
  TinaReader(std::string_view file, std::string_view text) : file_(file), rest_(text) {}

  Net read() {
    for (unsigned line = 1; !rest_.empty(); ++line) {
      TextCursor cursor(file_, take_line(rest_), line);
      blanks(cursor);
      if (!cursor.at_end()) statement(cursor);
    }
    if (!any_) throw InputError({std::string(file_), 1, 1}, "no net here: expected lines that start with tr or pl");
    net_.finish();
    return std::move(net_);
  }

 private:
  enum class ArcKind { Normal, Test };

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
    } else if (keyword == "net" || keyword == "lb" || keyword == "nt") {
      return;
    } else if (keyword == "pr") {
      cursor.fail_at(start, "priorities are not supported");
    } else {
      cursor.fail_at(start, fmt::format("expected tr, pl, lb or net, found '{}'", keyword));
    }
    any_ = true;
  }

  static bool in_name(char c) {
    return TextCursor::is_letter(c) || TextCursor::is_digit(c) || c == '_' || c == '\'' || c == '.';
  }

  static std::string name(TextCursor& cursor) {
    blanks(cursor);
    const std::size_t start = cursor.offset();
    std::string text;
    if (cursor.peek() == '{') {
      cursor.next();
      while (cursor.peek() != '}') {
        if (cursor.at_end()) cursor.fail_at(start, "the name in braces is not closed");
        if (cursor.peek() == '\\') cursor.next();
        if (cursor.at_end()) cursor.fail_at(start, "the name in braces is not closed");
        text += cursor.next();
      }
      cursor.next();
    } else {
      while (in_name(cursor.peek())) text += cursor.next();
    }
    if (text.empty()) cursor.fail_at(start, "expected a name");
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
    name(cursor);
  }

  /// Only the interval that means nothing, [0,w[, keeps the net untimed.
  static void interval(TextCursor& cursor) {
    blanks(cursor);
    if (cursor.peek() != '[' && cursor.peek() != ']') return;
    if (!cursor.rest().starts_with("[0,w[")) cursor.fail("time intervals other than [0,w[ are not supported");
    cursor.rewind(cursor.offset() + 5);
  }

  /// What may follow a name in a list of arcs: `*1` or `?1`.
  static ArcKind arc_kind(TextCursor& cursor, const std::string& node) {
    const std::size_t start = cursor.offset();
    const char mark = cursor.peek();
    if (mark == '!') cursor.fail(fmt::format("the stopwatch arc of '{}' is not supported", node));
    if (mark != '*' && mark != '?') return ArcKind::Normal;
    cursor.next();
    if (cursor.peek() == '-') cursor.fail_at(start, fmt::format("the inhibitor arc of '{}' is not supported", node));
    if (!cursor.at_number()) cursor.fail("expected the weight of the arc");
    const std::int64_t weight = cursor.number();
    if (weight != 1 || TextCursor::is_letter(cursor.peek()))
      cursor.fail_at(start, fmt::format("the arc of '{}' has a weight other than 1; only weight 1 is supported", node));
    return mark == '?' ? ArcKind::Test : ArcKind::Normal;
  }

  /// `a b?1 -> c d`: calls input(name, kind) and output(name) for each.
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
      const ArcKind kind = arc_kind(cursor, node);
      const std::optional<ArcError> error = left ? input(node, kind) : output(node, kind);
      if (error) cursor.fail_at(start, error->message);
    }
    if (left) cursor.fail("expected '->'");
  }

  static ArcError no_test(const std::string& node) {
    return {fmt::format("the arc of '{}' cannot be a test arc: a test arc goes from a place to a transition", node)};
  }

  void transition_line(TextCursor& cursor) {
    const std::string text = name(cursor);
    const TransitionId t = transition(text);
    label(cursor);
    interval(cursor);
    blanks(cursor);
    if (cursor.at_end()) return;
    arcs(
        cursor,
        [&](const std::string& node, ArcKind kind) {
          return kind == ArcKind::Test ? net_.add_read(place(node), t) : net_.add_input(place(node), t);
        },
        [&](const std::string& node, ArcKind kind) {
          return kind == ArcKind::Test ? std::optional(no_test(node)) : net_.add_output(t, place(node));
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
      if (tokens < 0 || tokens > 1)
        cursor.fail_at(start, fmt::format("place '{}' starts with {} tokens; the net must be 1-safe", text, tokens));
      if (tokens == 1) net_.mark(p);
    }
    blanks(cursor);
    if (cursor.at_end()) return;
    arcs(
        cursor,
        [&](const std::string& node, ArcKind kind) {
          return kind == ArcKind::Test ? std::optional(no_test(node)) : net_.add_output(transition(node), p);
        },
        [&](const std::string& node, ArcKind kind) {
          return kind == ArcKind::Test ? net_.add_read(p, transition(node)) : net_.add_input(p, transition(node));
        });
  }

  std::string_view file_;
  std::string_view rest_;
  std::unordered_map<std::string, PlaceId> places_;
  std::unordered_map<std::string, TransitionId> transitions_;
  Net net_;
  bool any_ = false;
};

}  // namespace

Net read_tina(std::string_view file, std::string_view text) { return TinaReader(file, text).read(); }

}  // namespace mazurka::net
