// Workers for the closure of a unit test. They are forks of a process, the zygote, that stays at the point from which
// the closure is executed: it clones them as children of this process (runtime/worker/closure.hpp).
#pragma once

#include <cstdint>
#include <string_view>

#include <sys/types.h>

namespace mazurka::program {

class Zygote {
 public:
  /// Parses `descriptor:process` from the command line. Throws InputError if it is malformed.
  explicit Zygote(std::string_view words);
  /// Kills the zygote and waits for it.
  ~Zygote();
  Zygote(const Zygote&) = delete;
  Zygote& operator=(const Zygote&) = delete;

  struct Child {
    pid_t process;
    int backup_file;  ///< the descriptor of the backup file there
  };
  /// Forks a worker for this channel of a segment. Throws InputError on failure.
  Child fork(std::uint32_t channel, int segment, int backup);
  /// The pid of the zygote.
  pid_t process() const { return process_; }

 private:
  int socket_ = -1;
  pid_t process_ = 0;
};

}  // namespace mazurka::program
