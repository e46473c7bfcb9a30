// Names for addresses of a program: function and `file:line` of code, names of global variables, from its debug
// information and symbol table (elfutils' libdw). Addresses are relative to the load base.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "core/code_place.hpp"
#include "program/protocol.hpp"
#include "program/scalar_type.hpp"

namespace mazurka::program {

class Symbols {
 public:
  /// Throws InputError if the file is not a program.
  explicit Symbols(const std::string& binary);
  ~Symbols();
  Symbols(const Symbols&) = delete;
  Symbols& operator=(const Symbols&) = delete;

  /// For code inlined from system headers, the place that uses it.
  CodePlace code(std::uint64_t address) const;
  /// The range of the function that contains an address; empty if there is none.
  protocol::CodeRange function(std::uint64_t address) const;
  struct Variable {
    std::string name;  ///< `counter`, or `queue.slots[3]` for a part of it (`queue+24` without debug information)
    ScalarType type;
  };
  /// The variable or part of a variable at an address; without a name if there is none. `whole` is the class of the
  /// object there, if known: an object has the address of its first member.
  Variable variable(std::uint64_t address, std::string_view whole = {}) const;
  /// The same for a variable of main, by its offset from the start of main's frame.
  Variable local(std::int64_t distance, std::string_view whole = {}) const;
  /// The same for a variable of the function at this code address.
  Variable local(std::uint64_t address, std::int64_t distance, std::string_view whole = {}) const;
  /// Whether the code belongs to our own runtime.
  bool is_runtime(std::uint64_t address) const;
  /// Whether the code belongs to a test framework, or to the glue between Mazurka and it (<mazurka/test.hpp>).
  bool is_framework(std::uint64_t address) const;
  /// Whether the code belongs to the destructor or the assignment of std::thread, inlined or not.
  bool is_in_thread_end(std::uint64_t address) const;

 private:
  CodePlace find_code(std::uint64_t address) const;
  bool find_in_runtime(std::uint64_t address) const;
  std::string find_runtime_folder() const;

  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace mazurka::program
