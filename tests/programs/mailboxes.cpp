// One scenario per use of a mailbox, chosen by the first argument. What main prints at its end, over all schedules, is
// what src/program/programs_test.cpp expects.
#include <chrono>
#include <cstdio>
#include <cstring>
#include <string>
#include <thread>
#include <variant>

#include <mazurka/mailbox.hpp>
#include <mazurka/mazurka.h>

namespace {

using namespace std::chrono_literals;

/// Two threads that send one number each.
template <class Receive>
void with_two_senders(Receive receive) {
  mazurka::Mailbox<int> mailbox;
  std::thread one([&] { mailbox.send(1); });
  std::thread two([&] { mailbox.send(2); });
  receive(mailbox);
  one.join();
  two.join();
}

void order() {
  with_two_senders([](auto& mailbox) {
    const int first = mailbox.receive();
    std::printf("%d%d", first, mailbox.receive());
  });
}

void predicate() {
  with_two_senders([](auto& mailbox) {
    const int two = mailbox.receive_if([](int value) { return value == 2; });
    std::printf("%d%d", two, mailbox.receive());
  });
}

void timeout() {
  with_two_senders([](auto& mailbox) {
    const auto first = mailbox.receive_for(1s);
    const auto second = mailbox.try_receive();
    std::printf("%d%d", first.value_or(0), second.value_or(0));
  });
}

void timed_predicate() {
  with_two_senders([](auto& mailbox) {
    const auto is_two = [](int value) { return value == 2; };
    const auto two = mailbox.receive_for_if(1s, is_two);
    std::printf("%d%d", two.value_or(0), mailbox.receive());
  });
}

struct Question {
  int number;
};
struct Answer {
  std::string text;
};

void variants() {
  mazurka::Mailbox<std::variant<Question, Answer>> mailbox;
  std::thread one([&] { mailbox.send(Question{1}); });
  std::thread two([&] { mailbox.send(Answer{"a text that is too long to be stored in place"}); });
  std::thread three([&] { mailbox.send(Question{3}); });
  const Answer answer = mailbox.receive<Answer>();
  const Question question = mailbox.receive<Question>();
  std::printf("%c%d", answer.text[0], question.number);
  one.join();
  two.join();
  three.join();  // one message is left, and goes with the mailbox
}

/// What was written before a message was sent may be read after it was received.
void handed_over() {
  mazurka::Mailbox<int*> mailbox;
  int value = 0;
  std::thread sender([&] {
    value = 7;
    mailbox.send(&value);
  });
  std::printf("%d", *mailbox.receive());
  sender.join();
}

void written_too_late() {
  mazurka::Mailbox<int*> mailbox;
  int value = 0;
  std::thread sender([&] {
    mailbox.send(&value);
    value = 7;
  });
  std::printf("%d", *mailbox.receive());
  sender.join();
}

void deadlock() {
  mazurka::Mailbox<std::variant<Question, Answer>> mailbox;
  std::thread sender([&] { mailbox.send(Question{1}); });
  mailbox.receive<Answer>();
  sender.join();
}

void foreign() {
  mazurka::Mailbox<int> mailbox;
  mailbox.send(1);
  mailbox.send(2);
  mailbox.receive();
  std::thread other([&] { mailbox.receive(); });
  other.join();
}

void destroyed() {
  mazurka_mailbox* const mailbox = mazurka_mailbox_create();
  std::thread sender([=] { mazurka_mailbox_send(mailbox, 0, "", 0); });
  mazurka_mailbox_destroy(mailbox, nullptr);
  sender.join();
  std::printf("ok");
}

void section() {
  mazurka::Mailbox<int> mailbox;
  std::thread other([] {});
  mazurka_atomic_begin();
  mailbox.send(1);
  mazurka_atomic_end();
  other.join();
}

constexpr struct {
  const char* name;
  void (*run)();
} kScenarios[] = {
    {"order", order},
    {"predicate", predicate},
    {"timeout", timeout},
    {"variants", variants},
    {"handed_over", handed_over},
    {"written_too_late", written_too_late},
    {"deadlock", deadlock},
    {"foreign", foreign},
    {"destroyed", destroyed},
    {"section", section},
    {"timed_predicate", timed_predicate},
};

}  // namespace

int main(int argc, char** argv) {
  for (const auto& scenario : kScenarios)
    if (argc > 1 && std::strcmp(argv[1], scenario.name) == 0) {
      scenario.run();
      return 0;
    }
  return 2;
}
