#include "report/html.hpp"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "report/json.hpp"
#include "report/page_assets.hpp"
#include "report/source_files.hpp"
#include "report/text.hpp"

namespace mazurka::report {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kContext = 5;  // lines around a place that the page may show

std::string html_text(std::string_view text) {
  std::string result;
  for (char c : text) switch (c) {
      case '&': result += "&amp;"; break;
      case '<': result += "&lt;"; break;
      case '>': result += "&gt;"; break;
      default: result += c;
    }
  return result;
}

/// The lines around all places of the stories, by path and line number.
Json excerpts(const std::vector<Story>& stories) {
  std::map<std::string, std::set<int>> wanted;
  const auto want = [&](const Spot& spot) {
    if (!spot.known()) return;
    for (int line = std::max(1, spot.place.line - kContext); line <= spot.place.line + kContext; ++line)
      wanted[spot.place.path].insert(line);
  };
  for (const Story& story : stories) {
    for (const Story::DescribedStep& step : story.steps) want(step.spot);
    for (const Story::BlockedOn& blocked : story.waiting) want(blocked.spot);
    want(story.failure);
  }
  SourceFiles sources;
  Json files = Json::object();
  for (const auto& [path, numbers] : wanted) {
    const std::vector<std::string>& lines = sources.lines(path);
    if (lines.empty()) continue;
    Json& file = files[path] = Json::object();
    for (int number : numbers)
      if (static_cast<std::size_t>(number) <= lines.size())
        file[fmt::format("{}", number)] = lines[static_cast<std::size_t>(number) - 1];
  }
  return files;
}

Json data(const Summary& summary) {
  Json errors = Json::array();
  // What --strict made an error, or is counted among the notes, is not said again.
  const auto is_error = [&](const std::string& text) {
    return std::ranges::any_of(summary.errors, [&](const Story& story) { return story.message == text; });
  };
  const auto is_counted = [&](const std::string& text) {
    return std::ranges::any_of(summary.warnings, [&](const auto& counted) { return counted.first == text; });
  };
  for (Story story : summary.errors) {
    std::erase_if(story.warnings, [&](const std::string& text) { return is_error(text) || is_counted(text); });
    Json error = json(story);
    for (std::size_t i = 0; i < story.steps.size(); ++i) {
      if (!story.steps[i].acquires.empty()) error["events"][i]["acquires"] = story.steps[i].acquires;
      if (!story.steps[i].releases.empty()) error["events"][i]["releases"] = story.steps[i].releases;
    }
    errors.push_back(std::move(error));
  }
  Json notes = Json::array();
  // The page begins with the error.
  if (summary.result == Result::Incomplete && !summary.errors.empty()) notes.push_back(headline(summary));
  for (const std::string& reason : reasons(summary)) notes.push_back(reason);
  for (const std::string& note : summary.notes) notes.push_back(note);
  for (const std::string& warning : warning_lines(summary)) notes.push_back(warning);
  return {{"system", summary.system},         {"result", name(summary.result)},
          {"headline", headline(summary)},    {"executions", summary.statistics.executions},
          {"notes", std::move(notes)},        {"errors", std::move(errors)},
          {"files", excerpts(summary.errors)}};
}

/// JSON that cannot end the script element it stands in: no tag begins inside.
std::string embedded(const Json& json) {
  std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  std::string result;
  for (char c : text) {
    if (c == '<')
      result += "\\u003c";
    else
      result += c;
  }
  return result;
}

}  // namespace

std::string html(const Summary& summary) {
  std::string fallback = headline(summary) + "\n\n";
  for (const Story& story : summary.errors) fallback += text(story, Style{}) + "\n";
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
      "script-src 'unsafe-inline'\">\n"
      "<title>{} - Mazurka</title>\n<style>\n{}</style>\n</head>\n<body>\n<div id=\"app\"></div>\n"
      "<noscript><pre>{}</pre></noscript>\n"
      "<script type=\"application/json\" id=\"report\">{}</script>\n<script>\n{}</script>\n</body>\n</html>\n",
      html_text(headline(summary)), kPageStyle, html_text(fallback), embedded(data(summary)), kPageScript);
}

}  // namespace mazurka::report
