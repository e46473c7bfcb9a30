// An adequate order ≺ on configurations (Esparza, Römer, Vogler: *An Improvement of McMillan's Unfolding Algorithm*;
// for products, Esparza and Heljanko: *Unfoldings*, chapter 4). It decides which of two configurations that lead to the
// same state is continued. An order by size alone would continue all configurations of equal size, and there may be
// exponentially many.
//
// C ≺ C' if
//   1. C has fewer events; or
//   2. as many, and C has fewer events of the first process for which the numbers differ; or
//   3. as many of each process, and for the first object whose words differ, C has the shorter word, or the
//      lexicographically smaller one of equal length.
// The *word* of an object lists the processes of the pairwise dependent events on it, in order: locks and unlocks of a
// mutex, writes to a location, synchronisations with a server.
//
// ≺ is adequate. It is well-founded, since only finitely many configurations have a given size. It refines inclusion.
// It is preserved by finite extensions: appending events with the same labels to both sides adds the same amount to
// sizes and to counts per process, and appends the same suffix to each word. It is not total: words leave out some
// orders, such as that of a read and a write, so distinct configurations may be incomparable.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "unfolding/configuration.hpp"

namespace mazurka::unfolding {

/// What the order needs to know about a configuration. For large configurations only the size is stored. The comparison
/// is then incomplete, which is sound: if C ≺ C' is not known, both are continued.
struct Shape {
  static constexpr std::uint32_t kMost = 512;

  std::uint32_t size = 0;
  std::vector<std::uint32_t> counts;  ///< number of events per process; empty if unknown
  struct Letter {
    std::uint16_t object;  ///< its number, in order of discovery
    std::uint16_t process;
    bool operator==(const Letter&) const = default;
  };
  std::vector<Letter> letters;  ///< all words, by object
};

/// Whether C ≺ C' is certain. False if it is unknown.
bool smaller(const Shape& a, const Shape& b);

/// Computes the shapes of configurations.
class Shapes {
 public:
  explicit Shapes(const EventStructure& events) : events_(events) {}

  /// Takes over the numbering of objects, so that the shapes of both can be compared.
  void adopt(const Shapes& other) { numbers_ = other.numbers_; }
  /// Starts a configuration; its events follow in an order that respects causality.
  void begin();
  void add(EventId e);
  /// Completes the configuration.
  const Shape& end();

 private:
  const EventStructure& events_;
  Shape shape_;
  std::unordered_map<std::uint64_t, std::size_t> numbers_;  // of objects
};

}  // namespace mazurka::unfolding
