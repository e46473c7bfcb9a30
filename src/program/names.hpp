// What the threads, operations, objects and places of a program are called: threads by their path of creation, objects
// and places by the program's symbols and debug information.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/names.hpp"
#include "program/executor.hpp"
#include "program/symbols.hpp"

namespace mazurka::program {

class ProgramNames final : public Names {
 public:
  /// Throws InputError where the file that `executor` runs is not a program.
  explicit ProgramNames(ProgramExecutor& executor) : executor_(executor), symbols_(executor.binary()) {}

  std::string process_name(ProcessIndex process) const override { return executor_.processes().path(process); }
  /// Before the first run this makes the process known, so that a schedule from a file can name threads that do not
  /// exist yet.
  ProcessIndex process_named(std::string_view path) const override { return executor_.announce(path); }
  std::string describe(const Operation& operation, const std::vector<HeapBlock>& heap) const override;
  std::string object(const Operation& operation, const std::vector<HeapBlock>& heap) const override;
  std::string value(std::uint64_t value, std::uint8_t bytes, const std::vector<HeapBlock>& heap) const override;
  std::string variable(std::uint64_t address, const std::vector<HeapBlock>& heap) const override {
    return object_text(address, heap);
  }
  /// A site is where an operation returns to: the call before it is the place.
  CodePlace place(std::uint64_t site) const override;

  /// Whether a site is in the code of our own runtime.
  bool is_runtime(std::uint64_t site) const { return symbols_.is_runtime(site - 1); }
  /// Whether it is in the destructor or the assignment of std::thread.
  bool is_in_thread_end(std::uint64_t site) const { return site != 0 && symbols_.is_in_thread_end(site - 1); }
  /// The whole function that a site belongs to; empty where there is none.
  protocol::CodeRange function(std::uint64_t site) const { return symbols_.function(site - 1); }

 private:
  std::string thread(std::uint64_t index) const;
  std::string object_text(std::uint64_t address, const std::vector<HeapBlock>& heap) const;
  /// A variable of a function that was running; empty where it is not known, or several were there one after another.
  std::string stack_text(std::uint64_t address, const std::vector<HeapBlock>& heap) const;
  /// An address in a known block of the heap; empty where there is none.
  std::string heap_text(std::uint64_t address, const std::vector<HeapBlock>& heap) const;

  ProgramExecutor& executor_;
  Symbols symbols_;
};

}  // namespace mazurka::program
