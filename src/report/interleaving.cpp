#include "report/interleaving.hpp"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "report/counted.hpp"

namespace mazurka::report {
namespace {

constexpr std::size_t kGap = 2;
constexpr std::size_t kWidestColumn = 18;
constexpr std::size_t kNarrowestColumn = 5;  // enough for a bar and the names of threads
constexpr std::size_t kLeastStep = 22;       // room for a step's text in the last column
constexpr std::size_t kLongWord = 34;        // of which it is given more, if the code can spare it
constexpr std::size_t kLeastCode = 24;       // room for the text of a line of code
constexpr std::size_t kLeastRepeated = 4;    // steps that are the same and become one row
constexpr std::size_t kFoldedShown = 3;      // steps of a folded row that are named

struct Row {
  std::string number;
  std::size_t thread = 0;
  std::string text;
  std::string place;
  std::string code;
  std::size_t first = kNowhere;  ///< its first step; none where it is what comes after the last
  bool bad = false;
  bool prints = false;
};

/// On one line, as C writes it. What is very long has its middle left out.
std::string as_c_text(std::string_view text) {
  constexpr std::size_t kMost = 240;
  std::string result = "\"";
  const bool too_long = text.size() > kMost;
  const auto add = [&](std::string_view part) {
    for (const char c : part) {
      if (c == '\n')
        result += "\\n";
      else if (c == '\t')
        result += "\\t";
      else if (c == '"' || c == '\\')
        (result += '\\') += c;
      else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
        result += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
      else
        result += c;
    }
  };
  add(too_long ? text.substr(0, kMost / 2) : text);
  if (too_long) {
    result += fmt::format("\" ... {} bytes ... \"", text.size() - kMost);
    add(text.substr(text.size() - kMost / 2));
  }
  return result + '"';
}

class Table {
 public:
  Table(const Story& story, const Style& style) : story_(story), style_(style) {
    std::set<std::string> files;
    for (const Story::DescribedStep& step : story.steps)
      if (step.spot.known()) files.insert(step.spot.place.path);
    for (const Story::BlockedOn& blocked : story.waiting)
      if (blocked.spot.known()) files.insert(blocked.spot.place.path);
    if (story.failure.known()) files.insert(story.failure.place.path);
    if (files.size() == 1) only_file_ = files.begin()->substr(files.begin()->rfind('/') + 1);
    make_rows();
    lay_out();
  }

  std::string print() const {
    std::string text = header();
    for (const Row& row : rows_) text += print(row);
    return text;
  }

 private:
  // Rows.

  std::string place(const Spot& spot) const {
    if (!spot.known()) return "";
    return only_file_.empty() ? fmt::format("{}:{}", spot.place.file, spot.place.line)
                              : fmt::format("{}", spot.place.line);
  }

  Row row(std::string number, std::size_t thread, std::string text, const Spot& spot) const {
    return {std::move(number), thread, std::move(text), place(spot), spot.known() ? spot.text : ""};
  }

  /// What was printed before step `next`, and not shown yet.
  void add_printed(std::size_t next) {
    for (; printed_ < story_.printed.size() && story_.printed[printed_].after <= next; ++printed_) {
      const Story::Printed& part = story_.printed[printed_];
      rows_.push_back(row("", part.thread, "prints " + as_c_text(part.text), {}));
      rows_.back().first = std::min(next, story_.steps.size());
      rows_.back().prints = true;
    }
  }

  /// Where the failing thread begins the line that fails, to be followed by nobody: an assertion of a test framework
  /// takes locks of its own before the execution ends.
  std::size_t begin_of_assertion() const {
    std::size_t begin = story_.steps.size();
    if (story_.kind != FailureKind::Assertion || !story_.failure.known()) return begin;
    const auto is_at_failure = [&](const Story::DescribedStep& step) {
      const bool same_line =
          step.spot.place.line == story_.failure.place.line && step.spot.place.path == story_.failure.place.path;
      return step.thread == story_.failing && (!step.spot.known() || same_line);
    };
    while (begin > 0 && is_at_failure(story_.steps[begin - 1])) --begin;
    return begin;
  }

  /// One row for the framework's steps from `begin` on; where they end.
  std::size_t add_foreign(std::size_t begin) {
    std::size_t end = begin;
    while (end < story_.steps.size() && is_foreign(story_.steps[end].object)) ++end;
    const bool one = end - begin == 1;
    rows_.push_back(row(one ? fmt::format("{}", end) : fmt::format("{}-{}", begin + 1, end), story_.steps[begin].thread,
                        "inside the assertion", story_.failure));
    rows_.back().first = begin;
    add_printed(end);
    return end;
  }

