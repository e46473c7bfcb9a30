// Numbers as people read them.
#pragma once

#include <string>

namespace mazurka::report {

/// 1234567 as "1,234,567".
std::string grouped(unsigned long long number);
/// "1 step", "1,234 steps".
std::string counted(unsigned long long number, const char* thing);

}  // namespace mazurka::report
