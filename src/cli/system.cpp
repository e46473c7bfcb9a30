#include "cli/system.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <initializer_list>
#include <map>
#include <optional>
#include <string_view>
#include <thread>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/command.hpp"
#include "cli/input_kind.hpp"
#include "cli/limits.hpp"
#include "cli/model.hpp"
#include "core/error.hpp"
#include "core/temporary_folder.hpp"
#include "network/executor.hpp"
#include "network/network_names.hpp"
#include "program/command_line.hpp"
#include "program/compiler.hpp"
#include "program/compiler_arguments.hpp"
#include "program/program.hpp"
#include "report/schedule_file.hpp"

namespace mazurka::cli {
namespace {

class NetworkSystem final : public System {
 public:
  NetworkSystem(Model model, std::uint32_t explorers)
      : model_(std::move(model)), executor_(model_.network), names_(model_.network) {
    while (others_.size() + 1 < explorers)
      others_.push_back(std::make_unique<network::NetworkExecutor>(model_.network));
  }
  Executor& executor() override { return executor_; }
  const Names& names() const override { return names_; }
  std::string hash() const override { return model_.hash; }
  std::vector<Executor*> executors() override {
    std::vector<Executor*> all{&executor_};
    for (const auto& other : others_) all.push_back(other.get());
    return all;
  }

