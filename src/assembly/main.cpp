// Replaces the assembler when `mazurka cc` runs a compiler: scans the compiler's output, inserts calls to the runtime
// at fences and records of uninstrumented code, and passes it on to the real assembler.
//
// The compiler finds it by -B. The environment gives its parameters: kAssembler, the real assembler, and kPreprocessor,
// the command that preprocesses the source, in which functions may be marked no_sanitize.
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "assembly/assembler.hpp"
#include "assembly/attributes.hpp"
#include "assembly/scanner.hpp"

namespace {

namespace assembly = mazurka::assembly;
using Words = std::vector<std::string>;

std::string variable(const char* name, const char* standard) {
  const char* const value = std::getenv(name);
  return value == nullptr || *value == 0 ? standard : value;
}

std::string read_all(int file) {
  std::string text;
  char buffer[65536];
  ssize_t got = 0;
  while ((got = read(file, buffer, sizeof buffer)) > 0 || (got < 0 && errno == EINTR))
    if (got > 0) text.append(buffer, static_cast<std::size_t>(got));
  return text;
}

void write_all(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = write(file, text.data(), text.size());
    if (written < 0 && errno != EINTR) return;  // the assembler has given up, and says why
    if (written > 0) text.remove_prefix(static_cast<std::size_t>(written));
  }
}

/// A child process with one end of a pipe as its standard input or output.
class Process {
 public:
  /// `input` is the file to read; if empty, the child reads our pipe.
  Process(const Words& words, bool feeds_us, const std::string& input, bool silent) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    if (feeds_us) posix_spawn_file_actions_addopen(&actions, 0, input.c_str(), O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, feeds_us ? ends[1] : ends[0], feeds_us ? 1 : 0);
    if (silent) posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
    std::vector<char*> arguments;
    for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    error_ = posix_spawnp(&process_, arguments[0], &actions, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    close(feeds_us ? ends[1] : ends[0]);
    pipe_ = feeds_us ? ends[0] : ends[1];
  }
  int pipe() const { return pipe_; }
  int error() const { return error_; }
  /// Closes the pipe and returns the exit status.
  int wait() {
    close(pipe_);
    int status = 0;
    while (waitpid(process_, &status, 0) < 0 && errno == EINTR) {
    }
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  }

 private:
  pid_t process_ = 0;
  int pipe_ = -1;
  int error_ = EMFILE;
};

/// The index of the only input among the arguments; their number if it is standard input.
std::size_t input_of(const Words& arguments) {
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    const std::string& word = arguments[i];
    if (word == "-o" || word == "-I" || word == "-D" || word == "--defsym" || word == "--MD" || word == "-K")
      ++i;
    else if (word.empty() || word[0] != '-')
      return i;
  }
  return arguments.size();
}

/// The functions without instrumentation; in doubt, a suspect counts as one.
std::vector<assembly::Unseen> exempt(const assembly::Scan& scan) {
  const Words words = assembly::split_command(variable(assembly::kPreprocessor, ""));
  if (scan.suspects.empty() || words.empty()) return {};
  Process process(words, true, variable(assembly::kSource, "/dev/null"), true);
  if (process.error() != 0) return {};
  const std::string text = read_all(process.pipe());
  const int status = process.wait();
  std::vector<assembly::Exemption> found = assembly::exemptions(text);
  // Without the source, no suspect can be cleared.
  if (status != 0) found.push_back({words.back(), 0, ""});
  return assembly::exempt_functions(scan.suspects, found);
}

int assemble(Words words) {
  words[0] = variable(assembly::kAssembler, "as");
  const std::size_t input = input_of(words);
  int file = STDIN_FILENO;
  if (input < words.size()) {
    file = open(words[input].c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) {
      fmt::print(stderr, "{}: {}\n", words[input], std::strerror(errno));
      return 1;
    }
  }
  const std::string text = read_all(file);
  std::error_code ignored;
  const std::string folder = std::filesystem::current_path(ignored).string();
  assembly::Scan scan = assembly::scan(text, folder);
  if (scan.instrumented) {
    const std::vector<assembly::Unseen> functions = exempt(scan);
    if (!functions.empty()) {
      Words names;
      for (const assembly::Unseen& function : functions) names.push_back(function.function);
      scan = assembly::scan(text, folder, names);
    }
    for (assembly::Unseen& unseen : scan.intrinsics)
      if (std::none_of(functions.begin(), functions.end(),
                       [&](const assembly::Unseen& function) { return function.function == unseen.function; }))
        scan.records.push_back(std::move(unseen));
    scan.records.insert(scan.records.end(), functions.begin(), functions.end());
    if (!scan.text.empty() && scan.text.back() != '\n') scan.text += '\n';
    scan.text += assembly::section_text(scan.records);
    if (input < words.size()) words.erase(words.begin() + static_cast<std::ptrdiff_t>(input));
  } else if (input < words.size()) {
    // Hand-written assembly: passed on unchanged, under its own name.
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    execvp(arguments[0], arguments.data());
    fmt::print(stderr, "cannot run {}: {}\n", words[0], std::strerror(errno));
    return 1;
  }
  std::signal(SIGPIPE, SIG_IGN);
  Process process(words, false, "", false);
  if (process.error() != 0) {
    fmt::print(stderr, "cannot run {}: {}\n", words[0], std::strerror(process.error()));
    return 1;
  }
  write_all(process.pipe(), scan.instrumented ? scan.text : text);
  return process.wait();
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return assemble(Words(argv, argv + argc));
  } catch (const std::exception& error) {
    fmt::print(stderr, "mazurka's assembler: {}\n", error.what());
    return 1;
  }
}
