// Operations and places in words.
#include <fmt/format.h>

#include "core/footprint.hpp"
#include "program/executor.hpp"

namespace mazurka::program {

std::string ProgramExecutor::object_text(std::uint64_t address) const {
  if (address == protocol::kFiles) return "files";
  if (object_namer_)
    if (std::string name = object_namer_(address); !name.empty()) return name;
  if (std::string name = heap_text(address); !name.empty()) return name;
  return fmt::format("{:#x}", address);
}

std::string ProgramExecutor::site_text(std::uint64_t site) const {
  if (site == 0) return "an unknown place";
  if (site_namer_)
    if (std::string name = site_namer_(site); !name.empty()) return name;
  return fmt::format("{}+{:#x}", binary(), site);
}

std::string ProgramExecutor::object(const Operation& operation) const {
  switch (family(operation.kind)) {
    case Family::Local:
    case Family::World: return "";
    case Family::Section: {
      std::string names;
      if (operation.object == kUnknownFootprint) return names;
      for (const Operation& inside : FootprintRange(operation)) {
        const std::string name = object(inside);
        if (name.empty() || name.starts_with("0x")) continue;  // a local variable, most likely
        if (names == name || names.starts_with(name + ", ") || names.ends_with(", " + name)) continue;
        if (names.find(", " + name + ", ") != std::string::npos) continue;
        names += (names.empty() ? "" : ", ") + name;
      }
      return names;
    }
    case Family::Thread:
      return operation.object < processes_.size() ? process_name(static_cast<ProcessIndex>(operation.object)) : "";
    default: return object_text(operation.object);
  }
}

std::string ProgramExecutor::describe(const Operation& operation) const {
  using enum OperationKind;
  const auto thread = [this](std::uint64_t index) {
    return index < processes_.size() ? process_name(static_cast<ProcessIndex>(index)) : fmt::format("#{}", index);
  };
  std::string text = name(operation.kind);
  switch (family(operation.kind)) {
    case Family::Thread: text += " " + thread(operation.object); break;
    case Family::Local:
      if (operation.kind == Choose) text += fmt::format(" one of {}", operation.alternatives());
      if ((operation.flags & kGivesWay) != 0) text += " after many plain accesses, perhaps in a loop that waits";
      return text;
    case Family::World: return text;
    case Family::Section:
      if (const std::string objects = object(operation); !objects.empty()) text += " of " + objects;
      return operation.failed() ? text + " (an assumption fails)" : text;
    default: text += " " + object_text(operation.object); break;
  }
  if (operation.kind == ConditionWait) text += fmt::format(", releasing {}", object_text(operation.released_mutex()));
  if (operation.reacquires())
    text += fmt::format(" once woken from the wait on {}", object_text(operation.awaited_condition()));
  if (wakes_one(operation))
    text += operation.woken() == Operation::kNobody ? ", waking nobody"
                                                    : fmt::format(", waking {}", thread(operation.woken()));
  if (operation.object == protocol::kFiles && family(operation.kind) == Family::Memory)
    return operation.kind == Load ? "look at files" : "use files";
  if (family(operation.kind) == Family::Memory)
    text += fmt::format(" ({} byte{})", operation.size, operation.size == 1 ? "" : "s");
  if ((operation.flags & kPlain) != 0) text = "plain " + text;
  if (operation.failed()) text += operation.kind == OnceEnter ? " (done already)" : " (failed)";
  return text;
}

}  // namespace mazurka::program
