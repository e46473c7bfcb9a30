#include "cli/command.hpp"

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>

#include <fmt/format.h>
#include <sys/resource.h>

#include "core/error.hpp"

namespace mazurka::cli {
namespace {

const auto kProcessStart = std::chrono::steady_clock::now();

std::string drain(std::istream& in) {
  std::string text;
  for (char block[1 << 14]; in.read(block, sizeof block), in.gcount() > 0;)
    text.append(block, static_cast<std::size_t>(in.gcount()));
  return text;
}

}  // namespace

CLI::App* add_command(CLI::App& app, Context& context, const std::string& name, const std::string& description) {
  CLI::App* command = app.add_subcommand(name, description);
  command->add_flag("--json", context.json, "Print one JSON object on standard output and nothing else");
  command->add_flag("--stats", context.stats, "Print more statistics");
  command->add_flag("--quiet", context.quiet, "Print no progress and no summary");
  return command;
}

std::string read_input(const std::string& file) {
  if (file == "-") return drain(std::cin);
  if (std::filesystem::is_directory(file))
    throw InputError({file}, "is a directory; name a file, or - for standard input");
  std::ifstream in(file, std::ios::binary);
  if (!in) throw InputError({file}, fmt::format("cannot be read: {}", std::strerror(errno)));
  return drain(in);
}

void write_output(const std::string& file, const std::string& text) {
  std::ofstream out(file, std::ios::binary);
  out << text;
  out.close();
  if (out) return;
  const std::string reason = std::strerror(errno);
  std::remove(file.c_str());
  throw InputError({file}, fmt::format("cannot be written: {}", reason));
}

nlohmann::ordered_json json_frame(Result result) {
  return {{"result", name(result)}, {"seconds", seconds_since_start()}, {"peak_rss_kib", peak_rss_kib()}};
}

long peak_rss_kib() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

double seconds_since_start() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - kProcessStart).count();
}

}  // namespace mazurka::cli
