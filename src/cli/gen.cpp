// mazurka gen: benchmark models on standard output.
#include <cstdio>
#include <filesystem>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/command.hpp"
#include "cli/output_file.hpp"
#include "network/aut.hpp"
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

struct GenOptions {
  std::string family;
  std::vector<unsigned> arguments;
  std::string aut;
};

void run_gen(const GenOptions& options) {
  const network::Network network = network::generate(options.family, options.arguments);
  if (options.aut.empty()) {
    fmt::print("{}", network::write_tck(network));
    return;
  }
  std::filesystem::create_directories(options.aut);
  for (const auto& [file, text] : network::write_sync(network))
    write_output((std::filesystem::path(options.aut) / file).string(), text);
}

}  // namespace

void register_gen(CLI::App& app, Context& context) {
  CLI::App* command = add_command(app, context, "gen", "Print a benchmark model as a .tck network");
  auto options = std::make_shared<GenOptions>();
  command->add_option("family", options->family, "Name of the family")->required();
  command->add_option("arguments", options->arguments, "Its size, or the other numbers it takes");
  command->footer(family_list());
  command->add_option("--aut", options->aut,
                      "Write one .aut file per component and a .sync file to this folder instead");
  command->callback([options] { run_gen(*options); });
}

}  // namespace mazurka::cli
