/* How a test asks for the exploration of a closure; <mazurka/test.hpp> is the convenient way to it.
 *
 * The functions come from the runtime that `mazurka cc` and `mazurka c++` link. */
#ifndef MAZURKA_CLOSURE_H
#define MAZURKA_CLOSURE_H

#ifdef __cplusplus
extern "C" {
#endif

struct mazurka_exploration {
  void (*closure)(void*); /* is executed as often as needed, each time from the state at the call */
  void* argument;
  const char* const* options; /* of `mazurka check`, as --name or --name=value; ends with a null pointer */
  const char* explorer;       /* the path of `mazurka`; null: it is looked for in PATH */
  void (*prepare)(void);      /* called once in each worker, before the closure; may be null */
};

enum mazurka_verdict {
  MAZURKA_OK = 0,
  MAZURKA_BUG = 1,
  MAZURKA_ERROR = 2,      /* nothing was explored, or not to the end: the report says why */
  MAZURKA_INCOMPLETE = 3, /* no bug so far, but not everything was explored */
};

struct mazurka_explored {
  enum mazurka_verdict verdict;
  int complete; /* everything was explored */
  unsigned long long executions;
  unsigned long long blocked;
  unsigned long long cut;
  unsigned long long errors;
  unsigned long long goals_missed;
  double seconds;
  char* report; /* to be freed */
};

/* Words in the environment variable MAZURKA_OPTIONS replace options of the same name. The explorer is what the
 * environment variable MAZURKA names, if it is set. Inside an execution that is explored already, the closure just
 * runs. */
void mazurka_explore(const struct mazurka_exploration* what, struct mazurka_explored* result);

/* Ends the execution as a failed assertion, at a place that the caller knows. Outside of one, it ends the process. */
void mazurka_fail(const char* message) __attribute__((noreturn));
/* Whether this is an execution that is explored. */
int mazurka_is_exploring(void);

/* As proposed for ThreadSanitizer: explores the callback, prints what is found, and returns 0 if all is well. */
int __tsan_simulate(void (*callback)(void*), void* argument);

#ifdef __cplusplus
}
#endif

#endif
