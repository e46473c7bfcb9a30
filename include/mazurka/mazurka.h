/* The interface for programs under test. Programs also run without Mazurka's explorer: choices are then 0.
 *
 * The functions come from the runtime that `mazurka cc` and `mazurka c++` link. */
#ifndef MAZURKA_H
#define MAZURKA_H

#ifdef __cplusplus
extern "C" {
#endif

/* Returns one of 0, 1, ..., alternatives - 1: Mazurka explores each of them. */
unsigned mazurka_choose(unsigned alternatives);

/* Restricts the exploration to executions in which `condition` is nonzero: otherwise the thread stops here forever. If
 * the condition depends on a value just read from an atomic variable, the thread waits until the condition holds. */
void mazurka_assume(int condition);

/* An atomic section: no other thread runs between begin and end. All choices inside are explored. If an assumption
 * fails inside, the section has no effect and its thread stops; this is refused if the section has locked, signalled,
 * created or freed anything before. A section that blocks is an error. Functions named __VERIFIER_atomic_... are
 * sections too.
 */
void mazurka_atomic_begin(void);
void mazurka_atomic_end(void);

/* A scheduling point without effect. */
void mazurka_yield(void);

/* Declares a goal: some execution must call mazurka_reached with its name. `mazurka check` lists the goals that no
 * execution reaches, to distinguish "no bug" from "nothing happened"; with --strict it fails. Names that were not
 * declared as goals are ignored. A name has at most 119 characters. */
void mazurka_goal(const char* name);
void mazurka_reached(const char* name);

/* The range of values that the __VERIFIER_nondet_ functions below return: lowest, ..., highest. `mazurka check
 * --nondet=lo..hi` sets it for programs that do not call this. A nondeterministic pointer is null or dangling. */
void mazurka_nondet_range(long lowest, long highest);

/* The interface of the software verification competition (SV-COMP). */
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

/* An atomic section for the lifetime of the object. */
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
