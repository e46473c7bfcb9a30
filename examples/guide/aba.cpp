// A stack of free nodes, without locks. pop() believes that nothing has happened if the top is the node it was before.
#include <atomic>
#include <cassert>
#include <thread>

struct Node {
  std::atomic<Node*> next;
  std::atomic<int> owners{0};
};

Node c{nullptr}, b{&c}, a{&b};
std::atomic<Node*> top{&a};

void push(Node* node) {
  node->owners--;
  Node* old = top;
  do node->next = old;
  while (!top.compare_exchange_weak(old, node));
}

Node* pop() {
  Node* old = top;
  while (!top.compare_exchange_weak(old, old->next)) {
  }
  int owners = ++old->owners;
  assert(owners == 1);
  return old;
}

int main() {
  std::thread taker([] { pop(); });
  Node* first = pop();
  pop();
  push(first);
  taker.join();
  pop();
}
