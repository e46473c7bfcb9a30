#include "report/json.hpp"

namespace mazurka::report {
namespace {

using Json = nlohmann::ordered_json;

/// `file`, `path`, `line`, `function`, `source`: what is known of the place.
void add_spot(Json& entry, const Spot& spot) {
  if (spot.place.line > 0) {
    entry["file"] = spot.place.file;
    entry["path"] = spot.place.path;
    entry["line"] = spot.place.line;
  }
  if (!spot.place.function.empty()) entry["function"] = spot.place.function;
  if (!spot.text.empty()) entry["source"] = spot.text;
}

Json numbers(const std::vector<std::size_t>& indices) {
  Json list = Json::array();
  for (std::size_t i : indices) list.push_back(i + 1);
  return list;
}

Json step(const Story& story, std::size_t i) {
  const Story::DescribedStep& step = story.steps[i];
  Json entry{{"step", i + 1},
             {"thread", story.threads[step.thread].name},
             {"kind", name(step.kind)},
             {"operation", step.operation}};
  if (!step.object.empty()) entry["object"] = step.object;
  if (!step.values.text.empty()) entry["values"] = step.values.text;
  if (step.values.found) entry["found"] = *step.values.found;
  if (step.values.wrote) entry["wrote"] = *step.values.wrote;
  if (step.values.expected) entry["expected"] = *step.values.expected;
  if (step.alternative != 0) entry["alternative"] = step.alternative;
  add_spot(entry, step.spot);
  if (!step.causes.empty()) entry["after"] = numbers(step.causes);
  return entry;
}

}  // namespace

Json json(const Reach& reach) {
  const auto number = [](std::uint32_t bound) { return bound == Bound::kUnlimited ? Json(nullptr) : Json(bound); };
  Json answer{{"explorations", reach.explorations}, {"executions", reach.runs}};
  if (reach.deepened) {
    answer["bound"] = {{"steps", number(reach.bound.steps)}, {"threads", number(reach.bound.threads)}};
    if (reach.explored.steps != 0)
      answer["explored"] = {{"steps", reach.explored.steps}, {"threads", number(reach.explored.threads)}};
  }
  Json& places = answer["cut"] = Json::array();
  for (const CutPlace& cut : reach.cut) {
    Json entry{{"at", cut.text}, {"executions", cut.executions}, {"creates_thread", cut.creates_thread}};
    add_spot(entry, {cut.place, ""});
    places.push_back(std::move(entry));
  }
  return answer;
}

Json json(const Story& story) {
  Json error{{"kind", name(story.kind)}, {"message", story.message}, {"replay", story.replay}};
  if (story.failing != kNowhere) {
    Json failure{{"thread", story.threads[story.failing].name}};
    add_spot(failure, story.failure);
    error["failure"] = std::move(failure);
  }
  error["context_switches"] = story.switches;
  if (story.minimised) error["minimal"] = story.minimal;
  Json& threads = error["threads"] = Json::array();
  for (const Story::Thread& thread : story.threads) {
    Json entry{{"name", thread.name}};
    if (thread.created != kNowhere) entry["created"] = thread.created + 1;
    threads.push_back(std::move(entry));
  }
  Json& events = error["events"] = Json::array();
  for (std::size_t i = 0; i < story.steps.size(); ++i) events.push_back(step(story, i));
  Json& waiting = error["waiting"] = Json::array();
  for (const Story::BlockedOn& blocked : story.waiting) {
    Json entry{
        {"thread", story.threads[blocked.thread].name}, {"kind", name(blocked.kind)}, {"operation", blocked.operation}};
    if (!blocked.object.empty()) entry["object"] = blocked.object;
    if (blocked.holder != kNowhere) entry["holder"] = story.threads[blocked.holder].name;
    add_spot(entry, blocked.spot);
    waiting.push_back(std::move(entry));
  }
  Json& holding = error["holding"] = Json::array();
  for (const Story::Held& held : story.held)
    holding.push_back(
        {{"thread", story.threads[held.thread].name}, {"object", held.object}, {"since", held.since + 1}});
  for (const Story::Mailbox& mailbox : story.mailboxes)
    error["mailboxes"].push_back({{"object", mailbox.object}, {"messages", mailbox.messages}});
  if (!story.descriptors.empty()) error["descriptors"] = story.descriptors;
  if (!story.printed.empty()) {
    Json& printed = error["output"] = Json::array();
    for (const Story::Printed& part : story.printed)
      printed.push_back({{"after", part.after}, {"thread", story.threads[part.thread].name}, {"text", part.text}});
  }
  if (const auto sentences = explain(story); !sentences.empty()) error["explanation"] = sentences;
  error["warnings"] = story.warnings;
  return error;
}

}  // namespace mazurka::report
