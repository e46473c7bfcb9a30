#include "program/names.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>

#include <fmt/format.h>

#include "core/footprint.hpp"

namespace mazurka::program {
namespace {

// Tables of the runtime (signal_delivery.cpp): four bytes per thread, and an action per signal.
constexpr std::string_view kSignalsOf = "mazurka_pending_signals_of";
constexpr std::string_view kSignalActions = "mazurka_signal_actions";
constexpr std::uint32_t kActionBytes = 24;
// Their names in reports: no variable of a program has a blank in its name.
constexpr std::string_view kSignalsName = "signals of thread ";
constexpr std::string_view kActionName = "action of ";

/// What the runtime keeps for all threads; using it is a step. Its values mean nothing to a user.
struct SharedState {
  std::string_view variable;
  const char* words;
};
constexpr std::string_view kRuntime = "mazurka::runtime::";
constexpr SharedState kSharedStates[] = {
    {"mazurka::runtime::named", "the names of semaphores"},
    {"mazurka::runtime::keys", "the thread-specific keys"},
    {"mazurka::runtime::library_handlers", "the handlers of the C++ library"},
    {"std::__detail::__waiter_pool_base::_S_for(", "the waiters of the C++ library"},
    {"mazurka::runtime::shared_random", "the state of random()"},
    {"mazurka::runtime::shared_drand48", "the state of drand48()"}};

/// The offset in `mazurka_pending_signals_of+4`.
std::uint32_t offset_in(std::string_view name) {
  std::uint32_t offset = 0;
  if (const std::size_t plus = name.find('+'); plus != std::string_view::npos)
    std::from_chars(name.data() + plus + 1, name.data() + name.size(), offset);
  return offset;
}

std::string signal_name(std::uint32_t number) {
  const char* const abbreviation = sigabbrev_np(static_cast<int>(number));
  return abbreviation == nullptr ? fmt::format("signal {}", number) : fmt::format("SIG{}", abbreviation);
}

/// The names of the signals in a bit set.
std::string signal_names(std::uint64_t set) {
  std::string text;
  for (std::uint32_t number = 1; number <= 32; ++number)
    if ((set >> (number - 1) & 1) != 0) text += (text.empty() ? "" : ", ") + signal_name(number);
  return text.empty() ? "none" : text;
}

}  // namespace

CodePlace ProgramNames::place(std::uint64_t site) const {
  if (site == 0) return {};
  CodePlace place = symbols_.code(site - 1);
  place.image = executor_.binary();
  place.offset = site;
  return place;
}

std::string ProgramNames::runtime_text(const std::string& name) const {
  for (const SharedState& state : kSharedStates)
    if (name.starts_with(state.variable)) return state.words;
  if (name.starts_with(kRuntime)) {
    std::string words = "the " + name.substr(kRuntime.size());
    std::ranges::replace(words, '_', ' ');
    return words;
  }
  if (name.starts_with(kSignalsOf))
    return std::string(kSignalsName) + process_name(offset_in(name) / sizeof(std::uint32_t));
  return name.starts_with(kSignalActions) ? std::string(kActionName) + signal_name(offset_in(name) / kActionBytes)
                                          : name;
}

std::string ProgramNames::object_text(std::uint64_t address, const std::vector<HeapBlock>& heap,
                                      std::string_view whole) const {
  if (address == protocol::kFiles) return "files";
  if (std::string name = find_variable(address, heap, whole).name; !name.empty()) return runtime_text(name);
  const auto held =
      std::ranges::find_if(heap, [&](const HeapBlock& block) { return block.holder != 0 && block.address == address; });
  if (held != heap.end() && held->holder != address) {
    // If the holder has no name, neither has its mailbox.
    if (std::string name = object_text(held->holder, heap); !name.starts_with("0x")) return name;
  }
  if (std::string name = heap_text(address, heap); !name.empty()) return name;
  return Names::variable(address, heap);
}

Symbols::Variable ProgramNames::find_variable(std::uint64_t address, const std::vector<HeapBlock>& heap,
                                              std::string_view whole) const {
  Symbols::Variable found = find_lasting(address, whole);
  return found.name.empty() ? stack_variable(address, heap, whole) : found;
}

Symbols::Variable ProgramNames::find_lasting(std::uint64_t address, std::string_view whole) const {
  Symbols::Variable found = symbols_.variable(address - executor_.load_base(), whole);
  if (!found.name.empty()) return found;
  return symbols_.local(static_cast<std::int64_t>(address - executor_.main_frame()), whole);
}

ScalarType ProgramNames::type_at(std::uint64_t address, const std::vector<HeapBlock>& heap) const {
  const auto [place, is_new] = lasting_types_.try_emplace(address);
  if (is_new)
    if (const Symbols::Variable found = find_lasting(address, {}); !found.name.empty()) {
      place->second = found.type;
      if (found.name.starts_with(kSignalsOf)) runtime_words_[address] = RuntimeWord::PendingSignals;
      if (found.name.starts_with(kRuntime)) runtime_words_[address] = RuntimeWord::SharedState;
    }
  return place->second ? *place->second : stack_variable(address, heap, {}).type;
}

Symbols::Variable ProgramNames::stack_variable(std::uint64_t address, const std::vector<HeapBlock>& heap,
                                               std::string_view whole) const {
  Symbols::Variable result;
  for (const HeapBlock& object : heap) {
    if (object.below_frame == 0 || object.address != address) continue;
    Symbols::Variable found = symbols_.local(object.site - 1, -static_cast<std::int64_t>(object.below_frame), whole);
    if (found.name.empty() || (!result.name.empty() && found.name != result.name)) return {};
    result = std::move(found);
  }
  return result;
}

std::string ProgramNames::value(std::uint64_t value, const Operation& operation,
                                const std::vector<HeapBlock>& heap) const {
  constexpr std::uint64_t kLowest = 1U << 16U;  // below is nothing of a program
  constexpr std::uint64_t kHighest = 1ULL << 47U;
  if (operation.object == protocol::kFiles) return "";  // files have no value
  const ScalarType type = type_at(operation.object, heap);
  if (const auto word = runtime_words_.find(operation.object); word != runtime_words_.end())
    return word->second == RuntimeWord::PendingSignals ? signal_names(value) : "";
  if (type.bytes == operation.size) {
    if (const auto named = type.enumerators.find(value); named != type.enumerators.end()) return named->second;
    if (type.is_pointer && value == 0) return "null";
    if (type.is_unsigned && (operation.size != sizeof(void*) || value >= kHighest)) return fmt::format("{}", value);
  }
  if (operation.size != sizeof(void*) || value < kLowest || value >= kHighest)
    return Names::value(value, operation, heap);
  if (const std::string name = object_text(value, heap, type.pointee); !name.starts_with("0x")) return "&" + name;
  const std::uint64_t offset = value - executor_.load_base();
  if (const protocol::CodeRange function = symbols_.function(offset); function.end > offset && function.begin == offset)
    return "&" + symbols_.code(offset).function;
  // The program, its stacks and its heaps are all above 4 GiB: lower values are numbers.
  return value >> 32U == 0 ? Names::value(value, operation, heap) : Names::variable(value, heap);
}

std::string ProgramNames::heap_text(std::uint64_t address, const std::vector<HeapBlock>& heap) const {
  const auto own = std::ranges::find_if(heap, [&](const HeapBlock& block) {
    return block.below_frame == 0 && address >= block.address && address < block.address + block.bytes;
  });
  if (own == heap.end()) return "";
  const CodePlace origin = place(own->site);
  if (origin.line <= 0 || origin.file.empty() || origin.in_foreign_header()) return "";
  // Number the blocks if one line allocates several.
  std::size_t number = 0;
  std::size_t count = 0;
  for (const HeapBlock& block : heap) {
    if (block.below_frame != 0) continue;
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

std::string ProgramNames::object(const Operation& operation, const std::vector<HeapBlock>& heap) const {
  switch (family(operation.kind)) {
    case Family::Local: return operation.kind == OperationKind::Spin ? object_text(operation.object, heap) : "";
    case Family::World: return "";
    case Family::Descriptor:
      return operation.descriptor() == Operation::kNoDescriptor ? "descriptors"
                                                                : fmt::format("descriptor {}", operation.descriptor());
    case Family::Section: {
      std::string names;
      if (operation.object == kUnknownFootprint) return names;
      for (const Operation& inside : FootprintRange(operation)) {
        const std::string name = object(inside, heap);
        if (name.empty() || name.starts_with("0x")) continue;  // most likely a local variable
        if (names == name || names.starts_with(name + ", ") || names.ends_with(", " + name)) continue;
        if (names.find(", " + name + ", ") != std::string::npos) continue;
        names += (names.empty() ? "" : ", ") + name;
      }
      return names;
    }
    case Family::Thread:
      return operation.object < executor_.processes().size() ? process_name(static_cast<ProcessIndex>(operation.object))
                                                             : "";
    default: return object_text(operation.object, heap);
  }
}

std::string ProgramNames::thread(std::uint64_t index) const {
  return index < executor_.processes().size() ? process_name(static_cast<ProcessIndex>(index))
                                              : fmt::format("#{}", index);
}

/// `, tag 3`, and for a received message its sender.
std::string ProgramNames::message_text(const Operation& operation) const {
  const auto tag = static_cast<std::uint32_t>(operation.second);
  if (operation.kind == OperationKind::MailboxSend) return fmt::format(", tag {}", tag);
  std::string text = operation.mask() == 0            ? std::string()
                     : operation.mask() == UINT32_MAX ? fmt::format(", tag {}", tag)
                                                      : fmt::format(", tag & {:#x} = {:#x}", operation.mask(), tag);
  if (operation.message() == Operation::kSentBefore) return text + ", sent before " + entry();
  if (operation.message() != 0) text += fmt::format(", from {}", thread(operation.sender()));
  return text;
}

namespace {

const char* name(DescriptorCall call) {
  switch (call) {
    case DescriptorCall::Create: return "create";
    case DescriptorCall::Read: return "read from";
    case DescriptorCall::Write: return "write to";
    case DescriptorCall::Close: return "close";
    case DescriptorCall::Duplicate: return "duplicate";
    case DescriptorCall::Control: return "control";
    case DescriptorCall::Poll: return "poll";
    case DescriptorCall::Wait: return "wait for events of";
    case DescriptorCall::Register: return "register with";
    case DescriptorCall::Arm: return "arm";
    case DescriptorCall::ShutDown: return "shut down";
    case DescriptorCall::Send: return "send to";
    case DescriptorCall::Receive: return "receive from";
    case DescriptorCall::Open: return "open";
    case DescriptorCall::Unlink: return "unlink";
    case DescriptorCall::SetFlags: return "set the flags of";
  }
  return "use";
}

}  // namespace

std::string ProgramNames::describe(const Operation& operation, const std::vector<HeapBlock>& heap) const {
  using enum OperationKind;
  std::string text = name(operation.kind);
  switch (family(operation.kind)) {
    case Family::Thread: text += " " + thread(operation.object); break;
    case Family::Local:
      if (operation.kind == Choose) text += fmt::format(" one of {}", operation.alternatives());
      if (operation.kind == Spin) text += " on " + object_text(operation.object, heap);
      if ((operation.flags & kGivesWay) != 0) text += " after many plain accesses, perhaps in a spin loop";
      return text;
    case Family::World: return text;
    case Family::Descriptor: {
      const char* const call = operation.kind == DescriptorLookup ? "look up" : name(operation.call());
      return operation.descriptor() == Operation::kNoDescriptor
                 ? fmt::format("{} descriptors", call)
                 : fmt::format("{} descriptor {}", call, operation.descriptor());
    }
    case Family::Section:
      if (const std::string objects = object(operation, heap); !objects.empty()) text += " of " + objects;
      return operation.failed() ? text + " (an assumption fails)" : text;
    default: {
      const std::string object = object_text(operation.object, heap);
      const bool looks = operation.kind == Load;
      const bool accesses = family(operation.kind) == Family::Memory;
      if (accesses && object.starts_with(kSignalsName)) return (looks ? "read " : "change ") + object;
      if (operation.kind == FutexWait && object.starts_with(kSignalsName)) return "wait for " + object;
      if (accesses && object.starts_with(kActionName)) return (looks ? "read " : "set ") + object;
      text += " " + object;
    }
  }
  if (operation.kind == ConditionWait)
    text += fmt::format(", releasing {}", object_text(operation.released_mutex(), heap));
  if (operation.reacquires())
    text += fmt::format(" after the wait on {}", object_text(operation.awaited_condition(), heap));
  if (wakes_one(operation))
    text += operation.woken() == Operation::kNobody ? ", waking nobody"
                                                    : fmt::format(", waking {}", thread(operation.woken()));
  if (facts(operation.kind).carries == Carries::Message) text += message_text(operation);
  if (operation.object == protocol::kFiles && family(operation.kind) == Family::Memory)
    return operation.kind == Load ? "read files" : "use files";
  if (family(operation.kind) == Family::Memory)
    text += fmt::format(" ({} byte{})", operation.size, operation.size == 1 ? "" : "s");
  if ((operation.flags & kPlain) != 0) text = "plain " + text;
  if (operation.failed()) text += operation.kind == OnceEnter ? " (done already)" : " (failed)";
  return text;
}

}  // namespace mazurka::program
