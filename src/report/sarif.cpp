#include "report/sarif.hpp"

#include <algorithm>
#include <filesystem>
#include <set>

#include <fmt/format.h>

namespace mazurka::report {
namespace {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

constexpr const char* kSchema =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// A path with everything escaped that a URI may not contain.
std::string uri_path(std::string_view path) {
  std::string uri;
  for (const char c : path) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       std::string_view("-._~/+").find(c) != std::string_view::npos;
    uri += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return uri;
}

/// What each kind of error means, for the list of rules.
const char* description(FailureKind kind) {
  switch (kind) {
    case FailureKind::Deadlock: return "Threads are blocked forever: on each other, or on an event that never happens.";
    case FailureKind::Assertion: return "An assertion fails in some interleaving.";
    case FailureKind::Abort: return "The program calls abort() in some interleaving.";
    case FailureKind::Exception: return "An exception is not caught in some interleaving.";
    case FailureKind::Signal: return "The program crashes in some interleaving.";
    case FailureKind::ExitStatus: return "The program exits with a nonzero status in some interleaving.";
    case FailureKind::EndlessLoop: return "A thread loops forever in some interleaving.";
    case FailureKind::DataRace: return "Two unsynchronised accesses to the same memory, at least one of them a write.";
    default: return "The program fails in some interleaving.";
  }
}

class Log {
 public:
  Log(const Summary& summary, const std::string& root) : summary_(summary), root_(root) {}

  Json write() {
    Json results = Json::array();
    for (const Story& story : summary_.errors) {
      results.push_back(result(story));
      for (const std::string& warning : story.warnings) warnings_.insert(warning);
    }
    for (const auto& [warning, executions] : summary_.warnings) warnings_.insert(warning);
    for (const std::string& warning : warnings_)
      results.push_back({{"ruleId", "warning"},
                         {"ruleIndex", rule("warning", FailureKind::None)},
                         {"level", "warning"},
                         {"message", {{"text", warning}}}});
    Json driver{{"name", "Mazurka"}};
    if (!summary_.version.empty()) driver["version"] = summary_.version;
    driver["rules"] = rules_;
    // The run itself went well, whatever it found.
    Json invocation{{"executionSuccessful", true}, {"exitCode", exit_code(summary_.result)}};
    if (!summary_.notes.empty()) {
      Json& notes = invocation["toolExecutionNotifications"] = Json::array();
      for (const std::string& note : summary_.notes)
        notes.push_back({{"level", "note"}, {"message", {{"text", note}}}});
    }
    Json run{{"tool", {{"driver", std::move(driver)}}}, {"invocations", Json::array({std::move(invocation)})}};
    run["originalUriBaseIds"] = {{"ROOT", {{"uri", "file://" + uri_path(root_) + (root_.ends_with('/') ? "" : "/")}}}};
    run["columnKind"] = "utf16CodeUnits";
    run["results"] = std::move(results);
    return {{"$schema", kSchema}, {"version", "2.1.0"}, {"runs", Json::array({std::move(run)})}};
  }

 private:
  std::size_t rule(const std::string& id, FailureKind kind) {
    for (std::size_t i = 0; i < rules_.size(); ++i)
      if (rules_[i]["id"] == id) return i;
    rules_.push_back({{"id", id}, {"shortDescription", {{"text", description(kind)}}}});
    return rules_.size() - 1;
  }

  Json artifact(const std::string& path) const {
    const std::string relative = fs::path(path).lexically_relative(root_).string();
    if (fs::path(path).is_relative()) return {{"uri", uri_path(path)}, {"uriBaseId", "ROOT"}};
    if (relative.empty() || relative.starts_with("..")) return {{"uri", "file://" + uri_path(path)}};
    return {{"uri", uri_path(relative)}, {"uriBaseId", "ROOT"}};
  }

  Json location(const Spot& spot, const std::string& text) const {
    Json result = Json::object();
    if (spot.place.line > 0) {
      Json region{{"startLine", spot.place.line}};
      if (!spot.text.empty()) region["snippet"] = {{"text", spot.text}};
      result["physicalLocation"] = {{"artifactLocation", artifact(spot.place.path)}, {"region", std::move(region)}};
    }
    if (!spot.place.function.empty())
      result["logicalLocations"] = Json::array({{{"fullyQualifiedName", spot.place.function}, {"kind", "function"}}});
    result["message"] = {{"text", text}};
    return result;
  }

  /// Where the error is shown: where a thread failed, or where the waiting threads stand.
  Json locations(const Story& story) const {
    Json list = Json::array();
    if (story.failure.known()) list.push_back(location(story.failure, name(story.kind)));
    for (const Story::BlockedOn& blocked : story.waiting)
      if (blocked.spot.known())
        list.push_back(
            location(blocked.spot, story.threads[blocked.thread].name + " is blocked: " + blocked.operation));
    if (list.empty())
      for (std::size_t i = story.steps.size(); i-- > 0 && list.empty();)
        if (story.steps[i].spot.known()) list.push_back(location(story.steps[i].spot, story.steps[i].operation));
    return list;
  }

  static Json thread_flow_location(Json location, std::size_t order, const char* importance) {
    return {{"location", std::move(location)}, {"executionOrder", order}, {"importance", importance}};
  }

  Json thread_flow(const Story& story, std::size_t thread) const {
    Json steps = Json::array();
    for (std::size_t i = 0; i < story.steps.size(); ++i)
      if (story.steps[i].thread == thread)
        steps.push_back(thread_flow_location(location(story.steps[i].spot, story.steps[i].operation), i + 1,
                                             story.steps[i].alone ? "unimportant" : "important"));
    for (const Story::BlockedOn& blocked : story.waiting)
      if (blocked.thread == thread)
        steps.push_back(thread_flow_location(location(blocked.spot, "blocked: " + blocked.operation),
                                             story.steps.size() + 1, "essential"));
    if (story.failing == thread)
      steps.push_back(
          thread_flow_location(location(story.failure, name(story.kind)), story.steps.size() + 1, "essential"));
    return {{"id", story.threads[thread].name},
            {"message", {{"text", "thread " + story.threads[thread].name}}},
            {"locations", std::move(steps)}};
  }

  Json result(const Story& story) {
    Json flows = Json::array();
    for (std::size_t thread = 0; thread < story.threads.size(); ++thread) {
      Json flow = thread_flow(story, thread);
      if (!flow["locations"].empty()) flows.push_back(std::move(flow));  // a thread flow may not be empty
    }
    std::string text = story.message;
    for (const std::string& sentence : explain(story)) text += "\n" + sentence;
    Json entry{{"ruleId", name(story.kind)},
               {"ruleIndex", rule(name(story.kind), story.kind)},
               {"level", "error"},
               {"message", {{"text", text}}},
               {"locations", locations(story)}};
    if (!flows.empty()) entry["codeFlows"] = Json::array({{{"threadFlows", std::move(flows)}}});
    if (!story.replay.empty()) entry["properties"] = {{"replay", story.replay}};
    return entry;
  }

  const Summary& summary_;
  const std::string& root_;
  Json rules_ = Json::array();
  std::set<std::string> warnings_;
};

}  // namespace

Json sarif(const Summary& summary, const std::string& root) { return Log(summary, root).write(); }

}  // namespace mazurka::report
