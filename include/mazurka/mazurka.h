/* What a program under test may ask of Mazurka. Everything works without Mazurka's explorer too: choices are then 0.
 *
 * The functions come from the runtime that `mazurka cc` and `mazurka c++` link. */
#ifndef MAZURKA_H
#define MAZURKA_H

#ifdef __cplusplus
extern "C" {
#endif

/* One of 0, 1, ..., alternatives - 1: every one is explored. */
unsigned mazurka_choose(unsigned alternatives);

/* Only executions in which `condition` is not zero are of interest: otherwise the thread stops here for ever. On a
 * value that was just read from an atomic variable it is a wait for that value. */
void mazurka_assume(int condition);

/* What happens between begin and end, nobody can interrupt. All choices inside are explored. Where an assumption fails
 * inside, the section has no effect and its thread stops; that is refused if the section has locked, signalled, created
 * or freed anything before. A section that blocks is an error. Functions named __VERIFIER_atomic_... are sections too.
 */
void mazurka_atomic_begin(void);
void mazurka_atomic_end(void);

/* A step without effect. */
void mazurka_yield(void);

/* Some execution must come by mazurka_reached with the name of a goal; `mazurka check` lists the goals that none
 * reaches, so that "no bug" can be told from "nothing happened", and fails with --strict. What is not declared as a
 * goal is not missed. A name has at most 119 characters. */
void mazurka_goal(const char* name);
void mazurka_reached(const char* name);

/* The values that the __VERIFIER_nondet_ functions below take: lowest, ..., highest. `mazurka check --nondet=lo..hi`
 * says it for programs that do not call this. A pointer is null, or one that nothing lies at. */
void mazurka_nondet_range(long lowest, long highest);

/* The names of the software verification competition. */
void __VERIFIER_assume(int condition);
void __VERIFIER_error(void) __attribute__((noreturn));
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
#ifdef __cplusplus
bool __VERIFIER_nondet_bool(void);
#else
_Bool __VERIFIER_nondet_bool(void);
#endif
char __VERIFIER_nondet_char(void);
unsigned char __VERIFIER_nondet_uchar(void);
short __VERIFIER_nondet_short(void);
unsigned short __VERIFIER_nondet_ushort(void);
int __VERIFIER_nondet_int(void);
unsigned __VERIFIER_nondet_uint(void);
long __VERIFIER_nondet_long(void);
unsigned long __VERIFIER_nondet_ulong(void);
long long __VERIFIER_nondet_longlong(void);
unsigned long long __VERIFIER_nondet_ulonglong(void);
unsigned __VERIFIER_nondet_unsigned(void);
unsigned __VERIFIER_nondet_u32(void);
unsigned long __VERIFIER_nondet_size_t(void);
long long __VERIFIER_nondet_loff_t(void);
float __VERIFIER_nondet_float(void);
double __VERIFIER_nondet_double(void);
void* __VERIFIER_nondet_pointer(void);
char* __VERIFIER_nondet_pchar(void);
void reach_error(void);

#ifdef __cplusplus
}

namespace mazurka {

inline unsigned choose(unsigned alternatives) { return mazurka_choose(alternatives); }
inline void assume(bool condition) { mazurka_assume(condition ? 1 : 0); }
inline void yield() { mazurka_yield(); }
inline void goal(const char* name) { mazurka_goal(name); }
inline void reached(const char* name) { mazurka_reached(name); }

/* The life of such an object is an atomic section. */
class AtomicSection {
 public:
  AtomicSection() { mazurka_atomic_begin(); }
  ~AtomicSection() { mazurka_atomic_end(); }
  AtomicSection(const AtomicSection&) = delete;
  AtomicSection& operator=(const AtomicSection&) = delete;
};

}  // namespace mazurka
#endif

#endif
