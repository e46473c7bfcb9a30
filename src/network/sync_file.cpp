// The `.sync` file that joins automata: see aut.hpp.
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "core/error.hpp"
#include "network/aut.hpp"
#include "network/declarations.hpp"
#include "network/names.hpp"

namespace mazurka::network {
namespace {

class SyncReader {
 public:
  SyncReader(const std::string& file, const std::function<std::string(const std::string&)>& load) : load_(load) {
    description_.file = file;
  }

  Description read(std::string_view text) {
    for (const Declaration& declaration : parse_declarations(text, description_.file)) {
      const std::string& keyword = declaration.keyword.text;
      if (keyword == "system") {
        if (declaration.fields.size() != 1) fail(declaration.keyword.position, "expected system:NAME");
        require_name(declaration.fields[0], description_.file);
        if (!declaration.attributes.empty())
          fail(declaration.attributes.front().key.position,
               fmt::format("attribute '{}' is not known here", declaration.attributes.front().key.text));
        if (!description_.name.empty()) fail(declaration.keyword.position, "a second 'system' line");
        description_.name = declaration.fields[0].text;
      } else if (keyword == "process") {
        process(declaration);
      } else if (keyword == "sync") {
        const auto [first, second] = parse_sync(declaration, description_.file);
        for (const SyncEnd& end : {first, second}) require_visible(end.event);
        description_.actions.push_back({find_process(first.process), find_event(first.event),
                                        find_process(second.process), find_event(second.event),
                                        first.process.position});
      } else {
        fail(declaration.keyword.position,
             fmt::format("unknown declaration '{}'; known are system, process, sync", keyword));
      }
    }
    if (description_.name.empty()) fail({1, 1}, "there is no 'system:NAME' line; is this a .sync file?");
    if (description_.components.empty()) fail({1, 1}, "the system has no process");
    return std::move(description_);
  }

 private:
  [[noreturn]] void fail(InputPosition position, std::string_view message) const {
    throw InputError({description_.file, position.line, position.column}, message);
  }

  void process(const Declaration& declaration) {
    if (declaration.fields.size() != 2) fail(declaration.keyword.position, "expected process:NAME:FILE.aut");
    const Field& name = declaration.fields[0];
    require_name(name, description_.file);
    if (!processes_.add(name.text)) fail(name.position, fmt::format("process '{}' is declared twice", name.text));
    const std::string& file = declaration.fields[1].text;
    const Automaton automaton = read_aut(load_(file), file);
    // States without edges take memory too, so that a header may not announce millions of them.
    constexpr std::size_t kIsolatedStates = 1000;
    if (automaton.states > 2 * automaton.transitions.size() + kIsolatedStates)
      fail(declaration.fields[1].position, fmt::format("{} has {} states but only {} transitions, so some are isolated",
                                                       file, automaton.states, automaton.transitions.size()));
    Component component;
    component.name = name.text;
    component.role = parse_role(declaration, description_.file);
    component.position = name.position;
    for (std::uint32_t i = 0; i < automaton.states; ++i)
      component.locations.push_back({fmt::format("s{}", i), "", i == automaton.initial, name.position});
    for (const auto& transition : automaton.transitions) {
      const Field label{transition.label, transition.position};
      require_name(label, file);
      component.edges.push_back({transition.source, transition.target, event(transition.label), name.position});
    }
    description_.components.push_back(std::move(component));
  }

  /// The internal action, `i` in CADP and `tau` in mCRL2, is a local step of one automaton.
  void require_visible(const Field& event) const {
    if (event.text == "i" || event.text == "tau")
      fail(event.position,
           fmt::format("'{}' is the internal action, which takes part in no synchronisation; rename the "
                       "label if that is not intended",
                       event.text));
  }

  EventId event(const std::string& name) {
    if (const auto known = events_.find(name)) return *known;
    description_.events.push_back(name);
    return *events_.add(name);
  }
  ComponentId find_process(const Field& field) const {
    if (const auto id = processes_.find(field.text)) return *id;
    fail(field.position, fmt::format("process '{}' is not declared before this line", field.text));
  }
  EventId find_event(const Field& field) const {
    if (const auto id = events_.find(field.text)) return *id;
    fail(field.position, fmt::format("no automaton above has the label '{}'", field.text));
  }

  const std::function<std::string(const std::string&)>& load_;
  Description description_;
  Names events_;
  Names processes_;
};

}  // namespace

Network read_sync(std::string_view text, const std::string& file,
                  const std::function<std::string(const std::string&)>& load, Clients clients) {
  return Network::build(SyncReader(file, load).read(text), clients);
}

std::map<std::string, std::string> write_sync(const Network& network) {
  std::map<std::string, std::string> files;
  std::string text = fmt::format("system:{}\n\n", network.name());
  auto out = std::back_inserter(text);
  for (ComponentId id = 0; id < network.components().size(); ++id) {
    const Component& component = network.component(id);
    if (component.implicit) continue;
    const std::string file = component.name + ".aut";
    fmt::format_to(out, "process:{}:{}{{role: {}}}\n", component.name, file, role_name(component.role));
    files[file] = write_aut(network, id);
  }
  text += '\n';
  append_sync_lines(network, text);
  files[network.name() + ".sync"] = text;
  return files;
}

}  // namespace mazurka::network
