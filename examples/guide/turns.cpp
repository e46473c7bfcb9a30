// Two players who take turns for ever.
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex mutex;
std::condition_variable changed;
int turn = 0;
int playing = 0;

void play(int me) {
  for (;;) {
    std::unique_lock<std::mutex> lock(mutex);
    changed.wait(lock, [me] { return turn == me; });
    assert(playing == 0);
    ++playing;
    turn = 1 - me;
    --playing;
    changed.notify_one();
  }
}

int main() {
  std::thread other([] { play(1); });
  play(0);
}
