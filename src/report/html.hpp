// The result as one page that needs nothing else: style, script and data are inside, and its content security policy
// forbids to load anything. Without scripts it shows the text report.
#pragma once

#include <string>

#include "report/summary.hpp"

namespace mazurka::report {

std::string html(const Summary& summary);

}  // namespace mazurka::report
