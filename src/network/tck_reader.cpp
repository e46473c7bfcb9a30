#include <array>
#include <utility>

#include <fmt/format.h>

#include "core/error.hpp"
#include "network/declarations.hpp"
#include "network/names.hpp"
#include "network/tck.hpp"

namespace mazurka::network {
namespace {

class TckReader {
 public:
  explicit TckReader(const std::string& file) { description_.file = file; }

  Description read(std::string_view text) {
    for (const Declaration& declaration : parse_declarations(text, description_.file)) accept(declaration);
    if (!has_system_) fail({1, 1}, "there is no 'system:NAME' line; is this a complete .tck file?");
    if (description_.components.empty()) fail({1, 1}, "the system has no process");
    return std::move(description_);
  }

 private:
  [[noreturn]] void fail(InputPosition position, std::string_view message) const {
    throw InputError({description_.file, position.line, position.column}, message);
  }

  void accept(const Declaration& declaration) {
    const std::string& keyword = declaration.keyword.text;
    if (keyword == "system") return system(declaration);
    if (!has_system_) fail(declaration.keyword.position, "the first declaration must be 'system:NAME'");
    if (keyword == "event") return event(declaration);
    if (keyword == "process") return process(declaration);
    if (keyword == "location") return location(declaration);
    if (keyword == "edge") return edge(declaration);
    if (keyword == "sync") return sync(declaration);
    for (const char* refused : {"clock", "int"})
      if (keyword == refused)
        fail(declaration.keyword.position,
             fmt::format("'{}' declarations are not supported: only finite automata are; model a variable as a server "
                         "with one location per value",
                         refused));
    fail(declaration.keyword.position,
         fmt::format("unknown declaration '{}'; known are system, event, process, location, edge, sync", keyword));
  }

  void require_fields(const Declaration& declaration, std::size_t count, std::string_view form) const {
    if (declaration.fields.size() != count)
      fail(declaration.keyword.position,
           fmt::format("expected {}, found {} field{} after '{}'", form, declaration.fields.size(),
                       declaration.fields.size() == 1 ? "" : "s", declaration.keyword.text));
    for (const Field& field : declaration.fields) require_name(field, description_.file);
  }

  void require_no_attributes(const Declaration& declaration) const {
    if (declaration.attributes.empty()) return;
    const Field& key = declaration.attributes.front().key;
    static constexpr std::array kTimedOrData = {"provided", "do", "invariant"};
    for (const char* refused : kTimedOrData)
      if (key.text == refused)
        fail(key.position, fmt::format("attribute '{}' is not supported: guards, updates and invariants are not "
                                       "finite-state automata",
                                       refused));
    fail(key.position, fmt::format("attribute '{}' is not known here", key.text));
  }

  void system(const Declaration& declaration) {
    require_fields(declaration, 1, "system:NAME");
    require_no_attributes(declaration);
    if (std::exchange(has_system_, true)) fail(declaration.keyword.position, "a second 'system' line");
    description_.name = declaration.fields[0].text;
  }

  void event(const Declaration& declaration) {
    require_fields(declaration, 1, "event:NAME");
    require_no_attributes(declaration);
    if (!events_.add(declaration.fields[0].text))
      fail(declaration.fields[0].position, fmt::format("event '{}' is declared twice", declaration.fields[0].text));
    description_.events.push_back(declaration.fields[0].text);
  }

  void process(const Declaration& declaration) {
    require_fields(declaration, 1, "process:NAME");
    const Field& name = declaration.fields[0];
    if (!processes_.add(name.text)) fail(name.position, fmt::format("process '{}' is declared twice", name.text));
    Component component;
    component.name = name.text;
    component.role = parse_role(declaration, description_.file);
    component.position = name.position;
    description_.components.push_back(std::move(component));
    locations_.emplace_back();
  }

  void location(const Declaration& declaration) {
    require_fields(declaration, 2, "location:PROCESS:NAME");
    const ComponentId id = find_process(declaration.fields[0]);
    Location location;
    location.name = declaration.fields[1].text;
    location.position = declaration.fields[1].position;
    for (const Attribute& attribute : declaration.attributes) {
      if (attribute.key.text == "initial") {
        if (!attribute.value.empty())
          fail(attribute.key.position,
               fmt::format("attribute 'initial' has no value, found '{}'; leave it out where a location is not initial",
                           attribute.value));
        location.initial = true;
      } else if (attribute.key.text == "labels") {
        location.labels = attribute.value;
      } else {
        fail(attribute.key.position,
             fmt::format("attribute '{}' of a location is not supported; known are initial and labels",
                         attribute.key.text));
      }
    }
    if (!locations_[id].add(location.name))
      fail(location.position, fmt::format("location '{}' of process '{}' is declared twice", location.name,
                                          description_.components[id].name));
    description_.components[id].locations.push_back(std::move(location));
  }

  void edge(const Declaration& declaration) {
    require_fields(declaration, 4, "edge:PROCESS:SOURCE:TARGET:EVENT");
    require_no_attributes(declaration);
    const ComponentId id = find_process(declaration.fields[0]);
    description_.components[id].edges.push_back({find_location(id, declaration.fields[1]),
                                                 find_location(id, declaration.fields[2]),
                                                 find_event(declaration.fields[3]), declaration.fields[1].position});
  }

  void sync(const Declaration& declaration) {
    const auto [first, second] = parse_sync(declaration, description_.file);
    description_.actions.push_back({find_process(first.process), find_event(first.event), find_process(second.process),
                                    find_event(second.event), first.process.position});
  }

  ComponentId find_process(const Field& field) const {
    if (const auto id = processes_.find(field.text)) return *id;
    fail(field.position, fmt::format("process '{}' is not declared before this line", field.text));
  }
  EventId find_event(const Field& field) const {
    if (const auto id = events_.find(field.text)) return *id;
    fail(field.position, fmt::format("event '{}' is not declared before this line", field.text));
  }
  LocationId find_location(ComponentId process, const Field& field) const {
    if (const auto id = locations_[process].find(field.text)) return *id;
    fail(field.position, fmt::format("process '{}' has no location '{}' declared before this line",
                                     description_.components[process].name, field.text));
  }

  Description description_;
  bool has_system_ = false;
  Names events_;
  Names processes_;
  std::vector<Names> locations_;
};

}  // namespace

Network read_tck(std::string_view text, const std::string& file, Clients clients) {
  return Network::build(TckReader(file).read(text), clients);
}

}  // namespace mazurka::network
