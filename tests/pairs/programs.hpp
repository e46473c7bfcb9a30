// Two features in one program, for every pair of them and every way to arrange them.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace mazurka::pairs {

/// Who does what. a and b are the two features, a1 the first thing to do with the objects of a; | separates threads, of
/// which the last is main, and [ ] stands for the place inside. Main is a thread like the others where that will do, so
/// that there are few interleavings.
enum class Arrangement {
  Apart,     ///< a1 | b1 |
  Sequence,  ///< a1 b1 | a2 b2
  Crossed,   ///< a1 b1 | b2 a2
  Inside,    ///< a1[b1] | a2[b2]
  Around,    ///< b1[a1] | a2 b2
  Joined,    ///< a1 b1 | a2, then the other is joined, then b2
  Trio,      ///< a1 | a2 | b1
  Count,
};

/// One program: features by their places in the table, first <= second.
struct Pair {
  std::size_t number = 0;  ///< its place among all programs
  std::size_t first = 0;
  std::size_t second = 0;
  Arrangement arrangement = Arrangement::Apart;
};

/// All of them; a number keeps its meaning as long as the table of features is the same.
std::vector<Pair> all_pairs();

/// `mutex + once, sequence`
std::string name(const Pair& pair);

/// The functions of one program; its entry is `int program_<number>(void)`.
std::string program_text(const Pair& pair);

/// A source file with these programs: the first argument says by its number which one to run.
std::string source_text(std::span<const Pair> pairs);

}  // namespace mazurka::pairs
