// Names of the system calls in which a program may be found waiting.
#pragma once

#include <string>

namespace mazurka::program {

std::string syscall_name(long number);

}  // namespace mazurka::program
