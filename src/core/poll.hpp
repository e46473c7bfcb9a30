// Lets long computations stop early, for a time limit or Ctrl-C. They count their work, in units of about one visited
// event, and ask whether to continue once per noticeable amount of work. So asking costs nothing, and the reaction
// comes within a fraction of a second however long an execution is.
#pragma once

#include <cstddef>
#include <functional>

namespace mazurka {

class Poll {
 public:
  using GoOn = std::function<bool()>;

  /// Starts a computation. \pre `go_on` outlives it.
  void begin(const GoOn& go_on) {
    go_on_ = &go_on;
    stopped_ = false;
  }
  /// Accounts for work that was done or is about to be. Returns false once the computation must stop, and ever after.
  bool spend(std::size_t work) {
    work_ += work;
    if (work_ >= kInterval) ask();
    return !stopped_;
  }
  bool stopped() const { return stopped_; }
  /// Stops the computation from inside.
  void stop() { stopped_ = true; }

  /// The cost of one executed step relative to one visited event.
  static constexpr std::size_t kPerStep = 16;

 private:
  static constexpr std::size_t kInterval = std::size_t{1} << 16;

  void ask() {
    work_ = 0;
    if (!stopped_ && go_on_ != nullptr && !(*go_on_)()) stopped_ = true;
  }

  const GoOn* go_on_ = nullptr;
  std::size_t work_ = 0;
  bool stopped_ = false;
};

}  // namespace mazurka
