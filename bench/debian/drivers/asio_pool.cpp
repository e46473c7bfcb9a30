// Asio's thread pool. With two threads, what is posted runs once. With one and -DSTRAND, what main posts through a
// strand while the thread runs it runs in order.
#include <cassert>

#include <asio/post.hpp>
#include <asio/strand.hpp>
#include <asio/thread_pool.hpp>

int main() {
  int done = 0;
  {
#ifdef STRAND
    asio::thread_pool pool(1);
    auto strand = asio::make_strand(pool);
    asio::post(strand, [&] {
      assert(done == 0);
      done = 1;
    });
    asio::post(strand, [&] {
      assert(done == 1);
      done = 2;
    });
#else
    asio::thread_pool pool(2);
    asio::post(pool, [&] { done += 2; });
#endif
    pool.join();
  }
  assert(done == 2);
}
