// What an exception that nobody catches says of itself.
#pragma once

#include <typeinfo>

namespace mazurka::runtime {

/// what() of the exception under way, which is of this type; null where it is no std::exception. Calls the program.
const char* current_exception_text(const std::type_info& type);

}  // namespace mazurka::runtime
