// Sources that were changed after the program was built: the lines that a report quotes may not be those that ran.
#pragma once

#include "report/summary.hpp"

namespace mazurka::cli {

/// Adds a note for each such file that an error of the summary quotes.
void add_newer_sources(report::Summary& summary);

}  // namespace mazurka::cli
