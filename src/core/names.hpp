// Names for the parts of a system. Explorers work on indices and addresses; reports, drawings and saved schedules need
// names.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/code_place.hpp"
#include "core/heap_block.hpp"
#include "core/operation.hpp"
#include "core/process.hpp"

namespace mazurka {

class Names {
 public:
  Names() = default;
  Names(const Names&) = delete;
  Names& operator=(const Names&) = delete;
  virtual ~Names() = default;

  virtual std::string process_name(ProcessIndex process) const = 0;
  /// The function that the first process executes.
  virtual std::string entry() const { return "main"; }
  /// The process with this name, which is the same in every run of the tool; kNoProcess if there is none.
  virtual ProcessIndex process_named(std::string_view name) const = 0;

  /// A text for an operation: `lock m`, `phil0 acq_fork0 (fork0: free -> held)`. `heap` is Execution::heap; heap
  /// objects are named after their allocation site.
  virtual std::string describe(const Operation& operation, const std::vector<HeapBlock>& heap) const = 0;
  /// The name of the object it acts on: a variable, a server, a process; empty if it acts on nothing shared.
  virtual std::string object(const Operation& operation, const std::vector<HeapBlock>& heap) const = 0;
  /// The name of the variable at an address outside the heap; the address itself if there is none.
  virtual std::string variable(std::uint64_t address, const std::vector<HeapBlock>& heap) const;
  /// A value that an operation found or left, as text: a number, the name of an enumerator, or the target of a pointer.
  virtual std::string value(std::uint64_t value, const Operation& operation, const std::vector<HeapBlock>& heap) const;
  /// The source location of a site; empty for systems without code, and for site 0.
  virtual CodePlace place(std::uint64_t site) const;
};

}  // namespace mazurka
