#include "cli/intended_races.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "cli/command.hpp"
#include "program/protocol.hpp"
#include "report/counted.hpp"
#include "report/failure_text.hpp"

namespace mazurka::cli {
namespace {

constexpr std::size_t kIntendedRacesShown = 5;

const char* words(Use use) {
  switch (use) {
    case Use::Read: return "read";
    case Use::AtomicRead: return "atomic read";
    case Use::AtomicWrite: return "atomic write";
    case Use::Free: return "free";
    default: return "write";
  }
}

std::string text(const report::IntendedRace::Access& access) {
  const std::string place = to_string(access.place);
  return fmt::format("{} at {}", access.use, place.empty() ? "an unknown location" : place);
}

/// By what: the suppression as the user wrote it.
std::string reason(const protocol::IntendedRace& race, const std::vector<program::Suppression>& suppressions) {
  if (race.rule == protocol::IntendedRace::kAnnotated) return "annotation";
  if (race.rule < suppressions.size()) return to_string(suppressions[race.rule]);
  return suppressions.size() == 1 ? to_string(suppressions[0]) : "a suppression of its caller";
}

std::string suppression_advice(const std::string& pattern) {
  return fmt::format(
      "if this race is intended, use --plain=explore, which makes plain accesses scheduling points, or suppress it by "
      "--suppressions FILE with the line race:{}",
      pattern);
}

}  // namespace

void add_intended_races(const System& system, report::Summary& summary) {
  const std::vector<program::Suppression> suppressions = system.suppressions();
  for (const protocol::IntendedRace& race : system.intended_races()) {
    const auto access = [&](Use use, std::uint64_t site) {
      return report::IntendedRace::Access{words(use), site == 0 ? CodePlace{} : system.names().place(site)};
    };
    summary.intended_races.push_back({reason(race, suppressions),
                                      system.names().variable(race.address, {}),
                                      {access(race.before_use, race.before), access(race.now_use, race.now)}});
  }
  const std::size_t count = summary.intended_races.size();
  for (std::size_t i = 0; i < std::min(count, kIntendedRacesShown); ++i) {
    const report::IntendedRace& race = summary.intended_races[i];
    summary.notes.push_back(fmt::format("data race not reported ({}): {}: {}, {}", race.by, race.variable,
                                        text(race.accesses[0]), text(race.accesses[1])));
  }
  if (count > kIntendedRacesShown)
    summary.notes.push_back(fmt::format("not reported: {}; --json lists them",
                                        report::counted(count - kIntendedRacesShown, "more data race")));
  if (count >= protocol::kMaxIntendedRaces)
    summary.notes.push_back(fmt::format("there may be more: at most {} are recorded", protocol::kMaxIntendedRaces));
  if (count > 0)
    summary.notes.push_back(
        fmt::format("{}only one order of racing accesses is explored; --plain=explore explores all of them",
                    summary.result == Result::Ok ? "this holds if the outcome of these races does not matter: " : ""));
  for (const program::Suppression& suppression : suppressions)
    if (suppression.kind == program::Suppression::Kind::WithoutEffect)
      summary.notes.push_back(
          fmt::format("the suppression {} has no effect: only data races can be suppressed", to_string(suppression)));
}

void add_intended_races(const report::Summary& summary, nlohmann::ordered_json& answer) {
  auto& races = answer["suppressed"] = nlohmann::ordered_json::array();
  for (const report::IntendedRace& race : summary.intended_races) {
    auto accesses = nlohmann::ordered_json::array();
    for (const report::IntendedRace::Access& access : race.accesses) {
      nlohmann::ordered_json entry{{"use", access.use}};
      if (!access.place.file.empty()) entry["file"] = access.place.file;
      if (access.place.line != 0) entry["line"] = access.place.line;
      if (!access.place.function.empty()) entry["function"] = access.place.function;
      accesses.push_back(std::move(entry));
    }
    races.push_back({{"by", race.by}, {"variable", race.variable}, {"accesses", std::move(accesses)}});
  }
}

std::string race_advice(const Names& names, const Execution& race) {
  if (race.failure.kind != FailureKind::DataRace) return "";
  const auto* clash = std::get_if<MemoryClash>(&race.failure.detail);
  // Memory that is freed while it is used is never intended.
  if (clash != nullptr && (clash->before.use == Use::Free || clash->now.use == Use::Free)) return "";
  // A function of the user's, but not main, which calls everything; or else the variable, or the file.
  std::string pattern = "FUNCTION";
  if (clash != nullptr) {
    for (const MemoryUse* use : {&clash->before, &clash->now}) {
      if (use->stack.empty()) continue;
      const CodePlace place = names.place(report::innermost_own(names, use->stack));
      if (!place.file.empty()) pattern = place.file;
      if (place.function.empty() || place.function.starts_with("operator") || place.function == "main") continue;
      return suppression_advice(place.function);
    }
    const std::string variable = names.variable(clash->address, {});
    if (clash->block.address == 0 && !variable.starts_with("0x")) {
      pattern = variable.substr(0, variable.find_first_of(".[+"));
      // Unnamed namespaces, which reports leave out, are part of the names that suppressions match.
      for (std::size_t at = 0; (at = pattern.find("::", at)) != std::string::npos; at += 3) pattern.insert(at + 2, "*");
    }
  }
  return suppression_advice(pattern);
}

}  // namespace mazurka::cli
