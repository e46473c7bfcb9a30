// Names for addresses of a program: function and `file:line` of code, name of a global variable, from its debug
// information and symbol table (elfutils' libdw). Addresses are relative to where the program's image begins.
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
  /// Throws InputError where the file is not a program.
  explicit Symbols(const std::string& binary);
  ~Symbols();
  Symbols(const Symbols&) = delete;
  Symbols& operator=(const Symbols&) = delete;

  /// Where code was inlined from system headers, the place that uses them.
  CodePlace code(std::uint64_t address) const;
  /// The whole function that an address belongs to; empty where there is none.
  protocol::CodeRange function(std::uint64_t address) const;
  struct Variable {
    std::string name;  ///< `counter`, or `queue.slots[3]` for a place inside it (`queue+24` without debug information)
    ScalarType type;
  };
  /// The variable at an address, or the part of one; without a name where there is none. `whole` is the class of what
  /// is there, if that is known: an object begins where its first member does.
  Variable variable(std::uint64_t address, std::string_view whole = {}) const;
  /// The same for a variable of main, by its distance from where main's frame begins.
  Variable local(std::int64_t distance, std::string_view whole = {}) const;
  /// The same for a variable of the function that is at this address of the code.
  Variable local(std::uint64_t address, std::int64_t distance, std::string_view whole = {}) const;
  /// Whether code belongs to our own runtime.
  bool is_runtime(std::uint64_t address) const;
  /// Whether the code belongs to a test framework, or to what joins Mazurka to it (<mazurka/test.hpp>).
  bool is_framework(std::uint64_t address) const;
  /// Whether code belongs to the destructor or the assignment of std::thread, inlined or not.
  bool is_in_thread_end(std::uint64_t address) const;

 private:
  CodePlace find_code(std::uint64_t address) const;
  bool find_in_runtime(std::uint64_t address) const;
  std::string find_runtime_folder() const;

  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace mazurka::program
