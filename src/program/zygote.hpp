// Workers for the closure of a unit test. They are not programs that are started, but forks of a process that stays at
// the point from which the closure is executed: it clones them as children of this process
// (runtime/worker/closure.hpp).
#pragma once

#include <cstdint>
#include <string_view>

#include <sys/types.h>

namespace mazurka::program {

class Zygote {
 public:
  /// `descriptor:process`, as the test says it on the command line. Throws InputError if it is not that.
  explicit Zygote(std::string_view words);
  /// Ends the process and waits for it.
  ~Zygote();
  Zygote(const Zygote&) = delete;
  Zygote& operator=(const Zygote&) = delete;

  struct Child {
    pid_t process;
    int backup_file;  ///< the number of that descriptor there
  };
  /// A new worker for this channel of a segment. Throws InputError if there is none.
  Child fork(std::uint32_t channel, int segment, int backup);
  /// The process that stays there.
  pid_t process() const { return process_; }

 private:
  int socket_ = -1;
  pid_t process_ = 0;
};

}  // namespace mazurka::program
