// Networks on the command line: reading them in whatever format they come, and printing their runs.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "network/network.hpp"
#include "network/product.hpp"

namespace mazurka::cli {

inline constexpr const char* kModelHelp = "A network: a .tck file, a .sync file, or - for a .tck on standard input";

struct Model {
  network::Network network;
  std::string hash;  ///< of all bytes that were read for it
};

/// Throws InputError.
Model load_model(const std::string& file, network::Clients clients = network::Clients::Acyclic);

/// One line per step: number, client, event, server and what the server did.
void print_run(const network::Product& product, std::span<const network::ActionId> run);

/// What each unfinished client waits for in a deadlock.
void print_waiting(const network::Product& product, const std::uint64_t* state);

}  // namespace mazurka::cli
