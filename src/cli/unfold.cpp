#include <fmt/core.h>

#include "cli/command.hpp"
#include "core/error.hpp"
#include "net/ll_net_reader.hpp"
#include "prefix/unfolder.hpp"

namespace mazurka::cli {

void register_unfold(CLI::App& app, Context& context) {
  CLI::App* cmd = add_command(app, context, "unfold", "Complete prefix");
  static std::string file;
  static std::string order = "erv";
  cmd->add_option("net", file)->required();
  cmd->add_option("--order", order);
  cmd->callback([&context] {
    const auto net = net::read_ll_net(file, read_input(file));
    const auto u = prefix::unfold(net, order == "erv" ? prefix::Order::Erv : prefix::Order::McMillan);
    if (u.unsafe) throw InputError({file}, net::unsafe_message(net, *u.unsafe));
    const auto& p = u.prefix;
    fmt::print("{},{},{},{} enriched {} rss {} s {:.3f}\n", p.event_count(), p.conditions(), p.history_count(), p.cutoff_count(), p.enriched().size(), peak_rss_kib(), seconds_since_start());
    context.exit_code = u.complete ? 0 : 3;
  });
}

}  // namespace mazurka::cli