  void make_rows() {
    add_printed(0);
    const std::size_t assertion = begin_of_assertion();
    for (std::size_t i = 0; i < story_.steps.size();) {
      if (i >= assertion && is_foreign(story_.steps[i].object)) {
        i = add_foreign(i);
        continue;
      }
      std::size_t end = i;
      while (end < story_.steps.size() && story_.steps[end].alone &&
             story_.steps[end].thread == story_.steps[i].thread &&
             !(end >= assertion && is_foreign(story_.steps[end].object)))
        ++end;
      // A loop that waits does the same many times.
      std::size_t repeated = i;
      while (repeated < story_.steps.size() && same_again(story_.steps[i], story_.steps[repeated])) ++repeated;
      if (repeated - i >= kLeastRepeated) end = std::max(end, repeated);
      if (end - i < 2) {
        const Story::DescribedStep& step = story_.steps[i];
        rows_.push_back(row(fmt::format("{}", i + 1), step.thread, step.text(), step.spot));
        rows_.back().first = i++;
        add_printed(i);
        continue;
      }
      rows_.push_back(folded(i, end));
      i = end;
      add_printed(i);
    }
    add_printed(kNowhere);
    for (const Story::BlockedOn& blocked : story_.waiting) {
      rows_.push_back(row("", blocked.thread, "blocked: " + blocked.operation, blocked.spot));
      rows_.back().bad = true;
    }
    if (story_.failing != kNowhere) {
      rows_.push_back(row("", story_.failing, name(story_.kind), story_.failure));
      rows_.back().bad = true;
    }
  }

  static bool same_again(const Story::DescribedStep& a, const Story::DescribedStep& b) {
    return a.thread == b.thread && a.operation == b.operation && a.spot.place.line == b.spot.place.line &&
           a.spot.place.path == b.spot.place.path;
  }

  /// Steps of one thread that concern no other, or are all the same, as one row.
  Row folded(std::size_t begin, std::size_t end) const {
    const Spot* spot = nullptr;
    struct Part {
      const Story::DescribedStep& step;
      std::size_t times = 0;
      bool same_values = true;
    };
    std::vector<Part> parts;  // what was done, and how often in a row
    for (std::size_t i = begin; i < end; ++i) {
      const Story::DescribedStep& step = story_.steps[i];
      if (spot == nullptr && step.spot.known()) spot = &step.spot;
      if (parts.empty() || parts.back().step.operation != step.operation) parts.push_back({step});
      ++parts.back().times;
      parts.back().same_values &= parts.back().step.values.text == step.values.text;
    }
    std::string text;
    std::size_t shown = 0;
    for (std::size_t i = 0; i < std::min(parts.size(), kFoldedShown); ++i) {
      text += (i == 0 ? "" : "; ") + (parts[i].same_values ? parts[i].step.text() : parts[i].step.operation);
      if (parts[i].times > 1) text += fmt::format(", {} times", parts[i].times);
      shown += parts[i].times;
    }
    if (shown < end - begin) text += "; and " + counted(end - begin - shown, "more local step");
    Row result = row(fmt::format("{}-{}", begin + 1, end), story_.steps[begin].thread, std::move(text),
                     spot == nullptr ? Spot{} : *spot);
    result.first = begin;
    return result;
  }

  // Layout.

  void lay_out() {
    std::size_t code = 0;
    std::size_t longest = 0;
    std::size_t names = 0;
    std::size_t least_step = kLeastStep;
    place_width_ = only_file_.empty() ? 0 : 2;
    for (const Row& row : rows_) {
      number_width_ = std::max(number_width_, columns(row.number));
      place_width_ = std::max(place_width_, columns(row.place));
      code = std::max(code, columns(row.code));
      if (row.prints) continue;
      longest = std::max(longest, columns(row.text));
      least_step = std::max(least_step, std::min(longest_word(row.text), kLongWord));
    }
    for (const Story::Thread& thread : story_.threads) names = std::max(names, columns(thread.name));
    const std::size_t others = std::max<std::size_t>(story_.threads.size(), 1) - 1;
    const std::size_t right = place_width_ == 0 ? 0 : kGap + place_width_;
    const std::size_t room = style_.width - std::min(style_.width, number_width_ + kGap + right);
    const std::size_t narrowest = std::max(kNarrowestColumn, names + 1);
    // The code gets up to two fifths of the width, less where the steps need it, but not nothing.
    const std::size_t least = code == 0 ? 0 : kGap + std::min(code, kLeastCode);
    const std::size_t most = code == 0 ? 0 : kGap + std::min(code, std::max(kLeastCode, style_.width * 2 / 5));
    if (room < least_step + others * narrowest + least) least_step = kLeastStep;
    const std::size_t needed = least_step + others * narrowest;
    const std::size_t wanted = room < needed + least ? least : std::min(most, room - needed);
    const std::size_t steps = room - std::min(room, wanted);
    lanes_ = steps >= needed;
    if (!lanes_) {
      // Too many threads for columns: a column with their names instead.
      name_width_ = std::max<std::size_t>(names, 6);
      steps_width_ = std::max(kLeastStep + name_width_ + kGap, std::min(steps, longest + name_width_ + kGap));
    } else {
      const std::size_t text = std::min(longest, std::max(least_step, steps - others * narrowest));
      stride_ = others == 0 ? 0 : std::clamp((steps - text) / others, narrowest, std::max(kWidestColumn, names + 1));
      steps_width_ = 0;
      for (const Row& row : rows_)
        if (!row.prints)
          steps_width_ = std::max(steps_width_, row.thread * stride_ + std::min(columns(row.text), text));
      for (std::size_t t = 0; t < story_.threads.size(); ++t)
        steps_width_ = std::max(steps_width_, t * stride_ + columns(story_.threads[t].name));
    }
    code_column_ = number_width_ + kGap + steps_width_ + right;
  }

