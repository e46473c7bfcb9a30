#include "core/foata.hpp"

#include <algorithm>

#include "core/dependence.hpp"

namespace mazurka {

std::vector<std::uint32_t> foata_levels(const std::vector<Event>& events) {
  std::vector<std::uint32_t> level(events.size(), 0);
  for (std::size_t j = 0; j < events.size(); ++j)
    for (std::size_t i = 0; i < j; ++i)
      if (level[i] >= level[j] &&
          (events[i].process == events[j].process || dependent(events[i].operation, events[j].operation)))
        level[j] = level[i] + 1;
  return level;
}

FoataForm foata_normal_form(const std::vector<Event>& events) {
  const auto level = foata_levels(events);
  std::vector<std::uint32_t> order(events.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return level[a] != level[b] ? level[a] < level[b] : events[a].step() < events[b].step();
  });
  FoataForm form;
  for (std::size_t begin = 0; begin < order.size();) {
    std::size_t end = begin;
    while (end < order.size() && level[order[end]] == level[order[begin]]) ++end;
    form.push_back(static_cast<std::uint32_t>(end - begin));
    for (; begin < end; ++begin) {
      form.push_back(events[order[begin]].process);
      form.push_back(events[order[begin]].alternative);
    }
  }
  return form;
}

}  // namespace mazurka