 private:
  Model model_;
  network::NetworkExecutor executor_;
  std::vector<std::unique_ptr<network::NetworkExecutor>> others_;
  network::NetworkNames names_;
};

std::string hash_of(const std::vector<std::string>& files) {
  std::string bytes = read_input(files.front(), Contents::Bytes);
  for (std::size_t i = 1; i < files.size(); ++i) bytes += read_input(files[i], Contents::Bytes);
  return report::content_hash(bytes);
}

bool is_test_framework(const std::string& library) {
  const std::string name = std::filesystem::path(library).filename().string();
  return name.starts_with("libgtest") || name.starts_with("libgmock") || name.starts_with("libCatch2");
}

class ProgramSystem final : public System {
 public:
  /// `hash` is that of the files that the user named, which make the program what it is.
  ProgramSystem(std::string hash, std::unique_ptr<TemporaryFolder> scratch, const program::Configuration& configuration)
      : hash_(std::move(hash)), scratch_(std::move(scratch)), program_(configuration) {}
  Executor& executor() override { return program_.executor(); }
  const Names& names() const override { return program_.names(); }
  bool is_program() const override { return true; }
  std::string hash() const override { return hash_; }
  std::vector<Executor*> executors() override {
    const std::uint32_t count = program_.executor().configuration().explorers;
    if (count == 0) return {&program_.executor()};
    const std::vector<program::ProgramExecutor*> all = program_.explorers(count);
    return {all.begin(), all.end()};
  }
  void refresh() override {
    if (!program_.explorers().empty()) program_.executor().refresh();
  }
  WarningCounts warnings() const override {
    WarningCounts all = program_.executor().warnings();
    for (const auto& explorer : program_.explorers()) all.add(explorer->warnings());
    for (const auto& [rank, report] : ranks_) all.add(report.warnings);
    return all;
  }
  void begin_exploration() override {
    System::begin_exploration();
    program_.executor().warnings().begin_exploration();
    for (const auto& explorer : program_.explorers()) explorer->warnings().begin_exploration();
    for (auto& [rank, report] : ranks_) report.warnings.begin_exploration();
  }
  void end_exploration() override {
    for (const auto& explorer : program_.explorers()) program_.executor().learn_from(*explorer);
  }
  std::optional<program::ProgramExecutor::Knowledge> knowledge() override {
    end_exploration();
    program::ProgramExecutor::Knowledge all = program_.executor().knowledge();
    all.intended_races = intended_races();
    all.goals = goals();
    all.has_long_waits = has_long_waits();
    return all;
  }
  void learn(const program::ProgramExecutor::Knowledge& knowledge) override {
    program_.executor().learn(knowledge);
    for (const auto& explorer : program_.explorers()) explorer->learn(knowledge);
  }
  std::optional<RankReport> rank_report() override {
    const program::ProgramExecutor& explorer = *program_.explorers()[0];
    return RankReport{explorer.knowledge(), explorer.warnings()};
  }
  void set_rank_report(std::uint32_t rank, RankReport report) override { ranks_[rank] = std::move(report); }
  void restore(const program::ProgramExecutor::Knowledge& knowledge) override {
    program_.executor().restore(knowledge);
  }
  void restore_warnings(const WarningCounts& warnings) override { program_.executor().warnings() = warnings; }
  Execution prepared_for_report(Execution execution) override {
    return program_.prepared_for_report(std::move(execution));
  }
  std::vector<protocol::Wait> waits() const override { return program_.executor().waits(); }
  std::vector<protocol::IntendedRace> intended_races() const override {
    std::vector<protocol::IntendedRace> all = program_.executor().intended_races();
    const auto order = [](const protocol::IntendedRace& r) { return std::tuple(r.before, r.now, r.rule); };
    const auto add = [&](const std::vector<protocol::IntendedRace>& races) {
      for (const protocol::IntendedRace& race : races)
        if (std::ranges::none_of(all, [&](const auto& known) { return order(known) == order(race); }))
          all.push_back(race);
    };
    for (const auto& explorer : program_.explorers()) add(explorer->intended_races());
    for (const auto& [rank, report] : ranks_) add(report.knowledge.intended_races);
    if (!program_.explorers().empty()) std::ranges::sort(all, {}, order);
    return all;
  }
  std::vector<program::Suppression> suppressions() const override {
    return program_.executor().configuration().suppressions;
  }
  bool has_long_waits() const override {
    return program_.executor().has_long_waits() ||
           std::ranges::any_of(program_.explorers(), [](const auto& explorer) { return explorer->has_long_waits(); }) ||
           std::ranges::any_of(ranks_, [](const auto& rank) { return rank.second.knowledge.has_long_waits; });
  }
  std::vector<program::ProgramExecutor::Goal> goals() const override {
    std::map<std::string, bool> all;
    const auto add = [&](const std::vector<program::ProgramExecutor::Goal>& some) {
      for (const auto& [goal, reached] : some) all[goal] |= reached;
    };
    add(program_.executor().goals());
    for (const auto& explorer : program_.explorers()) add(explorer->goals());
    for (const auto& [rank, report] : ranks_) add(report.knowledge.goals);
    std::vector<program::ProgramExecutor::Goal> goals;
    for (const auto& [goal, reached] : all) goals.push_back({goal, reached});
    return goals;
  }
  program::UnseenCode unseen() const override {
    const program::Zygote* const zygote = program_.executor().configuration().zygote.get();
    if (zygote == nullptr) return program::unseen_code(program_.executor().binary());
    program::UnseenCode code = program::unseen_code(program_.executor().binary(), zygote->process());
    // That a test uses its framework need not be said of every closure.
    std::erase_if(code.libraries, is_test_framework);
    return code;
  }

 private:
  std::string hash_;
  std::unique_ptr<TemporaryFolder> scratch_;
  program::Program program_;
  std::map<std::uint32_t, RankReport> ranks_;  ///< what other ranks have found out
};

bool is_network(std::string_view file) { return file == "-" || file.ends_with(".tck") || file.ends_with(".sync"); }

struct NondetRange {
  std::int64_t lowest = 0;
  std::int64_t highest = 0;
};

/// `-1..3`. None where it is not that.
std::optional<NondetRange> nondet_range(std::string_view text) {
  const std::size_t dots = text.find("..");
  if (dots == std::string_view::npos) return std::nullopt;
  const auto read = [](std::string_view digits, std::int64_t& into) {
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), into);
    return error == std::errc{} && end == digits.data() + digits.size();
  };
  NondetRange range;
  if (!read(text.substr(0, dots), range.lowest) || !read(text.substr(dots + 2), range.highest)) return std::nullopt;
  return range;
}

