#include "network/network_names.hpp"

#include <fmt/format.h>

#include "network/executor.hpp"

namespace mazurka::network {

std::string NetworkNames::process_name(ProcessIndex process) const {
  return network_.component(network_.clients()[process]).name;
}

ProcessIndex NetworkNames::process_named(std::string_view name) const {
  for (ProcessIndex process = 0; process < network_.clients().size(); ++process)
    if (process_name(process) == name) return process;
  return kNoProcess;
}

std::string NetworkNames::describe(const Operation& operation, const std::vector<HeapBlock>&) const {
  const Action& action = network_.action(NetworkExecutor::action_of(operation));
  const std::string& event = network_.events()[action.client_event];
  const Component& server = network_.component(action.server);
  return server.implicit ? event
                         : fmt::format("{} ({} {})", event, server.name, network_.events()[action.server_event]);
}

std::string NetworkNames::object(const Operation& operation, const std::vector<HeapBlock>&) const {
  const Component& server = network_.component(network_.action(NetworkExecutor::action_of(operation)).server);
  return server.implicit ? "" : server.name;
}

}  // namespace mazurka::network
