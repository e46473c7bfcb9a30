// std::thread::join() and detach() of an object that is not joinable.
#pragma once

namespace mazurka::runtime {

/// Looks up the C++ library's functions.
void find_thread_functions();

}  // namespace mazurka::runtime
