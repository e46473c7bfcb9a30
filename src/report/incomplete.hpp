// Why a search proves nothing, and what can be done about it.
#pragma once

#include <string>

namespace mazurka::report {

struct Incompleteness {
  std::string reason;   ///< one word, for scripts: `time-limit`, `max-steps`, `interrupt`, …
  std::string message;  ///< a sentence without its full stop
  std::string advice;
  bool explored_everything = false;  ///< every execution was looked at, and that proves nothing all the same
};

/// `the time limit of 2 s was reached: raise --time-limit, or …`
inline std::string sentence(const Incompleteness& why) { return why.message + ": " + why.advice; }

}  // namespace mazurka::report
