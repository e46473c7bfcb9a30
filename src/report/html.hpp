// The result as one page that needs nothing else: style, script and data are inside, and its content security policy
// forbids to load anything. Without scripts it shows the text report.
#pragma once

#include <string>

#include "report/verdict.hpp"

namespace mazurka::report {

std::string html(const Verdict& verdict);

}  // namespace mazurka::report
