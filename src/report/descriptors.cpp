#include "report/descriptors.hpp"

#include <set>

#include <fmt/format.h>

namespace mazurka::report {
namespace {

/// The step that made a descriptor last; `value` and `written` of its event say which ones.
std::string origin_of(const Execution& execution, std::uint64_t descriptor) {
  for (std::size_t i = execution.events.size(); i-- > 0;) {
    const Event& event = execution.events[i];
    if (family(event.operation.kind) != Family::Descriptor) continue;
    const DescriptorCall call = event.operation.call();
    const bool makes = call == DescriptorCall::Create || call == DescriptorCall::Duplicate;
    if (!makes || (event.value != descriptor && event.written != descriptor)) continue;
    std::string text = fmt::format("descriptor {} was created in step {}", descriptor, i + 1);
    if (call == DescriptorCall::Duplicate)
      return text + fmt::format(" as a duplicate of {}", event.operation.descriptor());
    const std::uint64_t other = event.value == descriptor ? event.written : event.value;
    return other == 0 ? text : text + fmt::format("; its other end is {}", other);
  }
  return "";
}

}  // namespace

std::vector<std::string> descriptors_of(const Execution& execution) {
  std::set<std::uint64_t> waited_for;
  for (const Offer& offer : execution.pending)
    if (offer.operation.kind == OperationKind::DescriptorWait && !offer.enabled &&
        offer.operation.descriptor() != Operation::kNoDescriptor)
      waited_for.insert(offer.operation.descriptor());
  std::vector<std::string> sentences;
  for (const std::uint64_t descriptor : waited_for)
    if (std::string text = origin_of(execution, descriptor); !text.empty()) sentences.push_back(std::move(text));
  return sentences;
}

}  // namespace mazurka::report
