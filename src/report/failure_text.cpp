#include "report/failure_text.hpp"

#include <algorithm>
#include <csignal>
#include <cstring>
#include <map>
#include <set>

#include <fmt/format.h>

namespace mazurka::report {
namespace {

/// The sentences for each sort of detail that a failure may have.
class FailureWriter {
 public:
  FailureWriter(const Names& names, const Execution& execution) : names_(names), execution_(execution) {}

  std::string operator()(std::monostate) const {
    switch (execution_.failure.kind) {
      case FailureKind::Deadlock: return deadlock();
      case FailureKind::Abort: return "the program called abort()";
      case FailureKind::ExitStatus:
        return execution_.failure.process == kNoProcess
                   ? fmt::format("main returned {}", execution_.exit_status)
                   : fmt::format("{} called exit({})", names_.entry() == "main" ? "the program" : names_.entry(),
                                 execution_.exit_status);
      case FailureKind::StackOverflow: return fmt::format("thread {} overflows its stack", thread());
      case FailureKind::NotJoined: return not_joined();
      case FailureKind::MainReturned: return main_returned();
      case FailureKind::Nondeterminism: return "the same schedule led to a different execution";
      default: break;
    }
    return execution_.outcome == Outcome::Diverged ? "a schedule that was enabled before is no longer enabled" : "";
  }

  std::string operator()(const GivenWords& words) const { return words; }

  std::string operator()(const ObjectMisuse& misuse) const {
    if (misuse.kind == ObjectKind::Thread) return double_join(misuse);
    const std::string object = names_.variable(misuse.object, execution_.heap);
    return fmt::format("thread {} {}{}", thread(), misuse_text(misuse), object.empty() ? "" : ": " + object);
  }

  std::string operator()(const BlockedAlone& blocked) const {
    return fmt::format("{} blocks {}, where no other thread can run", name(blocked.operation),
                       blocked.in_section ? "inside an atomic section" : "before main or after its end");
  }

  std::string operator()(const RaisedSignal& raised) const {
    const std::string text = signal_text(raised.number);
    const bool has_address = raised.number == SIGSEGV || raised.number == SIGBUS;
    std::string result = has_address ? fmt::format("{} at address {:#x}", text, raised.address) : text;
    add_library_calls(result);
    return result;
  }

  std::string operator()(const MemoryClash& clash) const {
    std::string text;
    if (execution_.failure.kind == FailureKind::DamagedMemory) {
      text = fmt::format("{} {} hits memory of Mazurka's runtime", verb(clash.now.use), innermost(clash.now));
    } else if (execution_.failure.kind == FailureKind::UseAfterReturn) {
      const bool ends_later = clash.now.use == Use::Free;
      const MemoryUse& use = ends_later ? clash.before : clash.now;
      const MemoryUse& end = ends_later ? clash.now : clash.before;
      text = fmt::format("{} {} uses the stack of thread {}, which {}", verb(use.use), innermost(use),
                         names_.process_name(end.process),
                         ends_later ? "may end before that: the two are not ordered" : "has ended");
      add_use(text, use, "");
      return text;
    } else if (clash.before.use == Use::None) {
      const bool inside = clash.address + clash.now.bytes <= clash.block.address + clash.block.bytes;
      text = fmt::format("{} {} is out of bounds of {}", verb(clash.now.use), innermost(clash.now),
                         clash.block.address == 0 || inside ? "the heap" : "a heap block");
    } else if (clash.before.use == Use::Free) {
      text = fmt::format("{} {} after free {}", verb(clash.now.use), innermost(clash.now), innermost(clash.before));
    } else {
      text = fmt::format("{} {} and {} {} of {} are not ordered", verb(clash.before.use), innermost(clash.before),
                         verb(clash.now.use), innermost(clash.now),
                         clash.block.address != 0 ? "a heap block" : names_.variable(clash.address, execution_.heap));
    }
    add_use(text, clash.now, "");
    if (clash.before.use != Use::None) add_use(text, clash.before, ", earlier");
    if (clash.block.address == 0) return text;
    text += fmt::format("\n  address {:#x} is byte {} of a heap block of {} byte{}, allocated by thread {}",
                        clash.address, static_cast<std::int64_t>(clash.address - clash.block.address),
                        clash.block.bytes, clash.block.bytes == 1 ? "" : "s", names_.process_name(clash.block.process));
    add_stack(text, clash.block.stack);
    return text;
  }

