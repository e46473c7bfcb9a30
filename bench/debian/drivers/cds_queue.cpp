// libcds: a producer and a consumer besides main. Nothing is lost, first in, first out.
//   -DMICHAEL_SCOTT   the queue of Michael and Scott, freed nodes kept by hazard pointers
//   -DVYUKOV          the bounded queue of Vyukov
#include <cassert>
#include <thread>

#include <cds/gc/hp.h>
#include <cds/init.h>
#ifdef MICHAEL_SCOTT
#include <cds/container/msqueue.h>
using Queue = cds::container::MSQueue<cds::gc::HP, int>;
#else
#include <cds/container/vyukov_mpmc_cycle_queue.h>
using Queue = cds::container::VyukovMPMCCycleQueue<int>;
#endif

int main() {
  cds::Initialize();
  {
    cds::gc::HP hazard_pointers(8, 4);
    cds::threading::Manager::attachThread();
    {
#ifdef MICHAEL_SCOTT
      Queue queue;
#else
      Queue queue(4);
#endif
      std::thread producer([&queue] {
        cds::threading::Manager::attachThread();
        for (int i = 1; i <= 2; ++i) {
          const bool enqueued = queue.enqueue(i);
          assert(enqueued);
        }
        cds::threading::Manager::detachThread();
      });
      int value = 0, expected = 1;
      if (queue.dequeue(value)) assert(value == expected++);
      producer.join();
      while (queue.dequeue(value)) assert(value == expected++);
      assert(expected == 3);
    }
    cds::threading::Manager::detachThread();
  }
  cds::Terminate();
}
