#include "runtime/scheduling/scheduling.hpp"

namespace mazurka::runtime {

constinit Threads threads{};
constinit Choices choices{};  // constinit: too large to initialise at start-up
constinit Scheduling scheduling{{.current = threads.all}};

}  // namespace mazurka::runtime
