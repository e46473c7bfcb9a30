#include <algorithm>
#include <cstdio>
#include <exception>
#include <new>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>

#include "cli/cc.hpp"
#include "cli/command.hpp"
#include "cli/compiler_words.hpp"
#include "cli/manual.hpp"
#include "cli/own_stack.hpp"
#include "cli/ranks.hpp"
#include "cli/reports.hpp"
#include "cli/suggestion.hpp"
#include "core/error.hpp"
#include "core/interrupt.hpp"
#include "core/invariant.hpp"

namespace {

using mazurka::Result;

/// On standard error, which may be a file on a disk that is full: that is no reason to lose the answer.
void say(const std::string& text) { std::fputs(text.c_str(), stderr); }

/// Says on standard error what went wrong and, under --json, on standard output too, so that a script always gets one
/// object. A message that starts with its place gets no prefix.
int fail(const mazurka::cli::Context& context, Result result, int exit_code, const char* message,
         bool has_place = false) {
  if (context.silent) return exit_code;
  say(mazurka::cli::as_message(fmt::format("{}{}", has_place ? "" : "mazurka: ", message)));
  if (context.json) {
    auto answer = mazurka::cli::json_frame(result);
    answer["message"] = message;
    mazurka::cli::print_answer(answer);
  }
  return exit_code;
}

/// The exit code, once the answer is printed. A bug stays a bug; otherwise a file that is missing is an error.
int conclude(const mazurka::cli::Context& context) {
  for (const std::string& message : context.unwritten) say(mazurka::cli::as_message(message));
  const bool is_bug = context.exit_code == exit_code(Result::Bug);
  return context.unwritten.empty() || is_bug ? context.exit_code : exit_code(Result::Error);
}

using Words = std::vector<std::string>;

/// `help check` is `check --help`.
Words without_help_command(Words words) {
  if (words.empty() || words[0] != "help") return words;
  words.erase(words.begin());
  if (words.size() > 1) words.resize(1);
  words.emplace_back("--help");
  return words;
}

/// What CLI11 found wrong, with what may be meant where a name is unknown.
int refuse(mazurka::cli::Context& context, const CLI::App& app, const CLI::ParseError& error, const Words& words) {
  context.json = context.json || std::find(words.begin(), words.end(), "--json") != words.end();
  std::string message = mazurka::cli::unknown_options(app);
  if (message.empty()) message = error.what();
  const auto commands = app.get_subcommands();
  message += fmt::format("\nsee `mazurka {}--help`", commands.empty() ? "" : commands.front()->get_name() + " ");
  return fail(context, Result::Error, exit_code(Result::Error), message.c_str());
}

int run(int argc, char** argv) {
  mazurka::cli::Context context;
  Words words(argv + std::min(argc, 1), argv + argc);
  CLI::App app{"Mazurka explores every behaviour of a concurrent system exactly once.", "mazurka"};
  app.set_version_flag("--version", "mazurka " MAZURKA_VERSION);
  app.require_subcommand(1);
  app.footer(
      "`mazurka help COMMAND` is `mazurka COMMAND --help`.\n"
      "Exit codes: 0 no bug, 1 bug, 2 bad usage or input, 3 incomplete, 4 not controllable, 70 internal error.");
  mazurka::cli::register_check(app, context);
  mazurka::cli::register_replay(app, context);
  mazurka::cli::register_states(app, context);
  mazurka::cli::register_gen(app, context);
  mazurka::cli::register_unfold(app, context);
  mazurka::cli::register_compilers(app);

  try {
    if (const auto status = mazurka::cli::run_as_compiler(argc, argv)) return *status;
    // For the installation, not for people.
    if (argc == 2 && std::string_view(argv[1]) == "manual") {
      fmt::print("{}", mazurka::cli::manual(app));
      return 0;
    }
    words = without_help_command(std::move(words));
    if (!words.empty()) {
      const std::string unknown = mazurka::cli::unknown_command(app, words[0]);
      if (!unknown.empty()) throw mazurka::InputError(unknown);
    }
    if (!words.empty() && words[0] == "check") {
      // The tests of a program that runs under mpirun explore by themselves: their closures belong to one process.
      const auto is_closure = [](const std::string& word) { return word.starts_with("--zygote"); };
      context.silent = mazurka::cli::launched().rank != 0 && std::ranges::none_of(words, is_closure);
      mazurka::cli::CheckWords split =
          mazurka::cli::split_check_words(*app.get_subcommand("check"), {words.begin() + 1, words.end()});
      context.compiler_words = std::move(split.compiler);
      words.resize(1);
      words.insert(words.end(), split.own.begin(), split.own.end());
    }
    app.parse(Words(words.rbegin(), words.rend()));  // CLI11 takes them from the end
    return conclude(context);
  } catch (const CLI::ParseError& error) {
    return error.get_exit_code() == 0 ? app.exit(error) : refuse(context, app, error, words);
  } catch (const mazurka::InputError& error) {
    return fail(context, Result::Error, exit_code(Result::Error), error.what(), error.has_place());
  } catch (const mazurka::UnsupportedError& error) {
    return fail(context, Result::Unsupported, exit_code(Result::Unsupported), error.what());
  } catch (const std::bad_alloc&) {
    return fail(context, Result::Incomplete, exit_code(Result::Incomplete), "out of memory: nothing is proved");
  } catch (const std::exception& error) {
    return fail(context, Result::Error, mazurka::kInternalErrorExitCode, error.what());
  }
}

/// Takes the numbers of standard streams that are closed, so that no file of ours gets one: the program under test
/// would use it as its own. Reading from the input and writing to the others fails as before.
void occupy_standard_streams() {
  for (int stream = 0; stream <= 2; ++stream)
    if (fcntl(stream, F_GETFD) == -1) static_cast<void>(open("/dev/null", stream == 0 ? O_WRONLY : O_RDONLY));
}

}  // namespace

int main(int argc, char** argv) {
  occupy_standard_streams();
  mazurka::catch_interrupts();
  return mazurka::cli::call_with_enough_stack(run, argc, argv);
}
