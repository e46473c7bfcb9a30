// What the published schema of SARIF 2.1.0 demands of the objects that we write: which properties each must have and
// which it may have (the schema allows no others), and the values of enumerations. The names are those of the schema's
// definitions.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace mazurka::testing {

class SarifSchema {
 public:
  /// What is wrong with a log, one line each; empty if nothing is.
  static std::vector<std::string> check(const nlohmann::json& log) {
    SarifSchema schema;
    schema.object("sarifLog", log, "log");
    return schema.problems_;
  }

 private:
  struct Definition {
    std::set<std::string> required;
    /// Property: definition of its objects (`[name]` for a list with at least one, `[name]?` for one that may be empty,
    /// `{name}` for a map), or text, number, boolean, any, or `a|b|c`.
    std::map<std::string, std::string> properties;
  };

  static const std::map<std::string, Definition>& definitions() {
    static const std::map<std::string, Definition> kDefinitions = {
        {"sarifLog", {{"version", "runs"}, {{"$schema", "text"}, {"version", "2.1.0"}, {"runs", "[run]?"}}}},
        {"run",
         {{"tool"},
          {{"tool", "tool"},
           {"invocations", "[invocation]?"},
           {"originalUriBaseIds", "{artifactLocation}"},
           {"columnKind", "utf16CodeUnits|unicodeCodePoints"},
           {"results", "[result]?"}}}},
        {"tool", {{"driver"}, {{"driver", "toolComponent"}}}},
        {"toolComponent", {{"name"}, {{"name", "text"}, {"version", "text"}, {"rules", "[reportingDescriptor]?"}}}},
        {"reportingDescriptor", {{"id"}, {{"id", "text"}, {"shortDescription", "multiformatMessageString"}}}},
        {"multiformatMessageString", {{"text"}, {{"text", "text"}}}},
        {"invocation",
         {{"executionSuccessful"},
          {{"executionSuccessful", "boolean"},
           {"exitCode", "number"},
           {"toolExecutionNotifications", "[notification]?"}}}},
        {"notification", {{"message"}, {{"message", "message"}, {"level", "none|note|warning|error"}}}},
        {"message", {{"text"}, {{"text", "text"}}}},  // or `id`, which we do not write
        {"result",
         {{"message"},
          {{"ruleId", "text"},
           {"ruleIndex", "number"},
           {"level", "none|note|warning|error"},
           {"message", "message"},
           {"locations", "[location]?"},
           {"codeFlows", "[codeFlow]?"},
           {"properties", "any"}}}},
        {"location",
         {{},
          {{"physicalLocation", "physicalLocation"},
           {"logicalLocations", "[logicalLocation]?"},
           {"message", "message"}}}},
        {"physicalLocation",
         {{"artifactLocation"}, {{"artifactLocation", "artifactLocation"}, {"region", "region"}}}},  // or `address`
        {"artifactLocation", {{}, {{"uri", "text"}, {"uriBaseId", "text"}}}},
        {"region", {{}, {{"startLine", "number"}, {"snippet", "artifactContent"}}}},
        {"artifactContent", {{}, {{"text", "text"}}}},
        {"logicalLocation", {{}, {{"fullyQualifiedName", "text"}, {"kind", "text"}}}},
        {"codeFlow", {{"threadFlows"}, {{"threadFlows", "[threadFlow]"}}}},
        {"threadFlow",
         {{"locations"}, {{"id", "text"}, {"message", "message"}, {"locations", "[threadFlowLocation]"}}}},
        {"threadFlowLocation",
         {{},
          {{"location", "location"}, {"executionOrder", "number"}, {"importance", "important|essential|unimportant"}}}},
    };
    return kDefinitions;
  }

  void problem(const std::string& where, const std::string& what) { problems_.push_back(where + ": " + what); }

  void object(const std::string& name, const nlohmann::json& value, const std::string& where) {
    if (!value.is_object()) return problem(where, "should be an object");
    const Definition& definition = definitions().at(name);
    for (const std::string& key : definition.required)
      if (!value.contains(key)) problem(where, "lacks " + key);
    for (const auto& [key, child] : value.items()) {
      const auto known = definition.properties.find(key);
      if (known == definition.properties.end())
        problem(where, name + " has no property " + key);
      else
        property(known->second, child, where + "." + key);
    }
  }

  void property(const std::string& kind, const nlohmann::json& value, const std::string& where) {
    if (kind == "any") return;
    if (kind == "text" || kind == "number" || kind == "boolean") {
      const bool right = kind == "text" ? value.is_string() : kind == "number" ? value.is_number() : value.is_boolean();
      if (!right) problem(where, "should be a " + kind);
      if (kind == "number" && right && value.get<int>() < (where.ends_with("startLine") ? 1 : 0))
        problem(where, "is too small");
    } else if (kind.front() == '[') {
      if (!value.is_array()) return problem(where, "should be a list");
      if (value.empty() && !kind.ends_with('?')) problem(where, "may not be empty");
      const std::string name = kind.substr(1, kind.find(']') - 1);
      for (std::size_t i = 0; i < value.size(); ++i) object(name, value[i], where + "[" + std::to_string(i) + "]");
    } else if (kind.front() == '{') {
      for (const auto& [key, child] : value.items()) object(kind.substr(1, kind.size() - 2), child, where + "." + key);
    } else if (definitions().contains(kind)) {
      object(kind, value, where);
    } else if (!value.is_string() ||
               ("|" + kind + "|").find("|" + value.get<std::string>() + "|") == std::string::npos) {
      problem(where, "should be one of " + kind);
    }
  }

  std::vector<std::string> problems_;
};

}  // namespace mazurka::testing
