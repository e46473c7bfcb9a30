/* Explores a closure from inside a test. <mazurka/test.hpp> is the convenient C++ interface to this.
 *
 * The functions come from the runtime that `mazurka cc` and `mazurka c++` link. */
#ifndef MAZURKA_CLOSURE_H
#define MAZURKA_CLOSURE_H

#ifdef __cplusplus
extern "C" {
#endif

struct mazurka_exploration {
  void (*closure)(void*); /* run once per execution, each time from the state at the call */
  void* argument;
  const char* const* options; /* options of `mazurka check`, as --name or --name=value; null-terminated */
  const char* explorer;       /* the path of `mazurka`; null: searched for in PATH */
  void (*prepare)(void);      /* called once in each worker, before the closure; may be null */
};

enum mazurka_verdict {
  MAZURKA_OK = 0,
  MAZURKA_BUG = 1,
  MAZURKA_ERROR = 2,      /* the closure could not be explored: the report says why */
  MAZURKA_INCOMPLETE = 3, /* no bug, but not everything was explored */
};

struct mazurka_explored {
  enum mazurka_verdict verdict;
  int complete; /* whether everything was explored */
  unsigned long long executions;
  unsigned long long blocked;
  unsigned long long cut;
  unsigned long long errors;
  unsigned long long goals_missed;
  double seconds;
  char* report; /* the caller frees it */
};

/* Explores the closure. Options in the environment variable MAZURKA_OPTIONS override options of the same name; the
 * environment variable MAZURKA overrides the path of the explorer. A nested call, inside an execution that is being
 * explored, just runs the closure. */
void mazurka_explore(const struct mazurka_exploration* what, struct mazurka_explored* result);

/* Fails the current execution like a failed assertion with this message. Outside of an execution, ends the process. */
void mazurka_fail(const char* message) __attribute__((noreturn));
/* Whether the caller runs inside an execution that is being explored. */
int mazurka_is_exploring(void);

/* As proposed for ThreadSanitizer: explores the callback, prints the report, and returns 0 if the verdict is ok. */
int __tsan_simulate(void (*callback)(void*), void* argument);

#ifdef __cplusplus
}
#endif

#endif
