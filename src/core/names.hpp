// What the parts of a system are called. Explorers need no names; reports, drawings and saved schedules do.
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
  /// What the first process executes.
  virtual std::string entry() const { return "main"; }
  /// The process of this name, which is the same in every run of the tool; kNoProcess where there can be none.
  virtual ProcessIndex process_named(std::string_view name) const = 0;

  /// An operation in words: `lock m`, `phil0 acq_fork0 (fork0: free -> held)`. `heap` is that of its execution
  /// (Execution::heap): objects on the heap have no names but where they were allocated.
  virtual std::string describe(const Operation& operation, const std::vector<HeapBlock>& heap) const = 0;
  /// The name of what it acts on: a variable, a server, a process; empty where it acts on nothing shared.
  virtual std::string object(const Operation& operation, const std::vector<HeapBlock>& heap) const = 0;
  /// The name of what lies at an address, outside the heap; the address itself where there is none.
  virtual std::string variable(std::uint64_t address, const std::vector<HeapBlock>& heap) const;
  /// What an operation found or left: a number, the name of an enumerator, or what a pointer points to.
  virtual std::string value(std::uint64_t value, const Operation& operation, const std::vector<HeapBlock>& heap) const;
  /// Where in the code a site is; empty for systems without code, and for site 0.
  virtual CodePlace place(std::uint64_t site) const;
};

}  // namespace mazurka
