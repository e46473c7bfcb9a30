// Removes a folder with raw system calls only: no allocation, and a kilobyte of stack per level. A forked child of a
// process with several threads may call it, and a limit on memory does not stop it.
#pragma once

namespace mazurka {

/// Symbolic links are removed, not followed. Returns whether nothing is left under this path.
bool remove_tree(const char* path) noexcept;

}  // namespace mazurka
