// The style and the script of the HTML report: the files of src/report/page, inside the binary.
#pragma once

#include <string_view>

namespace mazurka::report {

extern const std::string_view kPageStyle;
extern const std::string_view kPageScript;

}  // namespace mazurka::report
