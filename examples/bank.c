// A transfer that checks the balance, and then takes the money, each under the lock, but not both under one.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int balance = 100;

static int enough(int amount) {
  pthread_mutex_lock(&lock);
  int result = balance >= amount;
  pthread_mutex_unlock(&lock);
  return result;
}

static void* withdraw(void* unused) {
  (void)unused;
  if (enough(80)) {
    pthread_mutex_lock(&lock);
    balance -= 80;
    assert(balance >= 0);
    pthread_mutex_unlock(&lock);
  }
  return 0;
}

int main(void) {
  pthread_t alice, bob;
  pthread_create(&alice, 0, withdraw, 0);
  pthread_create(&bob, 0, withdraw, 0);
  pthread_join(alice, 0);
  pthread_join(bob, 0);
}