std::string check_nondet(const std::string& text) {
  const std::optional<NondetRange> range = nondet_range(text);
  if (!range) return "give the lowest and the highest value as in -1..3";
  if (range->highest < range->lowest) return "the first number of the range must not be above the second";
  if (static_cast<std::uint64_t>(range->highest) - static_cast<std::uint64_t>(range->lowest) >= protocol::kMaxPending)
    return fmt::format("a range has at most {} values, because every one is explored", protocol::kMaxPending);
  return "";
}

program::Configuration configuration(const SystemOptions& options) {
  using namespace mazurka::protocol;
  program::Configuration result;
  result.binary = std::filesystem::absolute(options.input).string();
  result.arguments = options.arguments;
  result.settings.plain =
      options.plain == "explore" ? Plain::Explore : (options.plain == "check" ? Plain::Check : Plain::Ignore);
  result.strict = options.strict;
  result.settings.isolation = options.isolation == "fork" ? Isolation::Fork : Isolation::Memory;
  result.settings.exit = options.exit == "process" ? Exit::Process : Exit::Threads;
  result.settings.ignore_exit_status = options.exit_status == "ignore";
  result.settings.spurious_wakeups = options.spurious_wakeups;
  if (const std::optional<NondetRange> range = nondet_range(options.nondet)) {
    result.settings.has_nondet = true;
    result.settings.nondet_lowest = range->lowest;
    result.settings.nondet_highest = range->highest;
  }
  result.settings.keeps_states = options.states;
  result.settings.keeps_bytes = options.exact;
  result.settings.reduce_waits = options.waiting == "reduce";
  result.waits = options.waits;
  result.settings.pass_output = options.pass_output;
  result.settings.once = !options.debugger.empty();
  result.debugger = options.debugger;
  result.lockstep = options.lockstep;
  if (options.explorers > 1) {
    result.explorers = options.explorers;
    // A pair that cannot have two processors works in turns on one.
    result.lockstep = 2 * options.explorers > std::thread::hardware_concurrency();
  }
  if (options.registry) {
    result.registry = options.registry;
    result.explorers = 1;
    // MPI binds a rank to processors, which are then all that are counted here.
    result.lockstep = 2 * options.ranks_here > std::thread::hardware_concurrency();
  }
  if (!options.zygote.empty()) result.zygote = std::make_shared<program::Zygote>(options.zygote);
  if (result.settings.plain == Plain::Check) {
    if (!options.suppressions.empty())
      result.suppressions =
          program::parse_suppressions(read_input(options.suppressions, Contents::Text), options.suppressions);
    for (program::Suppression& own :
         program::parse_suppressions(program::default_suppressions(result.binary), "__tsan_default_suppressions()"))
      result.suppressions.push_back(std::move(own));
  }
  result.watchdog = std::chrono::milliseconds(static_cast<long>(options.watchdog * 1000));
  return result;
}

/// A value that the command line would refuse must not pass for the default.
const std::string& one_of(const std::string& key, const std::string& value,
                          std::initializer_list<std::string_view> values) {
  if (std::find(values.begin(), values.end(), value) == values.end())
    throw InputError(
        fmt::format("the schedule has an option {}={}; known are {}", key, value, fmt::join(values, ", ")));
  return value;
}

/// The kinds of places where threads wait, by their number.
constexpr std::string_view kWaitNames[] = {"none", "one", "several", "locked", "timed", "assumed"};

