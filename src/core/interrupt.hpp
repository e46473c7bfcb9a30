// Ctrl-C and time limits: explorers ask `interrupted()` between units of work, stop, and what is known so far is
// printed. Not every computation has such units (a SAT solver at work, a reader of a model); a PromptEnd is for those.
#pragma once

namespace mazurka {

/// Installs handlers for SIGINT, SIGTERM and SIGHUP (unless that is ignored, as nohup does) that raise the flag; a
/// second signal ends the process at once. Files that grow beyond `ulimit -f` are no longer a reason to die.
void catch_interrupts();
bool interrupted() noexcept;

/// Raises the flag after so many seconds.
void interrupt_after(double seconds);

/// While it lives, the process ends with the exit code for `incomplete` if it is still there half a second after the
/// flag was raised, and says so: in JSON on standard output if that is wanted. \pre Nothing needs to be cleaned up
/// then.
class PromptEnd {
 public:
  explicit PromptEnd(bool json);
  ~PromptEnd();
  PromptEnd(const PromptEnd&) = delete;
  PromptEnd& operator=(const PromptEnd&) = delete;
};

}  // namespace mazurka
