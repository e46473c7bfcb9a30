// An adequate order on configurations (Esparza, Römer, Vogler: *An Improvement of McMillan's Unfolding Algorithm*; for
// products, Esparza and Heljanko: *Unfoldings*, chapter 4): it decides which of two configurations that lead to the
// same state is continued. By size alone, configurations of one size are all continued, and there may be exponentially
// many.
//
// C ≺ C' if C has fewer events; or as many, and fewer of the first process that has not as many in both; or as many of
// each, and the *word* of the first object whose words differ is the shorter one, or the smaller one if they are as
// long. The word of an object says which processes did the events on it that depend on each other, in their order:
// locking and unlocking a mutex, writing to a location, synchronising with a server.
//
// It is adequate: well-founded, since only finitely many configurations are as large; a part is smaller than the whole;
// and what is appended to both sides, with the same labels, has the same effect on sizes, on numbers, and on words,
// which all get the same ending, so it changes nothing about which is the smaller one. It is not total: what a word
// leaves out, such as the order of a read and a write, may be different in configurations that are neither smaller nor
// larger.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "unfolding/configuration.hpp"

namespace mazurka::unfolding {

/// All that the order asks of a configuration. Of large ones only the size is kept: the order is what it is, but less
/// is known of it then, and who does not know that a configuration is smaller continues both.
struct Shape {
  static constexpr std::uint32_t kMost = 512;

  std::uint32_t size = 0;
  std::vector<std::uint32_t> counts;  ///< of events, by process; none if they are not known
  struct Letter {
    std::uint16_t object;  ///< its number, in order of discovery
    std::uint16_t process;
    bool operator==(const Letter&) const = default;
  };
  std::vector<Letter> letters;  ///< of all words, by object
};

/// Whether C ≺ C' is known.
bool smaller(const Shape& a, const Shape& b);

/// Makes shapes of configurations.
class Shapes {
 public:
  explicit Shapes(const EventStructure& events) : events_(events) {}

  /// Takes over the numbers of objects, so that shapes can be compared with those that another one made.
  void adopt(const Shapes& other) { numbers_ = other.numbers_; }
  /// Begins a configuration; its events follow in an order in which they may happen.
  void begin();
  void add(EventId e);
  /// The configuration is complete.
  const Shape& end();

 private:
  const EventStructure& events_;
  Shape shape_;
  std::unordered_map<std::uint64_t, std::size_t> numbers_;  // of objects
};

}  // namespace mazurka::unfolding
