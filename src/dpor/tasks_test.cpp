#include "dpor/tasks.hpp"

#include <vector>

#include <gtest/gtest.h>

namespace mazurka::dpor {
namespace {

/// The target of a process whose next event is this one.
Target before_event(EventIndex next) { return {0, kNoEvent, next, nullptr, 0, true}; }

struct Log {
  std::vector<EventIndex> performed;  ///< after which prefixes
};

TEST(TaskQueue, LongPrefixesComeFirstAndTheRestInOrder) {
  Poll poll;
  Log log;
  std::vector<EventIndex> targets;
  TaskQueue queue(poll, [&](const Task& task) {
    log.performed.push_back(task.at());
    targets.push_back(task.target.next);
  });
  queue.begin(8);
  queue.add(Task::Kind::Race, before_event(5), 2);
  queue.add(Task::Kind::Race, before_event(7), 4);
  queue.add(Task::Kind::Race, before_event(6), 2);
  queue.add(Task::Kind::Other, before_event(4), kNoEvent);
  queue.perform_all();
  EXPECT_EQ(log.performed, (std::vector<EventIndex>{4, 4, 2, 2}));
  EXPECT_EQ(targets, (std::vector<EventIndex>{7, 4, 5, 6}));
  queue.perform_all();
  EXPECT_EQ(log.performed.size(), 4U) << "each is performed once";
}

TEST(TaskQueue, StopsWithThePoll) {
  Poll poll;
  Log log;
  TaskQueue queue(poll, [&](const Task& task) {
    log.performed.push_back(task.at());
    poll.stop();
  });
  queue.begin(8);
  for (EventIndex i = 0; i < 4; ++i) queue.add(Task::Kind::Race, before_event(7), i);
  queue.perform_all();
  EXPECT_EQ(log.performed, (std::vector<EventIndex>{3}));
}

TEST(TaskQueue, PerformsAllOfMoreThanItHolds) {
  Poll poll;
  Log log;
  TaskQueue queue(poll, [&](const Task& task) { log.performed.push_back(task.at()); });
  queue.begin(8);
  constexpr std::size_t kMany = 70'000;
  for (std::size_t i = 0; i < kMany; ++i) queue.add(Task::Kind::Race, before_event(7), static_cast<EventIndex>(i % 7));
  queue.perform_all();
  EXPECT_EQ(log.performed.size(), kMany);
}

}  // namespace
}  // namespace mazurka::dpor
