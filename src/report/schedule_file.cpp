#include "report/schedule_file.hpp"

#include <algorithm>
#include <charconv>
#include <iterator>

#include <fmt/format.h>
#include <xxhash.h>

#include "core/error.hpp"
#include "core/hangs.hpp"

namespace mazurka::report {
namespace {

constexpr std::string_view kMagic = "mazurka-schedule";

/// Line breaks and backslashes inside a field would break the line structure.
std::string to_field(std::string_view text) {
  std::string result;
  for (char c : text) {
    if (c == '\\')
      result += "\\\\";
    else if (c == '\n')
      result += "\\n";
    else if (c == '\r')
      result += "\\r";
    else
      result += c;
  }
  return result;
}

std::string from_field(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\' || i + 1 == text.size()) {
      result += text[i];
      continue;
    }
    const char next = text[++i];
    result += next == 'n' ? '\n' : next == 'r' ? '\r' : next;
  }
  return result;
}

/// Splits off the text up to the first blank.
std::string_view word(std::string_view& rest) {
  const std::size_t blank = std::min(rest.find(' '), rest.size());
  const std::string_view first = rest.substr(0, blank);
  rest.remove_prefix(std::min(blank + 1, rest.size()));
  return first;
}

class Reader {
 public:
  Reader(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  ScheduleFile read() {
    header();
    while (next_line()) {
      std::string_view rest = line_;
      const std::string_view key = word(rest);
      if (key == "end") return finish();
      if (key == "system")
        set(schedule_.system, key, rest);
      else if (key == "folder")
        set(schedule_.folder, key, rest);
      else if (key == "hash")
        set(schedule_.hash, key, rest);
      else if (key == "argument")
        schedule_.arguments.push_back(from_field(rest));
      else if (key == "option")
        schedule_.options.push_back(from_field(rest));
      else if (key == "error")
        set(schedule_.error, key, rest);
      else if (key == "step")
        step(rest);
      else if (key == "output")
        output(rest);
      else
        fail(fmt::format("unknown item '{}'", key));
    }
    fail("the file ends without its 'end' line: it was truncated");
  }

 private:
  [[noreturn]] void fail(std::string_view message) const { throw InputError({file_, number_, 1}, message); }

  /// For an item of which a file has one: the last of several would win unnoticed.
  void set(std::string& item, std::string_view key, std::string_view text) {
    if (std::find(seen_.begin(), seen_.end(), key) != seen_.end()) fail(fmt::format("a second item '{}'", key));
    seen_.push_back(key);
    item = from_field(text);
  }

  ScheduleFile finish() {
    if (!line_.substr(std::string_view("end").size()).empty()) fail("unexpected text after 'end'");
    if (text_.find_first_not_of(" \t\r\n") != std::string_view::npos) {
      ++number_;
      fail("unexpected text after the 'end' line; one file holds one schedule");
    }
    for (std::string_view key : {"system", "hash", "error"})
      if (std::find(seen_.begin(), seen_.end(), key) == seen_.end()) fail(fmt::format("the item '{}' is missing", key));
    return std::move(schedule_);
  }

  bool next_line() {
    ++number_;
    if (text_.empty()) return false;
    const std::size_t end = std::min(text_.find('\n'), text_.size());
    line_ = text_.substr(0, end);
    text_.remove_prefix(std::min(end + 1, text_.size()));
    return true;
  }

  void header() {
    std::string_view rest = next_line() ? line_ : std::string_view{};
    if (word(rest) != kMagic) fail("this is not a Mazurka schedule: the first line is not 'mazurka-schedule VERSION'");
    if (number(word(rest)) != kScheduleFileVersion)
      fail(fmt::format("this version of Mazurka reads schedules of version {}; save the schedule anew",
                       kScheduleFileVersion));
    if (!rest.empty()) fail(fmt::format("unexpected text '{}' after the version", rest));
  }

  std::uint32_t number(std::string_view digits) const {
    std::uint32_t value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc{} || end != digits.data() + digits.size())
      fail(fmt::format("'{}' should be a number", digits));
    return value;
  }

  void step(std::string_view rest) {
    ScheduleFile::Entry entry;
    entry.alternative = number(word(rest));
    entry.process = from_field(word(rest));
    if (entry.process.empty()) fail("a step is 'step ALTERNATIVE PROCESS OPERATION'");
    entry.operation = from_field(rest);
    schedule_.steps.push_back(std::move(entry));
  }

