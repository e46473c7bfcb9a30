// Automata in the Aldebaran format, one `.aut` file per component, joined by a `.sync` file:
//
//   system:NAME
//   process:fork0:fork0.aut{role: server}
//   sync:phil0@acq_fork0:fork0@acq
//
// The lines have the syntax of `.tck` files; file names are relative to the folder of the `.sync` file. An `.aut` file
// starts with `des (initial, transitions, states)` and has one `(source, "label", target)` a line.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "network/network.hpp"

namespace mazurka::network {

/// One automaton: locations `0` … become names `s0` …, labels become events.
struct Automaton {
  struct Transition {
    LocationId source;
    std::string label;
    LocationId target;
    InputPosition position;
  };
  LocationId initial = 0;
  std::uint32_t states = 0;
  std::vector<Transition> transitions;
};

/// Throws InputError with `file:line:column`.
Automaton read_aut(std::string_view text, const std::string& file);
std::string write_aut(const Network& network, ComponentId component);

/// Reads a `.sync` text; `load` gives the text of a file it names. Throws InputError.
Network read_sync(std::string_view text, const std::string& file,
                  const std::function<std::string(const std::string&)>& load, Clients clients = Clients::Acyclic);

/// The `.sync` file and the `.aut` files of a network, by file name.
std::map<std::string, std::string> write_sync(const Network& network);

}  // namespace mazurka::network
