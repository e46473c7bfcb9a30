// What a whole run found: what every report is made from.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/code_place.hpp"
#include "core/result.hpp"
#include "core/statistics.hpp"
#include "report/incomplete.hpp"
#include "report/reach.hpp"
#include "report/story.hpp"

namespace mazurka::report {

/// Code that was not instrumented or cannot be: what it does is not seen.
struct UnseenPlace {
  std::string kind;
  std::string file;
  unsigned line = 0;  ///< 0 where it is not known
  std::string function;
  std::string text;
  bool trusted = false;  ///< by the user
};

/// A data race that is intended: it was found, and did not make an execution fail.
struct IntendedRace {
  std::string by;  ///< the suppression, or `annotation`
  std::string variable;
  struct Access {
    std::string use;
    CodePlace place;
  };
  Access accesses[2];
};

struct Summary {
  std::string system;   ///< as the user named it
  std::string command;  ///< `check` or `replay`
  std::string version;
  Result result = Result::Ok;
  bool complete = false;                   ///< everything was explored, whatever was found
  std::vector<Incompleteness> incomplete;  ///< why, where the result is that
  Reach reach;                             ///< how far it came, where not everything was explored
  Statistics statistics;
  double seconds = 0;
  double exploring = 0;  ///< seconds, without compilation and minimisation
  std::vector<Story> errors;
  bool can_be_saved = true;        ///< a schedule of them, to be replayed; those of a test's closure cannot
  std::vector<std::string> notes;  ///< conditions under which the result holds
  std::vector<std::pair<std::string, std::uint64_t>> warnings;  ///< and in how many executions each was given
  struct Goal {
    std::string name;
    bool reached = false;
  };
  std::vector<Goal> goals;  ///< what some execution was to reach
  std::vector<UnseenPlace> unseen;
  std::vector<IntendedRace> intended_races;
  std::vector<std::string> uninstrumented;                     ///< libraries of the system
  std::vector<std::pair<std::string, std::uint64_t>> details;  ///< more numbers, of the algorithm
};

/// Which goals no execution reached, in a sentence; empty if there is none.
std::string missed_goals(const Summary& summary);
/// What an exploration without gaps and failures shows.
std::string all_explored(const Summary& summary);
/// The result in one sentence.
std::string headline(const Summary& summary);
/// `warning, in 3 executions: …`, one for each warning that --strict did not make an error: those were told as such.
std::vector<std::string> warning_lines(const Summary& summary);
/// Why it is incomplete and what to do, one sentence each.
std::vector<std::string> reasons(const Summary& summary);

}  // namespace mazurka::report
