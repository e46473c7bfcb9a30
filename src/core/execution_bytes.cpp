#include "core/execution_bytes.hpp"

#include <utility>
#include <variant>

#include "core/footprints.hpp"

namespace mazurka {
namespace {

void put_fields(ByteWriter& to, const Operation& o) {
  to.choice(o.kind);
  to.number(o.flags);
  to.number(o.size);
  to.number(o.memory_order);
  to.number(o.detail);
  to.number(o.object);
  to.number(o.second);
}

Operation read_fields(ByteReader& from) {
  Operation o;
  o.kind = from.choice(static_cast<OperationKind>(static_cast<int>(OperationKind::Count) - 1));
  from.number(o.flags);
  from.number(o.size);
  from.number(o.memory_order);
  from.number(o.detail);
  from.number(o.object);
  from.number(o.second);
  return o;
}

void put(ByteWriter& to, const Step& step) {
  to.number(step.process);
  to.number(step.alternative);
}

Step read_step(ByteReader& from) {
  Step step;
  from.number(step.process);
  from.number(step.alternative);
  return step;
}

void put(ByteWriter& to, const Event& e) {
  put(to, e.operation);
  put(to, e.step());
  to.number(e.offers_begin);
  to.number(e.offers_count);
  to.number(e.value);
  to.number(e.written);
  to.number(e.site);
}

Event read_event(ByteReader& from) {
  Event e;
  e.operation = read_operation(from);
  const Step step = read_step(from);
  e.process = step.process;
  e.alternative = step.alternative;
  from.number(e.offers_begin);
  from.number(e.offers_count);
  from.number(e.value);
  from.number(e.written);
  from.number(e.site);
  return e;
}

void put(ByteWriter& to, const Offer& o) {
  put(to, o.operation);
  put(to, o.step());
  to.flag(o.enabled);
  to.flag(o.stopped);
  to.flag(o.assumed);
  to.number(o.holder);
  to.number(o.site);
}

Offer read_offer(ByteReader& from) {
  Offer o;
  o.operation = read_operation(from);
  const Step step = read_step(from);
  o.process = step.process;
  o.alternative = step.alternative;
  o.enabled = from.flag();
  o.stopped = from.flag();
  o.assumed = from.flag();
  from.number(o.holder);
  from.number(o.site);
  return o;
}

void put(ByteWriter& to, const CallStack& stack) {
  to.list(stack, [&](std::uint64_t site) { to.number(site); });
}

CallStack read_stack(ByteReader& from) {
  return from.list<std::uint64_t>([&] { return from.number<std::uint64_t>(); });
}

void put(ByteWriter& to, const MemoryUse& use) {
  to.choice(use.use);
  to.number(use.bytes);
  to.number(use.process);
  put(to, use.stack);
}

MemoryUse read_use(ByteReader& from) {
  MemoryUse use;
  use.use = from.choice(Use::Free);
  from.number(use.bytes);
  from.number(use.process);
  use.stack = read_stack(from);
  return use;
}

void put(ByteWriter& to, const AllocatedBlock& block) {
  to.number(block.address);
  to.number(block.bytes);
  to.number(block.process);
  put(to, block.stack);
}

AllocatedBlock read_block(ByteReader& from) {
  AllocatedBlock block;
  from.number(block.address);
  from.number(block.bytes);
  from.number(block.process);
  block.stack = read_stack(from);
  return block;
}

void put(ByteWriter& to, const LeakedBlocks& leak) {
  to.number(leak.count);
  put(to, leak.first);
}

LeakedBlocks read_leak(ByteReader& from) {
  LeakedBlocks leak;
  from.number(leak.count);
  leak.first = read_block(from);
  return leak;
}

/// The alternatives of FailureDetail, each with how it is written and read.
struct WriteDetail {
  ByteWriter& to;
  void operator()(const std::monostate&) const {}
  void operator()(const GivenWords& words) const { to.text(words); }
  void operator()(const MemoryClash& clash) const {
    to.number(clash.address);
    put(to, clash.now);
    put(to, clash.before);
    put(to, clash.block);
  }
  void operator()(const LeakedBlocks& leak) const { put(to, leak); }
  void operator()(const ObjectMisuse& misuse) const {
    to.number(misuse.object);
    to.choice(misuse.kind);
    to.number(misuse.holder);
  }
  void operator()(const BlockedAlone& blocked) const {
    to.choice(blocked.operation);
    to.flag(blocked.in_section);
  }
  void operator()(const RaisedSignal& raised) const {
    to.number(raised.number);
    to.number(raised.address);
  }
  void operator()(const ProcessDeath& death) const {
    to.flag(death.by_signal);
    to.number(death.number);
  }
  void operator()(const StuckInSystemCall& stuck) const { to.text(stuck.name); }
  void operator()(const WithoutProgress& endless) const {
    to.number(endless.milliseconds);
    to.flag(endless.in_plain_loop);
  }
  void operator()(const Difference& difference) const {
    to.number(std::uint64_t{difference.index});
    put(to, difference.before);
    put(to, difference.now);
  }
  void operator()(const ImpossibleStep& step) const {
    to.number(std::uint64_t{step.index});
    to.number(step.process);
    to.number(step.alternative);
  }
};

struct ReadDetail {
  ByteReader& from;
  void operator()(std::monostate&) const {}
  void operator()(GivenWords& words) const { words = from.text(); }
  void operator()(MemoryClash& clash) const {
    from.number(clash.address);
    clash.now = read_use(from);
    clash.before = read_use(from);
    clash.block = read_block(from);
  }
  void operator()(LeakedBlocks& leak) const { leak = read_leak(from); }
  void operator()(ObjectMisuse& misuse) const {
    from.number(misuse.object);
    misuse.kind = from.choice(kLastObjectKind);
    from.number(misuse.holder);
  }
  void operator()(BlockedAlone& blocked) const {
    blocked.operation = from.choice(static_cast<OperationKind>(static_cast<int>(OperationKind::Count) - 1));
    blocked.in_section = from.flag();
  }
  void operator()(RaisedSignal& raised) const {
    from.number(raised.number);
    from.number(raised.address);
  }
  void operator()(ProcessDeath& death) const {
    death.by_signal = from.flag();
    from.number(death.number);
  }
  void operator()(StuckInSystemCall& stuck) const { stuck.name = from.text(); }
  void operator()(WithoutProgress& endless) const {
    from.number(endless.milliseconds);
    endless.in_plain_loop = from.flag();
  }
  void operator()(Difference& difference) const {
    difference.index = from.number<std::uint64_t>();
    difference.before = read_event(from);
    difference.now = read_event(from);
  }
  void operator()(ImpossibleStep& step) const {
    step.index = from.number<std::uint64_t>();
    from.number(step.process);
    from.number(step.alternative);
  }
};

/// Makes it hold alternative `index`, empty.
template <std::size_t... I>
FailureDetail empty_detail(std::size_t index, std::index_sequence<I...>) {
  FailureDetail detail;
  static_cast<void>(((index == I && (detail.emplace<I>(), true)) || ...));
  return detail;
}

void put(ByteWriter& to, const Failure& failure) {
  to.choice(failure.kind);
  to.number(failure.process);
  to.number(failure.site);
  to.number(static_cast<std::uint8_t>(failure.detail.index()));
  std::visit(WriteDetail{to}, failure.detail);
  put(to, failure.stack);
  to.text(failure.inside);
  put(to, failure.nearby);
}

Failure read_failure(ByteReader& from) {
  constexpr std::size_t kDetails = std::variant_size_v<FailureDetail>;
  Failure failure;
  failure.kind = from.choice(kLastFailureKind);
  from.number(failure.process);
  from.number(failure.site);
  const auto index = from.number<std::uint8_t>();
  if (index >= kDetails) throw DamagedMessage();
  failure.detail = empty_detail(index, std::make_index_sequence<kDetails>{});
  std::visit(ReadDetail{from}, failure.detail);
  failure.stack = read_stack(from);
  failure.inside = from.text();
  failure.nearby = read_stack(from);
  return failure;
}

/// Its numbers, in one order for both directions.
template <typename S, typename Visit>
void for_each_number(S& s, const Visit& visit) {
  for (auto* counter : {&s.executions, &s.blocked, &s.cut, &s.by_cutoff, &s.cutoffs, &s.limited, &s.stopped_by_length,
                        &s.stopped_by_steps, &s.stopped_by_threads, &s.stopped_by_table, &s.stopped_by_loop, &s.errors,
                        &s.events, &s.max_depth})
    visit(*counter);
  visit(s.estimate);
  visit(s.estimate_deviation);
  visit(s.waited);
  visit(s.busy);
}

}  // namespace

void put(ByteWriter& to, const Operation& operation) {
  put_fields(to, operation);
  if (operation.kind != OperationKind::AtomicSection || operation.object == kUnknownFootprint) return;
  const Footprint& footprint = footprint_table.entries[operation.object];
  const std::span all(footprint_table.operations + footprint.begin, footprint.count);
  to.number(footprint.choices);
  to.list(all, [&](const Operation& inside) { put_fields(to, inside); });
}

Operation read_operation(ByteReader& from) {
  Operation operation = read_fields(from);
  if (operation.kind != OperationKind::AtomicSection || operation.object == kUnknownFootprint) return operation;
  const auto choices = from.number<std::uint32_t>();
  const auto all = from.list<Operation>([&] { return read_fields(from); });
  if (choices > all.size()) throw DamagedMessage();
  operation.object = intern_footprint(all, choices);
  return operation;
}

void put(ByteWriter& to, const Sleeper& step) {
  put(to, step.step);
  put(to, step.operation);
}

Sleeper read_sleeper(ByteReader& from) {
  Sleeper step;
  step.step = read_step(from);
  step.operation = read_operation(from);
  return step;
}

void put(ByteWriter& to, const Statistics& statistics) {
  for_each_number(statistics, [&](const auto& number) { to.number(number); });
}

Statistics read_statistics(ByteReader& from) {
  Statistics statistics;
  for_each_number(statistics, [&](auto& number) { from.number(number); });
  return statistics;
}

void put(ByteWriter& to, const Execution& execution) {
  to.list(execution.events, [&](const Event& event) { put(to, event); });
  to.list(execution.offers, [&](const Offer& offer) { put(to, offer); });
  to.list(execution.pending, [&](const Offer& offer) { put(to, offer); });
  to.choice(execution.outcome);
  to.number(execution.stopped_by);
  put(to, execution.failure);
  to.number(execution.warnings);
  put(to, execution.leak);
  to.number(execution.unjoined);
  to.number(execution.unjoined_count);
  to.number(execution.left_running);
  to.text(execution.output);
  to.list(execution.printed, [&](const PrintedPart& part) {
    for (const std::size_t number : {part.after, part.begin, part.end}) to.number(std::uint64_t{number});
    to.number(part.process);
  });
  to.number(execution.exit_status);
  to.list(execution.heap, [&](const HeapBlock& block) {
    for (const std::uint64_t number : {block.address, block.bytes, block.site, block.below_frame, block.holder})
      to.number(number);
  });
  to.list(execution.final_state, [&](std::uint64_t word) { to.number(word); });
}

Execution read_execution(ByteReader& from) {
  Execution execution;
  execution.events = from.list<Event>([&] { return read_event(from); });
  execution.offers = from.list<Offer>([&] { return read_offer(from); });
  for (const Event& event : execution.events)
    if (event.offers_begin > execution.offers.size() ||
        event.offers_count > execution.offers.size() - event.offers_begin)
      throw DamagedMessage();
  execution.pending = from.list<Offer>([&] { return read_offer(from); });
  execution.outcome = from.choice(Outcome::Unsupported);
  from.number(execution.stopped_by);
  execution.failure = read_failure(from);
  from.number(execution.warnings);
  execution.leak = read_leak(from);
  from.number(execution.unjoined);
  from.number(execution.unjoined_count);
  from.number(execution.left_running);
  execution.output = from.text();
  execution.printed = from.list<PrintedPart>([&] {
    PrintedPart part;
    part.after = from.number<std::uint64_t>();
    part.begin = from.number<std::uint64_t>();
    part.end = from.number<std::uint64_t>();
    from.number(part.process);
    if (part.begin > part.end || part.end > execution.output.size()) throw DamagedMessage();
    return part;
  });
  from.number(execution.exit_status);
  execution.heap = from.list<HeapBlock>([&] {
    HeapBlock block;
    for (std::uint64_t* number : {&block.address, &block.bytes, &block.site, &block.below_frame, &block.holder})
      from.number(*number);
    return block;
  });
  execution.final_state = from.list<std::uint64_t>([&] { return from.number<std::uint64_t>(); });
  return execution;
}

}  // namespace mazurka
