/* A choice inside an atomic section: every alternative is explored. */
#include <mazurka/mazurka.h>
int main() {
  mazurka_atomic_begin();
  unsigned chosen = mazurka_choose(2);
  mazurka_atomic_end();
  if (chosen) __VERIFIER_error();
  return 0;
}
