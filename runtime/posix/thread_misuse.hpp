// std::thread::join() and detach() of an object that is not joinable.
#pragma once

namespace mazurka::runtime {

/// Finds what the C++ library has for them.
void find_thread_functions();

}  // namespace mazurka::runtime