  std::string operator()(const LeakedBlocks& leak) const {
    const bool one = leak.count == 1;
    std::string text = fmt::format(
        "{} heap block{} never freed and unreachable at the end\n  {}{} byte{}, "
        "allocated by thread {}",
        leak.count, one ? " is" : "s are", one ? "" : "the first one: ", leak.first.bytes,
        leak.first.bytes == 1 ? "" : "s", names_.process_name(leak.first.process));
    add_stack(text, leak.first.stack);
    return text;
  }

  std::string operator()(const ProcessDeath& death) const {
    return fmt::format("the program {} {} while thread {} was running",
                       death.by_signal ? "was killed by" : "ended with", to_string(death), thread());
  }

  std::string operator()(const StuckInSystemCall& call) const {
    return fmt::format("thread {} is blocked in the system call {}, which Mazurka does not control", thread(),
                       call.name);
  }

  std::string operator()(const WithoutProgress& loop) const {
    const std::uint64_t ms = loop.milliseconds;
    return fmt::format("thread {} ran for {} without a visible operation{}", thread(),
                       ms % 1000 == 0 ? fmt::format("{} s", ms / 1000) : fmt::format("{} ms", ms),
                       loop.in_plain_loop
                           ? ": it spins on plain memory that no other thread changes"
                           : "; if it spins on a variable that is not atomic, the compiler may have hoisted the "
                             "load out of the loop; if it computes for long, raise --watchdog");
  }

  std::string operator()(const Difference& difference) const {
    return fmt::format("event {} was {} and is now {}", difference.index + 1, event(difference.before),
                       event(difference.now));
  }

  std::string operator()(const ImpossibleStep& step) const {
    return fmt::format("step {} of the schedule (process {}, alternative {}) is not enabled", step.index, step.process,
                       step.alternative);
  }

