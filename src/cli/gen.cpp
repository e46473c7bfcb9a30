#include "cli/command.hpp"

namespace mazurka::cli {

void register_gen(CLI::App& app, Context& context) { add_command(app, context, "gen", "Print a benchmark model"); }

}  // namespace mazurka::cli
