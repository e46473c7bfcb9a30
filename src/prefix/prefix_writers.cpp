#include "prefix/prefix_writers.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "net/writers.hpp"

namespace mazurka::prefix {

std::vector<bool> cutoff_events(const Prefix& prefix) {
  std::vector<bool> cutoff(prefix.events().size(), true);
  for (const History& history : prefix.histories())
    if (history.cutoff == 0) cutoff[history.event] = false;
  return cutoff;
}

net::Net occurrence_net(const Prefix& prefix, bool with_cutoffs) {
  const std::vector<bool> cutoff = cutoff_events(prefix);
  net::Net net;
  for (ConditionId c = 0; c < prefix.conditions(); ++c)
    net.add_place(fmt::format("{}#{}", prefix.net().place(prefix.place_of(c)).name, c), prefix.producer(c) == 0);
  for (EventId e = 1; e < prefix.events().size(); ++e) {
    if (!with_cutoffs && cutoff[e]) continue;
    const net::TransitionId t = net.add_transition(fmt::format("{}#{}", prefix.label(e).name, e));
    prefix.for_each_input(e, [&](ConditionId c, bool consumed) {
      if (consumed)
        net.add_input(c, t);
      else
        net.add_read(c, t);
    });
    const ConditionId first = prefix.events()[e].first_condition;
    for (ConditionId c = first; c < first + prefix.label(e).post.size(); ++c) net.add_output(t, c);
  }
  net.finish();
  return net;
}

std::string to_dot(const Prefix& prefix) {
  const std::vector<bool> cutoff = cutoff_events(prefix);
  std::string out = "digraph prefix {\n  node [fontsize=10];\n";
  for (ConditionId c = 0; c < prefix.conditions(); ++c)
    out += fmt::format("  c{} [shape=circle, label={}{}];\n", c,
                       net::dot_quoted(prefix.net().place(prefix.place_of(c)).name),
                       prefix.producer(c) == 0 ? ", style=filled, fillcolor=gray80" : "");
  for (EventId e = 1; e < prefix.events().size(); ++e) {
    out += fmt::format("  e{} [shape=box, label={}{}];\n", e, net::dot_quoted(prefix.label(e).name),
                       cutoff[e] ? ", style=dashed" : "");
    prefix.for_each_input(e, [&](ConditionId c, bool consumed) {
      out += fmt::format("  c{} -> e{}{};\n", c, e, consumed ? "" : " [dir=none, color=red]");
    });
    const ConditionId first = prefix.events()[e].first_condition;
    for (ConditionId c = first; c < first + prefix.label(e).post.size(); ++c)
      out += fmt::format("  e{} -> c{};\n", e, c);
  }
  return out + "}\n";
}

std::string to_json(const Prefix& prefix) {
  using nlohmann::ordered_json;
  ordered_json conditions = ordered_json::array();
  for (ConditionId c = 0; c < prefix.conditions(); ++c) {
    const EventId producer = prefix.producer(c);
    conditions.push_back({{"id", c},
                          {"place", prefix.net().place(prefix.place_of(c)).name},
                          {"producer", producer == 0 ? ordered_json() : ordered_json(producer)}});
  }
  ordered_json events = ordered_json::array();
  for (EventId e = 1; e < prefix.events().size(); ++e) {
    ordered_json pre = ordered_json::array();
    ordered_json context = ordered_json::array();
    prefix.for_each_input(e, [&](ConditionId c, bool consumed) { (consumed ? pre : context).push_back(c); });
    ordered_json post = ordered_json::array();
    for (std::size_t i = 0; i < prefix.label(e).post.size(); ++i)
      post.push_back(prefix.events()[e].first_condition + i);
    ordered_json histories = ordered_json::array();
    for (HistoryId h = prefix.events()[e].histories; h != kNoId; h = prefix.histories()[h].next) {
      // The histories of other events from which this one is built, one step down the history graph.
      std::vector<HistoryId> sources;
      for (EnrichedId link : prefix.links(h))
        prefix.for_each_source(link, [&](HistoryId source) { sources.push_back(source); });
      std::sort(sources.begin(), sources.end());
      sources.erase(std::unique(sources.begin(), sources.end()), sources.end());
      std::erase(sources, 0U);
      histories.push_back({{"id", h},
                           {"size", prefix.histories()[h].size},
                           {"cutoff", prefix.histories()[h].cutoff != 0},
                           {"from", sources}});
    }
    std::reverse(histories.begin(), histories.end());
    events.push_back({{"id", e},
                      {"transition", prefix.label(e).name},
                      {"pre", std::move(pre)},
                      {"context", std::move(context)},
                      {"post", std::move(post)},
                      {"histories", std::move(histories)}});
  }
  return ordered_json{{"conditions", std::move(conditions)}, {"events", std::move(events)}}.dump() + "\n";
}

}  // namespace mazurka::prefix
