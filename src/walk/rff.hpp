// Greybox fuzzing for new reads-from pairs (Wolff, Shi, Duck, Mathur, Roychoudhury: *Greybox Fuzzing for Concurrency
// Testing*, 2024). An abstract schedule is a set of aims: reads-from pairs that an execution should have, or should not
// have. The corpus holds the abstract schedules whose executions had a new combination of pairs. Fuzzing picks one,
// preferring rare combinations, mutates one aim, and runs it.
//
// Deviations: aims name the object too (runtime/scheduling/sampling.hpp); an entry is picked as the rarest of three
// instead of by a power schedule; when an aim is added, pairs never seen come first.
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
    std::uint64_t signature;  ///< of the combination of pairs that its execution had
  };
  /// The sites that are known to access an object.
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
  std::vector<ReadsFrom> possible_;                         // pairs of a writer and a reader of one object
  std::vector<std::uint32_t> unseen_;                       // into possible_; some may have been seen since
  std::unordered_map<std::uint64_t, bool> seen_;            // by key
  std::unordered_map<std::uint64_t, std::uint32_t> often_;  // how many executions had this signature
  std::vector<Entry> corpus_;
  Aims last_;
};

}  // namespace mazurka::walk
