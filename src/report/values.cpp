#include "report/values.hpp"

#include <fmt/format.h>

namespace mazurka::report {
namespace {

using enum OperationKind;

constexpr std::uint8_t kRecordedBytes = 8;  // that an event has room for

}  // namespace

Values values_of(const Names& names, const Event& event, const std::vector<HeapBlock>& heap) {
  Values values;
  const Operation& o = event.operation;
  if (o.kind == Choose) {
    values.text = fmt::format("{}", event.value);
    return values;
  }
  const bool looks = family(o.kind) == Family::Memory || o.kind == FutexWait;
  // A plain store takes place after its event was recorded.
  if (!looks || o.size > kRecordedBytes || ((o.flags & kPlain) != 0 && writes_memory(o))) return values;
  const auto said = [&](std::uint64_t value) { return names.value(value, o, heap); };
  if (said(event.value).empty()) return values;
  if (o.kind != Store) values.found = event.value;
  if (o.failed()) {
    values.expected = event.written;
    values.text = fmt::format("found {}, expected {}", said(event.value), said(event.written));
  } else if (!writes_memory(o)) {
    values.text = said(event.value);
  } else {
    values.wrote = event.written;
    values.text =
        o.kind == Store ? said(event.written) : fmt::format("{} -> {}", said(event.value), said(event.written));
  }
  return values;
}

}  // namespace mazurka::report
