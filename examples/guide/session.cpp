// A session that one thread closes while another is between finding and using it. Every access is under the lock.
#include <mutex>
#include <thread>

struct Session {
  int requests = 0;
};

std::mutex mutex;
Session* current;

Session* find() {
  std::lock_guard<std::mutex> lock(mutex);
  return current;
}

void serve(Session* session) {
  std::lock_guard<std::mutex> lock(mutex);
  session->requests++;
}

void close() {
  std::lock_guard<std::mutex> lock(mutex);
  delete current;
  current = nullptr;
}

int main() {
  current = new Session;
  std::thread server([] {
    if (Session* session = find()) serve(session);
  });
  close();
  server.join();
}
