// Fuzzing towards reads-from pairs that were not seen before (Wolff, Shi, Duck, Mathur, Roychoudhury: *Greybox Fuzzing
// for Concurrency Testing*, 2024). An abstract schedule is a set of aims: pairs that an execution is to have, or not to
// have. The corpus holds those whose executions had a set of pairs that no execution before had; one is chosen, rare
// sets before frequent ones, changed by one aim, and tried.
//
// Deviations: aims name the object too (runtime/scheduling/sampling.hpp); an entry is chosen as the rarest of three
// instead of by a power schedule; a pair that was never seen comes first when an aim is added.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "core/random.hpp"
#include "walk/coverage.hpp"
#include "walk/sampler.hpp"

namespace mazurka::walk {

class RffSampler final : public Sampler {
 public:
  void begin() override;
  void prepare(Job& job) override;
  void learn(const Execution& execution) override;

 private:
  static constexpr std::size_t kMostPairs = std::size_t{1} << 16;
  static constexpr std::size_t kMostEntries = 4096;

  struct Aims {
    std::uint32_t count = 0;
    Aim aims[Guidance::kMaxAims];
  };
  struct Entry {
    Aims aims;
    std::uint64_t signature;  ///< of the set of pairs that its execution had
  };
  /// Who is known to use an object.
  struct Users {
    std::vector<std::uint64_t> writers;
    std::vector<std::uint64_t> readers;
  };

  const Entry& choose(SplitMix64& random) const;
  void mutate(Aims& aims, SplitMix64& random);
  Aim new_aim(SplitMix64& random);
  void note_users(const std::vector<Event>& events);
  void add_possible(const ReadsFrom& pair);
  static std::uint64_t key(const ReadsFrom& pair) {
    return mixed(mixed(mixed(pair.object) + pair.writer) + pair.reader);
  }

  ReadsFromPairs reads_from_;
  std::unordered_map<std::uint64_t, Users> users_;          // by object
  std::vector<ReadsFrom> possible_;                         // some writer of an object and some reader
  std::vector<std::uint32_t> unseen_;                       // of possible_; perhaps seen meanwhile
  std::unordered_map<std::uint64_t, bool> seen_;            // by key
  std::unordered_map<std::uint64_t, std::uint32_t> often_;  // how many executions had this signature
  std::vector<Entry> corpus_;
  Aims last_;
};

}  // namespace mazurka::walk
