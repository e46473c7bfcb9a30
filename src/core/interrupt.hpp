// Ctrl-C and time limits. Explorers ask `interrupted()` between units of work, stop, and report what they know so far.
// Some computations have no such units (a SAT solver, a reader of a model); PromptEnd is for those.
#pragma once

namespace mazurka {

/// Installs handlers for SIGINT, SIGTERM and SIGHUP (unless ignored, as under nohup) that set the flag; a second signal
/// ends the process at once. Also ignores SIGXFSZ, so that a file beyond `ulimit -f` is a write error.
void catch_interrupts();
bool interrupted() noexcept;

/// Sets the flag after `seconds`.
void interrupt_after(double seconds);
/// Raises the flag.
void interrupt() noexcept;

/// From now on a signal or a time limit does not raise the flag but asks for the end, so that whoever is at work can
/// come to a point where nothing is lost, and then call interrupt(). It is raised all the same ten seconds later.
void ask_before_interrupts();
/// Whether the end has come or was asked for.
bool end_wanted() noexcept;

/// Whether a signal has asked for it, not a time limit.
bool signalled() noexcept;

/// While it lives, the process exits with the code for `incomplete` half a second after the flag was set, and says so:
/// in JSON on standard output if requested. \pre Nothing needs to be cleaned up then.
class PromptEnd {
 public:
  explicit PromptEnd(bool json);
  ~PromptEnd();
  PromptEnd(const PromptEnd&) = delete;
  PromptEnd& operator=(const PromptEnd&) = delete;
};

}  // namespace mazurka
