#include "core/execution_bytes.hpp"

#include <span>
#include <variant>

#include <gtest/gtest.h>

#include "core/footprints.hpp"

namespace mazurka {
namespace {

Operation operation(OperationKind kind, std::uint64_t object) {
  Operation o;
  o.kind = kind;
  o.object = object;
  o.size = 4;
  o.flags = kFailed;
  o.memory_order = 5;
  o.detail = 6;
  o.second = 7;
  return o;
}

/// One with something in every field that is written.
Execution full() {
  Execution e;
  Event event;
  event.operation = operation(OperationKind::Load, 0x1000);
  event.process = 3;
  event.alternative = 1;
  event.offers_count = 1;
  event.value = 11;
  event.written = 12;
  event.site = 13;
  Event section = event;
  const Operation inside[] = {operation(OperationKind::Store, 0x2000)};
  section.operation = operation(OperationKind::AtomicSection, intern_footprint(inside, 0));
  e.events = {event, section};
  Offer offer;
  offer.operation = operation(OperationKind::MutexLock, 0x3000);
  offer.process = 2;
  offer.stopped = offer.assumed = true;
  offer.holder = 1;
  offer.site = 14;
  e.offers = {offer};
  e.pending = {offer, offer};
  e.outcome = Outcome::Error;
  e.stopped_by = kStoppedBySteps;
  e.failure.kind = FailureKind::DataRace;
  e.failure.process = 3;
  e.failure.site = 15;
  e.failure.detail = MemoryClash{16, {Use::Read, 4, 1, {17, 18}}, {Use::Write, 8, 2, {19}}, {20, 21, 0, {22}}};
  e.failure.stack = {23};
  e.failure.inside = "inside";
  e.failure.nearby = {24, 25};
  e.warnings = kWarnLeak;
  e.leak = {2, {26, 27, 1, {28}}};
  e.unjoined = 1;
  e.unjoined_count = 2;
  e.left_running = 3;
  e.output = "output";
  e.printed = {{1, 2, 0, 3}};
  e.exit_status = 9;
  e.heap = {{1, 2, 3, 4, 5}};
  e.final_state = {6, 7};
  return e;
}

Bytes written(const Execution& execution) {
  ByteWriter writer;
  put(writer, execution);
  return writer.take();
}

TEST(ExecutionBytes, ComeBackAsTheyWere) {
  const Bytes bytes = written(full());
  ByteReader reader(bytes);
  const Execution back = read_execution(reader);
  reader.end();
  EXPECT_EQ(written(back), bytes);
  EXPECT_EQ(back.events[1].operation, full().events[1].operation);
  EXPECT_EQ(back.failure.detail.index(), full().failure.detail.index());
  EXPECT_EQ(std::get<MemoryClash>(back.failure.detail), std::get<MemoryClash>(full().failure.detail));
  EXPECT_EQ(back.output, "output");
  EXPECT_EQ(back.final_state, full().final_state);
}

TEST(ExecutionBytes, OfEveryKindOfFailureComeBack) {
  const FailureDetail details[] = {std::monostate{},
                                   GivenWords("words"),
                                   LeakedBlocks{1, {2, 3, 4, {5}}},
                                   ObjectMisuse{1, ObjectKind::Barrier, 2},
                                   BlockedAlone{OperationKind::MutexLock, true},
                                   RaisedSignal{11, 12},
                                   ProcessDeath{true, 9},
                                   StuckInSystemCall{"read"},
                                   WithoutProgress{10, true},
                                   ImpossibleStep{1, 2, 3}};
  for (const FailureDetail& detail : details) {
    Execution execution;
    execution.failure.kind = FailureKind::Abort;
    execution.failure.detail = detail;
    const Bytes bytes = written(execution);
    ByteReader reader(bytes);
    const Execution back = read_execution(reader);
    EXPECT_EQ(back.failure.detail.index(), detail.index());
    EXPECT_EQ(written(back), bytes);
  }
}

TEST(ExecutionBytes, ThatAreCutOffOrChangedAreNeverReadBeyondTheirEnd) {
  const Bytes bytes = written(full());
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    ByteReader reader(std::span<const std::byte>(bytes).first(length));
    EXPECT_THROW(read_execution(reader), DamagedMessage) << length;
  }
  // Whatever a byte is changed to, it is an execution or no message; the sanitizers watch.
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    Bytes changed = bytes;
    changed[at] = std::byte{0xff};
    ByteReader reader(changed);
    try {
      read_execution(reader);
    } catch (const DamagedMessage&) {
      continue;
    }
  }
}

TEST(ByteReader, RefusesWhatIsNoValue) {
  ByteWriter writer;
  writer.number(std::uint8_t{2});
  ByteReader flag(writer.written());
  EXPECT_THROW(flag.flag(), DamagedMessage);
  ByteReader choice(writer.written());
  EXPECT_THROW(choice.choice(static_cast<Outcome>(1)), DamagedMessage);
  ByteReader rest(writer.written());
  EXPECT_THROW(rest.end(), DamagedMessage);
}

}  // namespace
}  // namespace mazurka
