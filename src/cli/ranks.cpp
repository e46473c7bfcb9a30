#include "cli/ranks.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <utility>

#include <dlfcn.h>
#include <fmt/format.h>

#include "cli/rank_report.hpp"
#include "core/error.hpp"
#include "core/result.hpp"
#include "dpor/failed_rank.hpp"
#include "dpor/rank_messages.hpp"
#include "program/instrumentation.hpp"

namespace mazurka::cli {
namespace {

/// The first of these variables that holds a number.
std::optional<std::uint32_t> number_in(std::initializer_list<const char*> variables) {
  for (const char* const name : variables) {
    const char* const value = std::getenv(name);
    if (value == nullptr) continue;
    char* end = nullptr;
    const unsigned long number = std::strtoul(value, &end, 10);
    if (end != value && *end == 0 && number <= UINT32_MAX) return static_cast<std::uint32_t>(number);
  }
  return std::nullopt;
}

/// The first description that one has and the other has not.
std::string first_without(const std::vector<std::string>& of, const std::vector<std::string>& others) {
  const auto missing = std::ranges::find_if(
      of, [&](const std::string& line) { return std::ranges::find(others, line) == others.end(); });
  return missing == of.end() ? std::string() : *missing;
}

/// At a rank that only explores.
class Member final : public dpor::MemberNotes {
 public:
  Member(System& system, const MemberOptions& options) : system_(system), options_(options) {}

  void read(ByteReader& note) override {
    const std::vector<std::string> described = note.list<std::string>([&] { return note.text(); });
    if (const std::string there = first_without(described, options_.described); !there.empty())
      throw InputError(fmt::format("has another system or other options than rank 0: there {}, here {}", there,
                                   first_without(options_.described, described)));
    if (const auto begun = note.number<std::uint64_t>(); begun != std::exchange(begun_, begun))
      system_.begin_exploration();
    if (note.flag()) system_.learn(read_knowledge(note));
    note.end();
  }
  void write(ByteWriter& note) override {
    const std::optional<RankReport> report = system_.rank_report();
    note.flag(report.has_value());
    if (report) put(note, *report);
  }
  bool ends_at_errors() const override { return !options_.keep_going; }
  bool deadlocks_fail() const override { return options_.deadlocks_fail; }

 private:
  System& system_;
  const MemberOptions& options_;
  std::uint64_t begun_ = 0;  ///< explorations
};

}  // namespace

Launch launched() {
  const auto rank = number_in({"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK"});
  if (!rank) return {};
  // Slurm says how many tasks a step has also where nobody calls MPI.
  const auto ranks = number_in({"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"});
  const auto here = number_in({"OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS"});
  return {*rank, std::max(ranks.value_or(1), 1U), std::max(here.value_or(1), 1U)};
}

std::unique_ptr<Transport> connect_ranks() {
  const Launch launch = launched();
  if (launch.ranks == 1) return nullptr;
  const std::string library = program::runtime_directory() + "/libmazurka_mpi.so";
  // Open MPI loads parts of itself that need its own symbols, hence RTLD_GLOBAL.
  void* const loaded = dlopen(library.c_str(), RTLD_NOW | RTLD_GLOBAL);
  if (loaded == nullptr)
    throw InputError(fmt::format(
        "was started as {} ranks, but this mazurka was built without MPI, or MPI is not installed here: each "
        "would explore everything; start it once, with -j for several processors ({})",
        launch.ranks, dlerror()));
  using Connect = Transport*();
  auto* const connect = reinterpret_cast<Connect*>(dlsym(loaded, "mazurka_connect_ranks"));
  if (connect == nullptr) throw InputError({library}, "is not of this version of mazurka");
  return std::unique_ptr<Transport>(connect());
}

void TeamOfRanks::begin(System& system, std::vector<std::string> described) {
  system_ = &system;
  described_ = std::move(described);
  if (!system.is_program()) return;
  Job nothing;
  nothing.continuation = Continuation::Stop;
  system.executor().run(nothing);
}

void TeamOfRanks::write(ByteWriter& note) {
  note.list(described_, [&](const std::string& line) { note.text(line); });
  note.number(system_->explorations_begun());
  const std::optional<program::ProgramExecutor::Knowledge> knowledge = system_->knowledge();
  note.flag(knowledge.has_value());
  if (!knowledge) return;
  system_->learn(*knowledge);  // the explorer here, too
  put(note, *knowledge);
}

void TeamOfRanks::read(std::uint32_t rank, ByteReader& note) {
  if (note.flag()) system_->set_rank_report(rank, read_report(note));
  note.end();
}

void TeamOfRanks::answer(std::uint32_t, ByteReader& question, ByteWriter& answer) {
  const auto first = question.number<std::uint32_t>();
  const auto met = question.list<protocol::ProcessEntry>([&] { return read_process(question); });
  question.end();
  answer.list(registry_->agree(first, met), [&](const protocol::ProcessEntry& entry) { cli::put(answer, entry); });
}

void TeamOfRanks::is_late(std::uint32_t rank, double seconds) {
  constexpr double kPatience = 15;
  if (!std::exchange(has_advised_, true))
    std::fputs(
        fmt::format("mazurka: rank {} does not answer, so the search cannot be saved now\n{}", rank, advice_).c_str(),
        stderr);
  // Nobody can wait for that rank, not even MPI: its launcher ends the others.
  if (seconds > kPatience) std::_Exit(exit_code(Result::Incomplete));
}

program::ProcessRegistry::Entries RemoteRegistry::agree(std::uint32_t first,
                                                        std::span<const protocol::ProcessEntry> met) {
  ByteWriter question;
  question.number(first);
  question.list(met, [&](const protocol::ProcessEntry& entry) { put(question, entry); });
  const Bytes answer = link_.ask(question.written());
  ByteReader reader(answer);
  Entries all = reader.list<protocol::ProcessEntry>([&] { return read_process(reader); });
  reader.end();
  return all;
}

void explore_for_rank_0(dpor::Link& link, System& system, const MemberOptions& options) {
  Member member(system, options);
  dpor::explore_for_rank_0(link, *system.executors()[0], member);
}

void fail_for_rank_0(dpor::Link& link, const std::exception_ptr& failure) {
  ByteWriter failed = dpor::message(dpor::Message::Failed);
  dpor::write_failure(failed, failure);
  link.send(failed);
  while (link.await_begin()) {
  }
}

}  // namespace mazurka::cli