  void output(std::string_view rest) {
    ScheduleFile::Output printed;
    printed.after = schedule_.steps.size();
    printed.process = from_field(word(rest));
    if (printed.process.empty()) fail("an output is 'output PROCESS TEXT'");
    printed.text = from_field(rest);
    schedule_.outputs.push_back(std::move(printed));
  }

  std::string_view text_;
  std::string_view line_;
  const std::string& file_;
  unsigned number_ = 0;
  std::vector<std::string_view> seen_;  ///< items of which a file has one
  ScheduleFile schedule_;
};

}  // namespace

std::string write_schedule(const ScheduleFile& schedule) {
  std::string text = fmt::format("{} {}\n", kMagic, kScheduleFileVersion);
  auto out = std::back_inserter(text);
  fmt::format_to(out, "system {}\nfolder {}\nhash {}\n", to_field(schedule.system), to_field(schedule.folder),
                 to_field(schedule.hash));
  for (const std::string& argument : schedule.arguments) fmt::format_to(out, "argument {}\n", to_field(argument));
  for (const std::string& option : schedule.options) fmt::format_to(out, "option {}\n", to_field(option));
  fmt::format_to(out, "error {}\n", to_field(schedule.error));
  auto printed = schedule.outputs.begin();
  for (std::size_t i = 0; i <= schedule.steps.size(); ++i) {
    for (; printed != schedule.outputs.end() && printed->after <= i; ++printed)
      fmt::format_to(out, "output {} {}\n", to_field(printed->process), to_field(printed->text));
    if (i == schedule.steps.size()) break;
    const auto& step = schedule.steps[i];
    fmt::format_to(out, "step {} {} {}\n", step.alternative, to_field(step.process), to_field(step.operation));
  }
  text += "end\n";
  return text;
}

ScheduleFile read_schedule(std::string_view text, const std::string& file) { return Reader(text, file).read(); }

std::vector<ScheduleFile::Entry> entries(const Names& names, const Execution& execution) {
  std::vector<ScheduleFile::Entry> result;
  for (const Event& event : execution.events)
    result.push_back(
        {event.alternative, names.process_name(event.process), names.describe(event.operation, execution.heap)});
  return result;
}

std::vector<ScheduleFile::Output> outputs(const Names& names, const Execution& execution) {
  std::vector<ScheduleFile::Output> result;
  for (const PrintedPart& part : execution.printed)
    result.push_back(
        {part.after, names.process_name(part.process), execution.output.substr(part.begin, part.end - part.begin)});
  return result;
}

std::string content_hash(std::string_view bytes) {
  const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

Replay replay(Executor& executor, const Names& names, const ScheduleFile& schedule, bool in_debugger) {
  Job job;
  for (std::size_t i = 0; i < schedule.steps.size(); ++i) {
    const ProcessIndex process = names.process_named(schedule.steps[i].process);
    if (process == kNoProcess)
      throw InputError(fmt::format("step {} of the schedule moves process '{}', which the system does not have", i + 1,
                                   schedule.steps[i].process));
    job.prefix.push_back({process, schedule.steps[i].alternative});
  }
  job.continuation = Continuation::Stop;
  Replay result;
  executor.run(job, result.execution);
  // Where all wait in loops whose rounds are steps, somebody can always move.
  const bool may_hang = result.execution.outcome == Outcome::Stopped && schedule.error == name(FailureKind::Deadlock);
  if (Execution hang; may_hang && !in_debugger && Hangs(executor).look(result.execution, {}, hang))
    result.execution = std::move(hang);
  const auto actual = entries(names, result.execution);
  for (std::size_t i = 0; i < std::min(actual.size(), schedule.steps.size()); ++i)
    if (actual[i].operation != schedule.steps[i].operation)
      result.differences.push_back(fmt::format("step {}: expected {} to do '{}', but it did '{}'", i + 1,
                                               actual[i].process, schedule.steps[i].operation, actual[i].operation));
  if (actual.size() < schedule.steps.size()) {
    const auto& missing = schedule.steps[actual.size()];
    result.differences.push_back(fmt::format("step {}: expected {} to do '{}', but it could not", actual.size() + 1,
                                             missing.process, missing.operation));
  }
  const Failure& failure = result.execution.failure;
  if (name(failure.kind) != schedule.error)
    result.differences.push_back(
        fmt::format("outcome: expected '{}', found '{}'", schedule.error, failure ? name(failure.kind) : "no error"));
  return result;
}

}  // namespace mazurka::report
