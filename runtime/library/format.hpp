// What printf and scanf access through their arguments, from the format.
#pragma once

#include <cstdarg>

#include "runtime/library/library_call.hpp"

namespace mazurka::runtime {

/// Reports the strings that printf will read, and what %n will write. \pre `arguments` is a copy, which this consumes.
void report_printed(LibraryCall& call, const char* format, va_list arguments);
/// Reports what scanf wrote, which converted `count` fields.
void report_scanned(const LibraryCall& call, const char* format, va_list arguments, int count);

}  // namespace mazurka::runtime