 private:
  static const char* verb(Use use) {
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

  static const char* object_text(ObjectKind kind) {
    switch (kind) {
      case ObjectKind::Mutex: return "mutex";
      case ObjectKind::SpinLock: return "spin lock";
      case ObjectKind::ReadWriteLock: return "reader-writer lock";
      case ObjectKind::ConditionVariable: return "condition variable";
      case ObjectKind::Semaphore: return "semaphore";
      case ObjectKind::Barrier: return "barrier";
      case ObjectKind::Thread: return "thread";
      case ObjectKind::Mailbox: return "mailbox";
    }
    return "object";
  }

  std::string misuse_text(const ObjectMisuse& misuse) const {
    const char* const object = object_text(misuse.kind);
    const bool held = misuse.holder != kNoProcess;
    const std::string holder = held ? names_.process_name(misuse.holder) : "";
    switch (execution_.failure.kind) {
      case FailureKind::DoubleLock: return fmt::format("locks a {} that it holds already", object);
      case FailureKind::ForeignUnlock:
        return held ? fmt::format("unlocks a {} that thread {} holds", object, holder)
                    : fmt::format("unlocks a {} that it does not hold", object);
      case FailureKind::ForeignReceive:
        return fmt::format("receives from a {} that belongs to {}", object,
                           held ? "thread " + holder : "a thread that has ended");
      case FailureKind::DestroyInUse:
        if (misuse.holder == execution_.failure.process && held)
          return fmt::format("destroys a {} that it holds itself", object);
        return held ? fmt::format("destroys a {} that thread {} holds", object, holder)
                    : fmt::format("destroys a {} that is in use", object);
      default: return fmt::format("uses a {} that was destroyed", object);
    }
  }

  std::string double_join(const ObjectMisuse& misuse) const {
    const bool own = misuse.holder == execution_.failure.process;
    return fmt::format("thread {} joins thread {}, which {} joined already", thread(),
                       names_.process_name(static_cast<ProcessIndex>(misuse.object)),
                       own ? "it has"
                       : misuse.holder == kNoProcess
                           ? "was"
                           : fmt::format("thread {} has", names_.process_name(misuse.holder)));
  }

  static std::string signal_text(int number) {
    switch (number) {
      case SIGSEGV: return "SIGSEGV (invalid memory access)";
      case SIGBUS: return "SIGBUS (invalid memory access)";
      case SIGFPE: return "SIGFPE (arithmetic error)";
      case SIGILL: return "SIGILL (illegal instruction)";
      default: break;
    }
    const char* const abbreviation = sigabbrev_np(number);
    return abbreviation == nullptr ? fmt::format("signal {}", number) : fmt::format("SIG{}", abbreviation);
  }

  std::string deadlock() const {
    std::set<ProcessIndex> waiting;
    bool network = false;
    for (const Offer& offer : execution_.pending) {
      waiting.insert(offer.process);
      network |= offer.operation.kind == OperationKind::Synchronise;
    }
    if (network) return "no action is enabled, but some client has not finished";
    return waiting.size() == 1 ? fmt::format("thread {} is blocked forever", names_.process_name(*waiting.begin()))
                               : fmt::format("{} threads are blocked forever", waiting.size());
  }

  std::string not_joined() const {
    if (execution_.unjoined == kNoProcess) return "a thread is neither joined nor detached";
    const std::string first = created(execution_.unjoined);
    const std::uint32_t more = execution_.unjoined_count - 1;
    return more == 0
               ? fmt::format("{} is neither joined nor detached", first)
               : fmt::format("{} and {} other{} are neither joined nor detached", first, more, more == 1 ? "" : "s");
  }

  std::string main_returned() const {
    return execution_.left_running == kNoProcess
               ? names_.entry() + " returns while other threads run"
               : fmt::format("{} returns while {} has not ended", names_.entry(), created(execution_.left_running));
  }

  /// `thread 0.1, created at a.c:3 (main),`
  std::string created(ProcessIndex process) const {
    std::string text = "thread " + names_.process_name(process);
    for (const Event& event : execution_.events)
      if (event.operation.kind == OperationKind::ThreadCreate && event.operation.object == process &&
          !names_.place(event.site).path.empty())
        text += fmt::format(", created at {},", site(event.site));
    return text;
  }

  /// Who failed.
  std::string thread() const {
    const ProcessIndex process = execution_.failure.process;
    return process == kNoProcess ? "0" : names_.process_name(process);
  }

  /// Where in a library a program crashed, and what of the program called that.
  void add_library_calls(std::string& text) const {
    const Failure& failure = execution_.failure;
    if (failure.inside.empty()) return;
    const char* how = "in";
    for (std::string_view rest = failure.inside; !rest.empty();) {
      const std::string_view line = rest.substr(0, rest.find('\n'));
      rest.remove_prefix(std::min(line.size() + 1, rest.size()));
      text += fmt::format("\n    {} {}", how, line);
      how = "called from";
    }
    add_stack(text, failure.stack, how);
  }

  std::string site(std::uint64_t site) const {
    const std::string text = to_string(names_.place(site));
    return text.empty() ? "an unknown location" : text;
  }

  /// Of the program's own code, if there is any on the stack.
  std::string innermost(const MemoryUse& use) const {
    return use.stack.empty() ? "in a library" : "at " + site(innermost_own(names_, use.stack));
  }

  /// Of calls between headers only the ends are shown: where it happened, and what the user called. What starts a
  /// thread is left out.
  void add_stack(std::string& text, const CallStack& stack, const char* how = "at") const {
    std::vector<CodePlace> places;
    for (const std::uint64_t call : stack)
      if (CodePlace place = names_.place(call); !place.function.starts_with("mazurka_"))  // it called the program back
        places.push_back(std::move(place));
    const auto is_own = [](const CodePlace& place) { return !place.in_foreign_header(); };
    const auto outermost = std::find_if(places.rbegin(), places.rend(), is_own);
    if (outermost != places.rend()) places.erase(outermost.base(), places.end());
    for (std::size_t i = 0; i < places.size(); ++i) {
      const auto end = static_cast<std::size_t>(
          std::find_if(places.begin() + static_cast<std::ptrdiff_t>(i), places.end(), is_own) - places.begin());
      text += fmt::format("\n    {} {}", how, in_stack(places[i]));
      how = "called from";
      if (end < i + 4) continue;
      text += fmt::format("\n    called, through {} more frames, from {}", end - i - 2, in_stack(places[end - 1]));
      i = end - 1;
    }
  }

  /// Functions of headers without their template arguments, which may fill lines.
  static std::string in_stack(CodePlace place) {
    if (place.in_foreign_header() && !place.function.starts_with("operator"))
      place.function.resize(std::min(place.function.find('<'), place.function.size()));
    const std::string text = to_string(place);
    return text.empty() ? "an unknown location" : text;
  }

  void add_use(std::string& text, const MemoryUse& use, const char* when) const {
    text += fmt::format("\n  {}", verb(use.use));
    if (use.use != Use::Free) text += fmt::format(" of {} byte{}", use.bytes, use.bytes == 1 ? "" : "s");
    text += fmt::format(" by thread {}{}", names_.process_name(use.process), when);
    add_stack(text, use.stack);
  }

  std::string event(const Event& event) const {
    return fmt::format("`{}: {}` = {} at {}", names_.process_name(event.process), names_.describe(event.operation, {}),
                       event.observed(), site(event.site));
  }

  const Names& names_;
  const Execution& execution_;
};

std::string warning_text(const Names& names, std::uint32_t warning, const Execution& execution) {
  Execution warned = execution;
  warned.failure = {};
  warned.failure.kind = warning == kWarnNotJoined ? FailureKind::NotJoined : FailureKind::MainReturned;
  if (warning == kWarnLeak) warned.failure.detail = execution.leak;
  return failure_text(names, warned);
}

/// What two warnings must have in common to be one: of leaks the line that allocated, however many blocks there are.
std::string subject(const Names& names, const CountedWarning& counted, const std::string& text) {
  if (counted.warning != kWarnLeak) return text;
  std::string lines;
  for (const std::uint64_t site : counted.first.leak.first.stack) lines += to_string(names.place(site)) + "\n";
  return lines.empty() ? text : lines;
}

}  // namespace

std::uint64_t innermost_own(const Names& names, const CallStack& stack) {
  const auto is_own = [&](std::uint64_t site) {
    const CodePlace place = names.place(site);
    return !place.path.empty() && !place.in_foreign_header() && !place.function.starts_with("mazurka_");
  };
  const auto own = std::ranges::find_if(stack, is_own);
  return own != stack.end() ? *own : stack.empty() ? 0 : stack.front();
}

std::string failure_text(const Names& names, const Execution& execution) {
  return std::visit(FailureWriter(names, execution), execution.failure.detail);
}

std::vector<std::string> warning_texts(const Names& names, const Execution& execution) {
  std::vector<std::string> texts;
  for (const std::uint32_t warning : {kWarnLeak, kWarnNotJoined, kWarnMainReturned})
    if ((execution.warnings & warning) != 0) texts.push_back(warning_text(names, warning, execution));
  return texts;
}

std::vector<std::pair<std::string, std::uint64_t>> warning_texts(const Names& names, const WarningCounts& counts) {
  struct Entry {
    std::string text;
    std::uint32_t blocks = 0;
    std::uint64_t executions = 0;
  };
  std::map<std::string, Entry> entries;  // several sites may be one line
  for (const CountedWarning& counted : counts.all()) {
    std::string text = warning_text(names, counted.warning, counted.first);
    Entry& entry = entries[subject(names, counted, text)];
    entry.executions += counted.executions;
    if (!entry.text.empty() && entry.blocks >= counted.first.leak.count) continue;
    entry.text = std::move(text);
    entry.blocks = counted.first.leak.count;
  }
  std::map<std::string, std::uint64_t> texts;
  for (const auto& [key, entry] : entries) texts[entry.text] += entry.executions;
  return {texts.begin(), texts.end()};
}

}  // namespace mazurka::report