  std::size_t start(std::size_t thread) const {
    return number_width_ + kGap + (lanes_ ? thread * stride_ : name_width_ + kGap);
  }

  std::string header() const {
    CanvasLine line;
    line.put(number_width_ - 1, "#", Colour::Bold);
    if (lanes_)
      for (std::size_t t = 0; t < story_.threads.size(); ++t)
        line.put(start(t), story_.threads[t].name, style_.colour ? thread_colour(t) : Colour::Bold);
    else
      line.put(number_width_ + kGap, "thread", Colour::Bold);
    if (!only_file_.empty() && code_column_ < style_.width)
      line.put(code_column_ - place_width_, shortened(only_file_, style_.width - (code_column_ - place_width_), style_),
               Colour::Bold);
    return line.text(style_) + "\n";
  }

  /// Whether the thread's column shows a bar in the row that begins with step `first`.
  bool alive(std::size_t t, std::size_t first) const {
    const Story::Thread& thread = story_.threads[t];
    if (first == kNowhere) return thread.waits;
    const std::size_t from = thread.created != kNowhere ? thread.created : 0;
    return from < first && (thread.waits || (thread.last != kNowhere && first <= thread.last));
  }

  std::string print(const Row& row) const {
    const std::size_t begin = start(row.thread);
    // No code stands beside what was printed.
    const std::size_t room =
        row.prints ? std::max(style_.width, begin + kLeastStep) - begin : number_width_ + kGap + steps_width_ - begin;
    const std::vector<std::string> parts = wrapped(row.text, room);
    std::size_t widest = 0;
    for (const std::string& part : parts) widest = std::max(widest, columns(part));
    std::string text;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      CanvasLine line;
      if (lanes_)
        for (std::size_t t = 0; t < story_.threads.size(); ++t)
          // A bar beside the shorter lines of a text would look like a part of it.
          if (alive(t, row.first) && (t <= row.thread || start(t) > begin + widest))
            line.put(start(t), style_.unicode ? "│" : "|", Colour::Dim);
      if (i == 0) {
        line.put(number_width_ - columns(row.number), row.number, Colour::Dim);
        if (!lanes_) line.put(number_width_ + kGap, story_.threads[row.thread].name, thread_colour(row.thread));
        line.put(code_column_ - columns(row.place), row.place, Colour::Plain);
        if (code_column_ + kGap < style_.width)
          line.put(code_column_ + kGap, shortened(row.code, style_.width - code_column_ - kGap, style_), Colour::Dim);
      }
      // A blank after the text keeps it apart from a bar.
      line.put(begin, parts[i] + (i == 0 ? "" : " "),
               row.bad      ? Colour::Bad
               : row.prints ? Colour::Dim
                            : thread_colour(row.thread));
      if (!line.is_free(begin + columns(parts[i])) && lanes_) line.put(begin + columns(parts[i]), " ", Colour::Plain);
      text += line.text(style_) + "\n";
    }
    return text;
  }

  const Story& story_;
  const Style& style_;
  std::string only_file_;  ///< its name, where all places are in one file
  std::vector<Row> rows_;
  std::size_t printed_ = 0;  ///< parts of the output that have a row
  bool lanes_ = true;
  std::size_t number_width_ = 4;
  std::size_t stride_ = 0;
  std::size_t name_width_ = 0;
  std::size_t steps_width_ = 0;
  std::size_t place_width_ = 0;
  std::size_t code_column_ = 0;
};

}  // namespace

bool is_foreign(std::string_view object) {
  return object.starts_with("0x") || object == "the thread-specific keys" || object.starts_with("testing::") ||
         object.starts_with("Catch::") || object.starts_with("doctest::");
}

std::string interleaving(const Story& story, const Style& style) { return Table(story, style).print(); }

}  // namespace mazurka::report
