// Where the descriptors come from that a deadlock is about.
#pragma once

#include <string>
#include <vector>

#include "report/story.hpp"

namespace mazurka::report {

/// A sentence for each descriptor that somebody waits for: `descriptor 513 was made in step 2, with 512`.
std::vector<std::string> descriptors_of(const Execution& execution);

}  // namespace mazurka::report
