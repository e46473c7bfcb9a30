#include "runtime/scheduling/scheduling.hpp"

namespace mazurka::runtime {

constinit Threads threads{};
constinit Choices choices{};  // not made at the start: it is large
constinit Scheduling scheduling{{.current = threads.all}};

}  // namespace mazurka::runtime