/// `one:4f2a`
protocol::Wait to_wait(const std::string& text) {
  const std::size_t colon = text.find(':');
  protocol::Wait wait{};
  const char* const end = text.data() + text.size();
  if (colon == std::string::npos || colon + 1 == text.size() ||
      std::from_chars(text.data() + colon + 1, end, wait.site, 16).ptr != end)
    throw InputError(fmt::format(
        "the schedule has an option wait={}; a place is one:HEX, several:HEX, locked:HEX, timed:HEX, assumed:HEX or "
        "none:HEX",
        text));
  const std::string kind =
      one_of("wait", text.substr(0, colon),
             {kWaitNames[0], kWaitNames[1], kWaitNames[2], kWaitNames[3], kWaitNames[4], kWaitNames[5]});
  wait.kind = static_cast<protocol::WaitKind>(std::find(std::begin(kWaitNames), std::end(kWaitNames), kind) -
                                              std::begin(kWaitNames));
  return wait;
}

}  // namespace

void add_system_options(CLI::App& command, SystemOptions& options) {
  command
      .add_option("system", options.input,
                  "C or C++ sources, a program built with `mazurka cc`, a .tck or .sync network, or - for a .tck on "
                  "standard input")
      ->required();
  command.add_option("arguments", options.arguments, "Arguments of the program, after --");
  command
      .add_option(
          "--plain", options.plain,
          "Non-atomic memory accesses: check (a data race is a bug), explore (scheduling points, as atomics are) "
          "or ignore")
      ->check(CLI::IsMember({"check", "explore", "ignore"}))
      ->capture_default_str();
  command
      .add_option("--isolation", options.isolation,
                  "How the program is reset between executions: memory (fast) or fork")
      ->check(CLI::IsMember({"memory", "fork"}))
      ->capture_default_str();
  command
      .add_option("--exit", options.exit,
                  "What the end of main ends: its thread (threads) or the whole process (process)")
      ->check(CLI::IsMember({"threads", "process"}))
      ->capture_default_str();
  command.add_option("--exit-status", options.exit_status, "A nonzero exit status: check (a bug) or ignore")
      ->check(CLI::IsMember({"check", "ignore"}))
      ->capture_default_str();
  command.add_flag("--strict", options.strict,
                   "Treat warnings (leaks, threads never joined, main ending early) and unreached goals as bugs");
  command.add_flag("--spurious-wakeups", options.spurious_wakeups, "Condition variables may wake up without a signal");
  command
      .add_option("--waiting", options.waiting,
                  "Spin loops: reduce (idle iterations are not explored) or explore (every iteration)")
      ->check(CLI::IsMember({"reduce", "explore"}))
      ->capture_default_str();
  command
      .add_option("--nondet", options.nondet,
                  "lo..hi: __VERIFIER_nondet_ functions return every value from lo to hi, unless the program calls "
                  "mazurka_nondet_range()")
      ->check(check_nondet);
  command.add_option(
      "--suppressions", options.suppressions,
      "A file of intended data races, in ThreadSanitizer's format: race:PATTERN for functions, files and "
      "variables; what was suppressed is listed");
  command.add_option("--cflags", options.cflags,
                     "Compiler options, if the system is a source; those with one dash (-O2, -Iinclude, -std=c++17, "
                     "-DNAME) can be given directly");
  command
      .add_option("--watchdog", options.watchdog,
                  "Seconds without a visible operation after which a thread is in an endless loop")
      ->check(check_seconds)
      ->capture_default_str();
}

