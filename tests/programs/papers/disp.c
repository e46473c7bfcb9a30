/* DISP(S, R) of *Quasi-Optimal POR*: S servers with a mailbox each; in each of R rounds a picker runs through their
   numbers while main takes the number it finds and posts to that server. */
#include "args.h"

static pthread_mutex_t pick_mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t server_mutex[kMost];
static int picked;
static int in[kMost];
static int out[kMost];
static int servers;

static void* serve(void* argument) {
  const intptr_t i = (intptr_t)argument;
  pthread_mutex_lock(&server_mutex[i]);
  if (in[i] > 0) out[i] = in[i];
  pthread_mutex_unlock(&server_mutex[i]);
  return 0;
}

static void* pick(void* unused) {
  for (int x = 0; x < servers; ++x) {
    pthread_mutex_lock(&pick_mutex);
    picked = x;
    pthread_mutex_unlock(&pick_mutex);
  }
  return unused;
}

int main(int argc, char** argv) {
  servers = number(argc, argv, 1, 5);
  const int rounds = number(argc, argv, 2, 2);
  init_all(server_mutex, servers);
  for (int i = 0; i < servers; ++i) spawn(serve, i);
  for (int round = 0; round < rounds; ++round) {
    const pthread_t picker = spawn(pick, 0);
    pthread_mutex_lock(&pick_mutex);
    const int target = picked;
    pthread_mutex_unlock(&pick_mutex);
    pthread_mutex_lock(&server_mutex[target]);
    ++in[target];
    pthread_mutex_unlock(&server_mutex[target]);
    pthread_join(picker, 0);
  }
  pthread_exit(0);
}
