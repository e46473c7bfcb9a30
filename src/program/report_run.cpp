// An execution that is to be shown is repeated, so that the worker tells more about it than it has time for otherwise.
//
// Sites: without optimisation, std::lock_guard and its kin are functions of their own, in system headers, and the line
// to show is that of their caller. Which functions those are is seen from the sites. So the worker is told to pass over
// them, again and again until all sites are the user's.
//
// Objects on the heap have no names. They are called after the place that allocated them.
#include <algorithm>

#include <fmt/format.h>

#include "program/executor.hpp"

namespace mazurka::program {
namespace {

constexpr unsigned kMostRuns = 16;         // each finds the callers of functions that the one before found
constexpr std::size_t kMostSteps = 20000;  // looking for the caller of each of more takes too long

bool same_steps(const Execution& a, const Execution& b) {
  return a.outcome == b.outcome && a.pending.size() == b.pending.size() &&
         std::equal(a.events.begin(), a.events.end(), b.events.begin(), b.events.end(),
                    [](const Event& x, const Event& y) { return x.step() == y.step() && x.operation == y.operation; });
}

}  // namespace

Execution ProgramExecutor::prepared_for_report(Execution execution) {
  if (!execution.can_be_repeated() || execution.outcome == Outcome::Unsupported ||
      execution.events.size() > kMostSteps || !configuration().debugger.empty())
    return execution;
  Station& station = free_station();
  protocol::Channel& channel = station.worker.channel();
  std::vector<protocol::HeapBlock> blocks;
  const Warnings counted = all_warnings_;
  Job job;
  for (const Event& event : execution.events) job.prefix.push_back(event.step());
  job.continuation = Continuation::Stop;
  channel.reporting = 1;
  Execution again;
  for (unsigned i = 0; i < kMostRuns; ++i) {
    station.exchange.forget();  // sites will differ
    run(job, again);
    if (!same_steps(again, execution)) break;
    for (std::size_t j = 0; j < execution.events.size(); ++j) execution.events[j].site = again.events[j].site;
    for (std::size_t j = 0; j < execution.pending.size(); ++j) execution.pending[j].site = again.pending[j].site;
    if (execution.error_site != 0) execution.error_site = again.error_site;
    blocks.assign(channel.blocks, channel.blocks + channel.block_count);
    if (!pass_over(execution)) break;
  }
  channel.reporting = 0;
  channel.passed_over_count = 0;
  station.exchange.forget();
  for (auto& [text, count] : all_warnings_) count = counted.contains(text) ? counted.at(text) : 0;
  blocks_ = std::move(blocks);
  std::ranges::sort(blocks_, {}, &protocol::HeapBlock::address);
  return execution;
}

bool ProgramExecutor::pass_over(const Execution& execution) {
  if (!placer_ || !encloser_) return false;
  protocol::Channel& channel = stations_[0]->worker.channel();
  const std::uint32_t before = channel.passed_over_count;
  const auto look_at = [&](std::uint64_t site) {
    if (site == 0 || channel.passed_over_count == protocol::kMaxPassedOver || !place(site).in_system_header()) return;
    const protocol::CodeRange function = encloser_(site);
    const std::span known(channel.passed_over, channel.passed_over_count);
    const auto is_it = [&](const protocol::CodeRange& range) { return range.begin == function.begin; };
    if (function.begin == function.end || std::ranges::any_of(known, is_it)) return;
    channel.passed_over[channel.passed_over_count++] = function;
  };
  for (const Event& event : execution.events) look_at(event.site);
  for (const Offer& offer : execution.pending) look_at(offer.site);
  for (const protocol::HeapBlock& block : std::span(channel.blocks, channel.block_count)) look_at(block.site);
  look_at(execution.error_site);
  return channel.passed_over_count != before;
}

std::string ProgramExecutor::heap_text(std::uint64_t address) const {
  const auto own = std::ranges::find_if(blocks_, [&](const protocol::HeapBlock& block) {
    return address >= block.address && address < block.address + block.bytes;
  });
  if (own == blocks_.end()) return "";
  const CodePlace origin = place(own->site);
  if (origin.line <= 0 || origin.file.empty() || origin.in_system_header()) return "";
  // Several blocks of one line are counted.
  std::size_t number = 0;
  std::size_t count = 0;
  for (const protocol::HeapBlock& block : blocks_) {
    const CodePlace theirs = place(block.site);
    if (theirs.path != origin.path || theirs.line != origin.line) continue;
    ++count;
    if (block.address <= own->address) ++number;
  }
  std::string text = fmt::format("heap[{}:{}", origin.file, origin.line);
  if (count > 1) text += fmt::format(" #{}", number);
  text += ']';
  if (address != own->address) text += fmt::format("+{}", address - own->address);
  return text;
}

}  // namespace mazurka::program
