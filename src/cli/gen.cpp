// mazurka gen: benchmark models on standard output.
#include <cstdio>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/command.hpp"
#include "network/families.hpp"
#include "network/tck.hpp"

namespace mazurka::cli {
namespace {

std::string family_list() {
  std::string text = "Families:\n";
  for (const network::Family& family : network::families())
    text += fmt::format("  {:<28}{}\n", fmt::format("{} {}", family.name, fmt::join(family.parameters, " ")),
                        family.description);
  return text;
}

struct Options {
  std::string family;
  std::vector<unsigned> arguments;
};

}  // namespace

void register_gen(CLI::App& app, Context& context) {
  CLI::App* command = add_command(app, context, "gen", "Print a benchmark model as a .tck network");
  auto options = std::make_shared<Options>();
  command->add_option("family", options->family, "Name of the family")->required();
  command->add_option("arguments", options->arguments, "Its size, or the other numbers it takes");
  command->footer(family_list());
  command->callback(
      [options] { fmt::print("{}", network::write_tck(network::generate(options->family, options->arguments))); });
}

}  // namespace mazurka::cli
