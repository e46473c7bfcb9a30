// Files and descriptors of the program: what an execution does to them is undone before the next one. file_changes.hpp
// handles contents and names; this file handles the kernel's state of the process.
#pragma once

#include <cstdint>

#include <sys/stat.h>

namespace mazurka::runtime {

/// Records which files are open before main, and prepares the substitute for the random devices.
void prepare_files();

/// Closes what the last execution left open, and reopens what it closed.
void restore_descriptors();

/// Whether this execution has opened or changed any files.
bool has_used_files();
void note_used_files();

/// The path to open instead of `path`: usually the same.
const char* stands_for(const char* path);
/// Whether it leads out of a closure's process to its test, or beyond: a pipe, a socket, an event counter. What is
/// written to or read from it cannot be undone.
bool leads_outside(int file);
/// Whether the test of a closure has this file open: it could not be restored as the same file.
bool is_open_in_test(const struct stat& what);
/// Whether it is stdout or stderr, which are not files of the program.
inline bool is_output(int file) { return file == 1 || file == 2; }

// For file_calls.cpp; the results are the kernel's.
long note_descriptor(long result);
void note_folder_change();
void note_mask_change();
long close_descriptor(int file, std::uint64_t site);
long close_descriptors(unsigned first, unsigned last, std::uint64_t site);
long replace_descriptor(int from, int to, long flags, std::uint64_t site);
long control_descriptor(int file, long command, long argument, std::uint64_t site);

}  // namespace mazurka::runtime