std::vector<std::string> SystemOptions::to_lines() const {
  const SystemOptions standard;
  std::vector<std::string> lines;
  if (plain != standard.plain) lines.push_back("plain=" + plain);
  if (isolation != standard.isolation) lines.push_back("isolation=" + isolation);
  if (exit != standard.exit) lines.push_back("exit=" + exit);
  if (exit_status != standard.exit_status) lines.push_back("exit-status=" + exit_status);
  if (spurious_wakeups) lines.emplace_back("spurious-wakeups=yes");
  if (waiting != standard.waiting) lines.push_back("waiting=" + waiting);
  if (states) lines.emplace_back("states=yes");
  for (const protocol::Wait& wait : waits)
    lines.push_back(fmt::format("wait={}:{:x}", kWaitNames[static_cast<std::size_t>(wait.kind)], wait.site));
  if (strict) lines.emplace_back("strict=yes");
  if (!nondet.empty()) lines.push_back("nondet=" + nondet);
  if (!suppressions.empty()) lines.push_back("suppressions=" + suppressions);
  if (!cflags.empty()) lines.push_back("cflags=" + cflags);
  return lines;
}

void SystemOptions::from_lines(const std::vector<std::string>& lines) {
  for (const std::string& line : lines) {
    const std::size_t equals = line.find('=');
    const std::string key = line.substr(0, equals);
    const std::string value = equals == std::string::npos ? "" : line.substr(equals + 1);
    if (key == "plain")
      plain = one_of(key, value, {"check", "explore", "ignore"});
    else if (key == "isolation")
      isolation = one_of(key, value, {"memory", "fork"});
    else if (key == "exit")
      exit = one_of(key, value, {"threads", "process"});
    else if (key == "exit-status")
      exit_status = one_of(key, value, {"check", "ignore"});
    else if (key == "spurious-wakeups")
      spurious_wakeups = one_of(key, value, {"yes", "no"}) == "yes";
    else if (key == "waiting")
      waiting = one_of(key, value, {"reduce", "explore"});
    else if (key == "wait")
      waits.push_back(to_wait(value));
    else if (key == "states")
      states = one_of(key, value, {"yes", "no"}) == "yes";
    else if (key == "strict")
      strict = one_of(key, value, {"yes", "no"}) == "yes";
    else if (key == "nondet" && check_nondet(value).empty())
      nondet = value;
    else if (key == "suppressions")
      suppressions = value;
    else if (key == "cflags")
      cflags = value;
    else
      throw InputError(fmt::format("the schedule has an option '{}' that this version does not know", key));
  }
}

namespace {

void expect_hash(const SystemOptions& options, const std::string& hash) {
  if (options.expected_hash.empty() || options.expected_hash == hash) return;
  throw InputError({options.input}, "has changed since the schedule was saved; --force replays it anyway");
}

}  // namespace

std::unique_ptr<System> load_system(const SystemOptions& options) {
  require_system(options.input);
  if (is_network(options.input)) {
    if (!options.arguments.empty())
      throw InputError({options.input},
                       fmt::format("is a network, which has no arguments; found '{}'", options.arguments[0]));
    if (!options.cflags.empty())
      throw InputError({options.input}, fmt::format("is a network, which is not compiled; remove {}", options.cflags));
    auto network = std::make_unique<NetworkSystem>(
        load_model(options.input, options.any_clients ? network::Clients::Any : network::Clients::Acyclic),
        options.explorers);
    expect_hash(options, network->hash());
    return network;
  }
  const std::vector<std::string> words = program::split_words(options.cflags);
  const bool is_source = program::is_source(options.input);
  if (!is_source && !words.empty())
    throw InputError({options.input}, fmt::format("is a program already; give {} to `mazurka cc`", options.cflags));
  // A closure belongs to a state of its test, so there is no schedule of it that is saved with a hash.
  std::string hash;
  if (options.zygote.empty())
    hash = hash_of(is_source ? program::sources_of(options.input, words) : std::vector{options.input});
  expect_hash(options, hash);
  if (!is_source) return std::make_unique<ProgramSystem>(std::move(hash), nullptr, configuration(options));
  auto scratch = std::make_unique<TemporaryFolder>();
  SystemOptions compiled = options;
  compiled.input = program::compile_program(options.input, words, scratch->path().string());
  return std::make_unique<ProgramSystem>(std::move(hash), std::move(scratch), configuration(compiled));
}

}  // namespace mazurka::cli
