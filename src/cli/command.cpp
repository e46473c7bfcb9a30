#include "cli/command.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>

#include <fmt/format.h>
#include <sys/resource.h>

#include "cli/limits.hpp"
#include "core/error.hpp"

namespace mazurka::cli {
namespace {

const auto kProcessStart = std::chrono::steady_clock::now();

/// What never ends is refused in a second.
constexpr std::size_t kLargestInput = std::size_t{1} << 29;

std::string drain(std::istream& in, const std::string& name, Contents contents, std::size_t size = 0) {
  std::string text;
  text.reserve(std::min(size, kLargestInput));
  for (char block[1 << 14];;) {
    errno = 0;
    in.read(block, sizeof block);
    const auto count = static_cast<std::size_t>(in.gcount());
    // A signal that ends a read is not the end of the input: a part of a model is another model.
    const bool was_interrupted = !in && errno == EINTR;
    if (was_interrupted) {
      in.clear();
      std::clearerr(stdin);
    }
    if (count == 0 && !was_interrupted) break;
    if (contents == Contents::Text && std::memchr(block, 0, count) != nullptr)
      throw InputError({name}, "is not a text file: it contains zero bytes");
    text.append(block, count);
    if (text.size() > kLargestInput) throw InputError({name}, "is larger than 512 MiB, the largest input that is read");
  }
  return text;
}

}  // namespace

CLI::App* add_command(CLI::App& app, Context& context, const std::string& name, const std::string& description) {
  CLI::App* command = app.add_subcommand(name, description);
  command->add_flag("--json", context.json, "Print one JSON object on standard output and nothing else");
  command->add_flag("--stats", context.stats, "Print more statistics, for people; --json has them for programs");
  command->add_flag("--quiet", context.quiet,
                    "Print nothing but messages about bad usage and input: the exit code is the result");
  return command;
}

std::string read_input(const std::string& file, Contents contents) {
  if (file == "-") return drain(std::cin, "<stdin>", contents);
  if (std::filesystem::is_directory(file))
    throw InputError({file}, "is a directory; name a file, or - for standard input");
  std::ifstream in(file, std::ios::binary);
  if (!in) throw InputError({file}, fmt::format("cannot be read: {}", std::strerror(errno)));
  std::error_code has_no_size;
  const std::uintmax_t size = std::filesystem::file_size(file, has_no_size);
  return drain(in, file, contents, has_no_size ? 0 : static_cast<std::size_t>(size));
}

void add_limit_options(CLI::App& command, LimitOptions& options) {
  command.add_option("--time-limit", options.seconds, "Stop after this many seconds, with an incomplete result")
      ->check(check_seconds);
  command
      .add_option("--memory-limit", options.mebibytes, "Stop beyond this many MiB of memory, with an incomplete result")
      ->check(check_count);
}

void start_within(Context& context, const LimitOptions& options) {
  context.prompt_end.emplace(context.json);
  context.time_limit = options.seconds;
  if (options.seconds > 0) interrupt_after(options.seconds);
  if (options.mebibytes == 0) return;
  rlimit limit{};
  getrlimit(RLIMIT_DATA, &limit);
  limit.rlim_cur = std::min<rlim_t>(limit.rlim_max, options.mebibytes << 20);
  setrlimit(RLIMIT_DATA, &limit);
}

nlohmann::ordered_json json_frame(Result result) {
  return {{"result", name(result)}, {"seconds", seconds_since_start()}, {"peak_rss_kib", peak_rss_kib()}};
}

void print_answer(const nlohmann::ordered_json& answer) {
  fmt::print("{}\n", answer.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
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
