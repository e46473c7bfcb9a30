// The result as JUnit XML, which build servers read: one test suite with one test case, which passes only if everything
// was explored and nothing fails. A bug is a failure, whatever proves nothing an error.
#pragma once

#include <string>

#include "report/summary.hpp"

namespace mazurka::report {

std::string junit(const Summary& summary);

}  // namespace mazurka::report
