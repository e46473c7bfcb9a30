#include "runtime/scheduling/scheduling.hpp"

namespace mazurka::runtime {

Threads threads;
Choices choices;
constinit Scheduling scheduling{{.current = threads.all}};

}  // namespace mazurka::runtime
