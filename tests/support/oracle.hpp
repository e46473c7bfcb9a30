// The oracle: all interleavings of a small system through its Executor, their classes, and the sets every explorer must
// agree on.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "core/executor.hpp"
#include "core/foata.hpp"

namespace mazurka::testing {

struct OracleResult {
  bool complete = false;  ///< false where there were more interleavings than the limit: use nothing else then
  std::uint64_t interleavings = 0;
  std::set<FoataForm> classes;                           ///< of all maximal executions
  std::set<std::vector<std::uint64_t>> deadlocks;        ///< their final states
  std::set<std::vector<std::uint64_t>> final_states;     ///< of all maximal executions
  std::set<std::pair<std::string, std::string>> errors;  ///< kind and detail
};

/// Enumerates and classifies by Foata normal form.
OracleResult brute_force(Executor& executor, std::uint64_t max_interleavings = 20'000);

/// The number of classes by another way: union-find over all interleavings, joining two that differ in the order of one
/// adjacent independent pair. Also fails the test where such a swap is not itself an interleaving of the system.
/// Returns 0 where there are more than `max_interleavings`.
std::uint64_t classes_by_swapping(Executor& executor, std::uint64_t max_interleavings = 20'000);

}  // namespace mazurka::testing
