#include "runtime/waiting/answers.hpp"

#include "runtime/arch.hpp"
#include "runtime/memory/checkpoint.hpp"
#include "runtime/scheduling/scheduling.hpp"
#include "runtime/waiting/waits.hpp"
#include "runtime/worker/execution.hpp"
#include "runtime/worker/outcome.hpp"
#include "runtime/worker/worker.hpp"

namespace mazurka::runtime {

using protocol::WaitKind;

Known* known;

std::uint64_t return_address(std::uint64_t site) {
  return scheduling.reporting ? scheduling.return_address : site + image.base;
}

WaitKind kind_of(std::uint64_t site) {
  const protocol::Channel& channel = *worker.channel;
  for (std::uint32_t i = channel.wait_count; i > 0; --i)
    if (channel.waits[i - 1].site == site) return channel.waits[i - 1].kind;
  return WaitKind::None;
}

void learn(std::uint64_t site, WaitKind kind) {
  protocol::Channel& channel = *worker.channel;
  if (channel.wait_count + 1 >= protocol::kMaxWaits) return;
  channel.waits[channel.wait_count++] = {site, kind};
  if (known->asks_for_time && !time_matters())
    channel.waits[channel.wait_count++] = {protocol::kTimeSite, WaitKind::Several};
  drop_checkpoints();
  repeat_execution();
}

std::uint32_t find_answer(std::uint32_t from, std::uint32_t depth, std::uint64_t value) {
  std::uint32_t& bucket =
      known->buckets[(from * 0x9e3779b97f4a7c15ULL + value * 0xff51afd7ed558ccdULL + depth * 0xc2b2ae3d27d4eb4fULL) >>
                     48];
  for (std::uint32_t i = bucket; i != 0; i = known->answers[i].next)
    if (const Answer& a = known->answers[i]; a.from == from && a.depth == depth && a.value == value) return i;
  if (known->answer_count + 1 == kMaxAnswers) unsupported("a program with too many waiting loops", 0);
  known->answers[++known->answer_count] = {from, depth, value, bucket, TrialAnswer::Unknown, 0, 0, 0, 0};
  return bucket = known->answer_count;
}

bool holds(const Answer& answer) {
  for (std::uint32_t i = 0; i < answer.reads_count; ++i) {
    const PlainRead& read = known->reads[answer.reads_begin + i];
    std::uint64_t value = 0;
    copy_bytes(&value, reinterpret_cast<const void*>(read.address), read.bytes);
    if (value != read.value) return false;
  }
  return true;
}

void note_reads(Answer& answer) {
  if (known->read_count + plain_read_count() > kMaxReads) unsupported("a program with too many waiting loops", 0);
  answer.reads_begin = known->read_count;
  answer.reads_count = plain_read_count();
  for (std::uint32_t i = 0; i < answer.reads_count; ++i) known->reads[known->read_count++] = plain_reads()[i];
}

std::uint32_t suspect_at(std::uint64_t site) {
  std::uint32_t i = 0;
  while (i < known->suspect_count && known->suspects[i] != site) ++i;
  if (i < kMaxSuspects && i == known->suspect_count) known->suspects[known->suspect_count++] = site;
  return i;
}

bool is_worth_a_look(std::uint32_t suspect) {
  if (suspect == kMaxSuspects) return false;
  const std::uint32_t tries = ++known->tries[suspect];
  return (tries & (tries - 1)) == 0;
}

}  // namespace mazurka::runtime
