// Names of the threads, operations, objects and places of a program: threads by their path of creation, objects and
// places by the program's symbols and debug information.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/names.hpp"
#include "program/executor.hpp"
#include "program/symbols.hpp"

namespace mazurka::program {

class ProgramNames final : public Names {
 public:
  /// Throws InputError if the file that `executor` runs is not a program.
  explicit ProgramNames(ProgramExecutor& executor) : executor_(executor), symbols_(executor.binary()) {}

  std::string process_name(ProcessIndex process) const override { return executor_.processes().path(process); }
  std::string entry() const override { return executor_.configuration().zygote == nullptr ? "main" : "the closure"; }
  /// Before the first run this adds the process, so that a schedule from a file can name threads that do not exist yet.
  ProcessIndex process_named(std::string_view path) const override { return executor_.announce(path); }
  std::string describe(const Operation& operation, const std::vector<HeapBlock>& heap) const override;
  std::string object(const Operation& operation, const std::vector<HeapBlock>& heap) const override;
  std::string value(std::uint64_t value, const Operation& operation, const std::vector<HeapBlock>& heap) const override;
  std::string variable(std::uint64_t address, const std::vector<HeapBlock>& heap) const override {
    return object_text(address, heap);
  }
  /// A site is a return address: the place is that of the call before it.
  CodePlace place(std::uint64_t site) const override;

  /// Whether a site is in the code of our own runtime.
  bool is_runtime(std::uint64_t site) const { return symbols_.is_runtime(site - 1); }
  /// For a closure: whether the test framework takes the step, on behalf of the test.
  bool is_framework(std::uint64_t site) const {
    return executor_.configuration().zygote != nullptr && symbols_.is_framework(site - 1);
  }
  /// Whether it is in the destructor or the assignment of std::thread.
  bool is_in_thread_end(std::uint64_t site) const { return site != 0 && symbols_.is_in_thread_end(site - 1); }
  /// The range of the function that contains a site; empty if there is none.
  protocol::CodeRange function(std::uint64_t site) const { return symbols_.function(site - 1); }

 private:
  std::string thread(std::uint64_t index) const;
  std::string message_text(const Operation& operation) const;
  /// Replaces the name of a variable of the runtime by words; returns all others unchanged.
  std::string runtime_text(const std::string& name) const;
  /// The name of what is at an address; `whole` is its class, if known.
  std::string object_text(std::uint64_t address, const std::vector<HeapBlock>& heap, std::string_view whole = {}) const;
  /// A variable of a function that was running; empty if unknown, or if several had that place one after another.
  Symbols::Variable stack_variable(std::uint64_t address, const std::vector<HeapBlock>& heap,
                                   std::string_view whole) const;
  /// A variable of the program or of a function; without a name if there is none.
  Symbols::Variable find_variable(std::uint64_t address, const std::vector<HeapBlock>& heap,
                                  std::string_view whole) const;
  /// The name of an address in a known heap block; empty if there is none.
  std::string heap_text(std::uint64_t address, const std::vector<HeapBlock>& heap) const;

  /// The same for variables of static lifetime and those of main.
  Symbols::Variable find_lasting(std::uint64_t address, std::string_view whole) const;
  ScalarType type_at(std::uint64_t address, const std::vector<HeapBlock>& heap) const;

  ProgramExecutor& executor_;
  Symbols symbols_;
  mutable std::map<std::uint64_t, std::optional<ScalarType>> lasting_types_;  ///< cache
  enum class RuntimeWord : std::uint8_t { PendingSignals, SharedState };
  mutable std::map<std::uint64_t, RuntimeWord> runtime_words_;  ///< those of them that belong to the runtime
};

}  // namespace mazurka::program
