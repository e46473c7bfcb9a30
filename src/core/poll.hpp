// Long computations stop when they are told to: a time limit, Ctrl-C. They count the work they do, in units of about an
// event looked at, and ask whether to go on each time it has become enough to be felt. So the question costs nothing,
// and the answer is heard within a fraction of a second however long an execution is.
#pragma once

#include <cstddef>
#include <functional>

namespace mazurka {

class Poll {
 public:
  using GoOn = std::function<bool()>;

  /// A computation begins. \pre `go_on` outlives it.
  void begin(const GoOn& go_on) {
    go_on_ = &go_on;
    stopped_ = false;
  }
  /// Notes that so much work was done or is about to be. False once it is time to stop, and for ever after.
  bool spend(std::size_t work) {
    work_ += work;
    if (work_ >= kInterval) ask();
    return !stopped_;
  }
  bool stopped() const { return stopped_; }
  /// Ends the computation from inside.
  void stop() { stopped_ = true; }

  /// What a run of the executor costs compared to a look at each of its events.
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
