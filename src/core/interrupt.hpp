// Ctrl-C: explorers ask `interrupted()` between units of work, stop, and what is known so far is printed.
#pragma once

namespace mazurka {

/// Installs handlers for SIGINT and SIGTERM that raise the flag; a second signal ends the process at once.
void catch_interrupts();
bool interrupted() noexcept;

}  // namespace mazurka
