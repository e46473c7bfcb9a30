// The text of an uncaught exception.
#pragma once

#include <typeinfo>

namespace mazurka::runtime {

/// what() of the current exception, which has this type; null if it is not a std::exception. Calls code of the program.
const char* current_exception_text(const std::type_info& type);

}  // namespace mazurka::runtime
