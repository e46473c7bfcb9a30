#include "runtime/state.hpp"

namespace mazurka::runtime {

Tables tables;
constinit StatePages g{{{.current = tables.threads}}};

}  // namespace mazurka::runtime
