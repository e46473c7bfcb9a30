// Names for addresses of a program: function and `file:line` of code, name of a global variable, from its debug
// information and symbol table (elfutils' libdw). Addresses are relative to where the program's image begins.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "core/code_place.hpp"
#include "program/protocol.hpp"

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
  /// `counter`, or `queue.slots[3]` for a place inside it (`queue+24` without debug information); empty where no
  /// variable is there.
  std::string variable(std::uint64_t address) const;
  /// The same for a variable of main, by its distance from where main's frame begins.
  std::string local(std::int64_t distance) const;
  /// The same for a variable of the function that is at this address of the code.
  std::string local(std::uint64_t address, std::int64_t distance) const;
  /// Whether code belongs to our own runtime.
  bool is_runtime(std::uint64_t address) const;
  /// Whether code belongs to the destructor or the assignment of std::thread, inlined or not.
  bool is_in_thread_end(std::uint64_t address) const;

 private:
  std::string find_runtime_folder() const;

  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace mazurka::program
