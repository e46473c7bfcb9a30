// Data races and memory errors in words: first what happened in one line, then each use with the calls that led to it,
// then the heap block.
#include <fmt/format.h>

#include "program/executor.hpp"

namespace mazurka::program {
namespace {

using protocol::Use;

const char* verb(Use use) {
  switch (use) {
    case Use::Read: return "read";
    case Use::Write: return "write";
    case Use::AtomicRead: return "atomic read";
    case Use::AtomicWrite: return "atomic write";
    case Use::Free: return "free";
    case Use::None: break;
  }
  return "use";
}

}  // namespace

void ProgramExecutor::add_stack(std::string& text, const protocol::CallStack& stack) const {
  const char* how = "at";
  for (std::uint32_t i = 0; i < stack.depth; ++i) {
    if (place(stack.sites[i]).function.starts_with("mazurka_")) continue;  // the runtime called the program back
    text += fmt::format("\n    {} {}", how, site_text(stack.sites[i]));
    how = "called from";
  }
}

void ProgramExecutor::add_use(std::string& text, const protocol::UseRecord& use, const char* when) const {
  text += fmt::format("\n  {}", verb(use.use));
  if (use.use != Use::Free) text += fmt::format(" of {} byte{}", use.bytes, use.bytes == 1 ? "" : "s");
  text += fmt::format(" by thread {}{}", process_name(use.process), when);
  add_stack(text, use.stack);
}

void ProgramExecutor::add_block(std::string& text) const {
  const protocol::Finding& finding = latest().finding;
  if (finding.block == 0) return;
  const auto offset = static_cast<std::int64_t>(finding.address - finding.block);
  text += fmt::format("\n  address {:#x} is byte {} of a heap block of {} bytes, allocated by thread {}",
                      finding.address, offset, finding.block_bytes, process_name(finding.block_process));
  add_stack(text, finding.allocation);
}

std::string ProgramExecutor::finding_text() const {
  const protocol::Finding& finding = latest().finding;
  const auto place = [this](const protocol::UseRecord& use) {
    return use.stack.depth == 0 ? "in a library" : "at " + site_text(use.stack.sites[0]);
  };
  const std::string object = finding.block != 0 ? "a heap block" : object_text(finding.address);
  std::string text;
  if (finding.before.use == Use::None) {
    const bool inside = finding.address < finding.block + finding.block_bytes;
    text = fmt::format("{} {} goes beyond {}", verb(finding.now.use), place(finding.now),
                       finding.block == 0 || inside ? "the heap" : "a heap block");
  } else if (finding.before.use == Use::Free) {
    text = fmt::format("{} {} after the free {}", verb(finding.now.use), place(finding.now), place(finding.before));
  } else {
    text = fmt::format("{} {} and {} {} of {} are not ordered", verb(finding.before.use), place(finding.before),
                       verb(finding.now.use), place(finding.now), object);
  }
  add_use(text, finding.now, "");
  if (finding.before.use != Use::None) add_use(text, finding.before, ", earlier");
  add_block(text);
  return text;
}

std::string ProgramExecutor::leak_text() const {
  const protocol::Channel& channel = latest();
  const protocol::Finding& finding = channel.finding;
  std::string text = fmt::format("{} heap block{} never freed and out of reach at the end", channel.leaked_blocks,
                                 channel.leaked_blocks == 1 ? " is" : "s are");
  text += fmt::format("\n  {}of {} bytes, allocated by thread {}", channel.leaked_blocks == 1 ? "" : "the first ",
                      finding.block_bytes, process_name(finding.block_process));
  add_stack(text, finding.allocation);
  return text;
}

}  // namespace mazurka::program
