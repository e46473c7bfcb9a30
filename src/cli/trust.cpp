#include "cli/trust.hpp"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "report/counted.hpp"

namespace mazurka::cli {
namespace {

constexpr std::size_t kPlacesShown = 5;

/// `queue.c:12`, as far as it is known.
std::string place(const report::UnseenPlace& unseen) {
  return unseen.line == 0 ? unseen.file : fmt::format("{}:{}", unseen.file, unseen.line);
}

std::string sentence(const report::UnseenPlace& unseen) {
  const std::string inside = unseen.function.empty() ? "" : " in " + unseen.function;
  if (unseen.kind == name(assembly::Kind::Assembly))
    return fmt::format("{}: assembly{}: {}", place(unseen), inside, unseen.text);
  if (unseen.kind == name(assembly::Kind::Function))
    return fmt::format("{}: {} is marked {}", place(unseen), unseen.function, unseen.text);
  return fmt::format("{}: {}", place(unseen), unseen.text);
}

using Places = std::vector<report::UnseenPlace>;

std::string places(const Places& unseen) {
  std::string result;
  for (std::size_t i = 0; i < std::min(unseen.size(), kPlacesShown); ++i)
    result += (i == 0 ? "" : ", ") + place(unseen[i]);
  if (unseen.size() > kPlacesShown) result += fmt::format(" and {} more", unseen.size() - kPlacesShown);
  return result;
}

/// The classes that would have to be trusted, as the option takes them.
std::string classes(const Places& unseen) {
  const bool assembly = std::any_of(unseen.begin(), unseen.end(), [](const report::UnseenPlace& candidate) {
    return candidate.kind == name(assembly::Kind::Assembly);
  });
  const bool objects = std::any_of(unseen.begin(), unseen.end(), [](const report::UnseenPlace& candidate) {
    return candidate.kind != name(assembly::Kind::Assembly);
  });
  return assembly && objects ? "asm,objects" : (assembly ? "asm" : "objects");
}

std::string trust_advice(const Places& unseen) {
  const std::string needed = classes(unseen);
  const char* const remedy = needed == "asm"       ? "replace the assembly by atomic operations"
                             : needed == "objects" ? "build it with `mazurka cc`"
                                                   : "build it with `mazurka cc`, without assembly";
  return fmt::format("{}, or pass --trust={} if that code does not matter", remedy, needed);
}

void add_notes(const Places& unseen, report::Summary& summary) {
  for (std::size_t i = 0; i < std::min(unseen.size(), kPlacesShown); ++i)
    summary.notes.push_back("not checked: " + sentence(unseen[i]));
  if (unseen.size() > kPlacesShown)
    summary.notes.push_back(
        fmt::format("not checked: {}; --json lists them", report::counted(unseen.size() - kPlacesShown, "more place")));
  if (summary.result == Result::Nondeterminism) return;
  summary.notes.push_back(
      fmt::format("--trust={} assumes that this code neither synchronises threads nor accesses memory that they share",
                  classes(unseen)));
}

}  // namespace

void add_trust_option(CLI::App& command, TrustOptions& options) {
  command
      .add_option(
          "--trust", options.classes,
          "Uninstrumented code to trust; otherwise it turns an ok into incomplete: asm (inline assembly that accesses "
          "memory), objects (your uninstrumented objects and libraries, functions marked no_sanitize), or both, "
          "separated by a comma")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::IsMember({"asm", "objects"}));
}

void add_unseen(const program::UnseenCode& code, const TrustOptions& options, report::Summary& summary) {
  Places open;
  Places trusted;
  for (const assembly::Unseen& unseen : code.places) {
    const char* const needed = unseen.kind == assembly::Kind::Assembly ? "asm" : "objects";
    const bool trust = std::find(options.classes.begin(), options.classes.end(), needed) != options.classes.end();
    summary.unseen.push_back(
        {std::string(name(unseen.kind)), unseen.file, unseen.line, unseen.function, unseen.text, trust});
    (trust ? trusted : open).push_back(summary.unseen.back());
  }
  summary.uninstrumented = code.libraries;
  if (summary.result == Result::Ok && !open.empty()) {
    summary.result = Result::Incomplete;
    summary.incomplete = {
        {"unseen", report::all_explored(summary) + ", but some code is not instrumented", trust_advice(open), true}};
  }
  // A failure is one whatever happened unseen before it; a data race is none if unseen code orders the accesses.
  if (summary.result == Result::Bug && !open.empty() &&
      std::all_of(summary.errors.begin(), summary.errors.end(),
                  [](const report::Story& story) { return story.kind == FailureKind::DataRace; })) {
    summary.result = Result::Incomplete;
    summary.incomplete = {
        {"unseen", "this is a data race unless uninstrumented code orders the accesses", trust_advice(open), false}};
  }
  if ((summary.result == Result::Incomplete || summary.result == Result::Nondeterminism) && !open.empty())
    add_notes(open, summary);
  if (summary.result != Result::Ok) return;
  if (!trusted.empty()) summary.notes.push_back("trusted, not checked: " + places(trusted));
  if (!code.libraries.empty()) {
    std::vector<std::string> names;
    for (const std::string& file : code.libraries) names.push_back(std::filesystem::path(file).filename().string());
    summary.notes.push_back(fmt::format("system librar{} without instrumentation: {}", names.size() == 1 ? "y" : "ies",
                                        fmt::join(names, ", ")));
  }
}

void add_unseen(const report::Summary& summary, nlohmann::ordered_json& answer) {
  auto& places = answer["unseen"] = nlohmann::ordered_json::array();
  for (const report::UnseenPlace& unseen : summary.unseen) {
    nlohmann::ordered_json entry{{"kind", unseen.kind}, {"file", unseen.file}};
    if (unseen.line != 0) entry["line"] = unseen.line;
    if (!unseen.function.empty()) entry["function"] = unseen.function;
    entry["text"] = unseen.text;
    entry["trusted"] = unseen.trusted;
    places.push_back(std::move(entry));
  }
  answer["uninstrumented"] = summary.uninstrumented;
}

}  // namespace mazurka::cli
