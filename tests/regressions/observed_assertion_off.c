/* The same without its assertion, so that classes are compared: 130 up to the order of stores that nobody observes. */
#define NDEBUG
#include "observed_assertion.c"
