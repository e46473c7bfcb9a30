/* Libraries that are loaded after the start of main, and crashes inside them. The first argument names the scenario. */
#include <assert.h>
#include <dlfcn.h>
#include <pthread.h>
#include <regex.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

static atomic_int sum;

/* The library has a variable that a call changes: it must be as new in the next execution. */
static void* use(void* p) {
  void* library = dlopen("libm.so.6", RTLD_NOW);
  assert(library != NULL && dlopen("libm.so.6", RTLD_NOW) == library);
  double (*logarithm)(double) = (double (*)(double))dlsym(library, "lgamma");
  int* sign = (int*)dlsym(library, "signgam");
  if (p != NULL) assert(*sign == 0 && logarithm(-0.5) > 1 && *sign == -1);
  atomic_fetch_add(&sum, 1);
  dlclose(library);
  return p;
}
static void loads(void) {
  pthread_t t;
  pthread_create(&t, NULL, use, NULL);
  use(&t);
  pthread_join(t, NULL);
  printf("%d", sum);
}
static void finds_nothing(void) {
  assert(dlopen("libnowhere.so.7", RTLD_LAZY) == NULL && dlerror() != NULL);
  assert(dlopen(NULL, RTLD_LAZY) != NULL);
  printf("ok");
}

static void* compile(void* pattern) {
  regex_t expression;
  printf("compiling");
  regcomp(&expression, pattern, 0); /* crash */
  return pattern;
}
static void crashes(void) {
  pthread_t t;
  pthread_create(&t, NULL, compile, (void*)8);
  pthread_join(t, NULL);
}

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  if (strcmp(argv[1], "loads") == 0) loads();
  if (strcmp(argv[1], "finds_nothing") == 0) finds_nothing();
  if (strcmp(argv[1], "crashes") == 0) crashes();
  return 0;
}
