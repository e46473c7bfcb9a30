#include <array>

#include "pairs/feature.hpp"

namespace mazurka::pairs {
namespace {

constexpr std::array kFeatures = {
    // Locks.
    Feature{"mutex", "static pthread_mutex_t m# = PTHREAD_MUTEX_INITIALIZER;", "",
            "pthread_mutex_lock(&m#); @ pthread_mutex_unlock(&m#);", ""},
    Feature{"trylock", "static pthread_mutex_t m# = PTHREAD_MUTEX_INITIALIZER;", "",
            "if (N(pthread_mutex_trylock(&m#)) == 0) { @ pthread_mutex_unlock(&m#); }",
            "pthread_mutex_lock(&m#); @ pthread_mutex_unlock(&m#);"},
    Feature{"kept-lock", "static pthread_mutex_t m# = PTHREAD_MUTEX_INITIALIZER;", "", "pthread_mutex_lock(&m#); @",
            ""},
    Feature{"recursive", "static pthread_mutex_t m# = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;", "",
            "pthread_mutex_lock(&m#); N(pthread_mutex_trylock(&m#)); @ pthread_mutex_unlock(&m#); "
            "pthread_mutex_unlock(&m#);",
            "if (N(pthread_mutex_trylock(&m#)) == 0) { @ pthread_mutex_unlock(&m#); }"},
    Feature{"errorcheck", "static pthread_mutex_t m# = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;", "",
            "N(pthread_mutex_lock(&m#)); N(pthread_mutex_lock(&m#)); @ N(pthread_mutex_unlock(&m#));",
            "N(pthread_mutex_unlock(&m#)); @"},
    Feature{"foreign-unlock", "static pthread_mutex_t m# = PTHREAD_MUTEX_INITIALIZER;", "",
            "pthread_mutex_lock(&m#); @ pthread_mutex_unlock(&m#);",
            "if (atomic_load(&x) == 1) pthread_mutex_unlock(&m#);"},
    Feature{"spin", "static pthread_spinlock_t k#;", "pthread_spin_init(&k#, 0);",
            "pthread_spin_lock(&k#); @ pthread_spin_unlock(&k#);",
            "if (N(pthread_spin_trylock(&k#)) == 0) { @ pthread_spin_unlock(&k#); }"},
    Feature{"rwlock", "static pthread_rwlock_t l# = PTHREAD_RWLOCK_INITIALIZER;", "",
            "pthread_rwlock_rdlock(&l#); @ pthread_rwlock_unlock(&l#);",
            "pthread_rwlock_wrlock(&l#); @ pthread_rwlock_unlock(&l#);"},
    Feature{"try-rwlock", "static pthread_rwlock_t l# = PTHREAD_RWLOCK_INITIALIZER;", "",
            "if (N(pthread_rwlock_tryrdlock(&l#)) == 0) { @ pthread_rwlock_unlock(&l#); }",
            "if (N(pthread_rwlock_trywrlock(&l#)) == 0) { @ pthread_rwlock_unlock(&l#); }"},
    Feature{"unheld-rwlock", "static pthread_rwlock_t l# = PTHREAD_RWLOCK_INITIALIZER;", "",
            "pthread_rwlock_rdlock(&l#); @ pthread_rwlock_unlock(&l#);", "pthread_rwlock_unlock(&l#); @"},
    // Conditions.
    Feature{"condition",
            "static pthread_mutex_t m# = PTHREAD_MUTEX_INITIALIZER; static pthread_cond_t c# = "
            "PTHREAD_COND_INITIALIZER; static int f#;",
            "", "pthread_mutex_lock(&m#); if (!f#) pthread_cond_wait(&c#, &m#); N(f#); pthread_mutex_unlock(&m#); @",
            "pthread_mutex_lock(&m#); f# = 1; pthread_cond_signal(&c#); pthread_mutex_unlock(&m#); @", "", false, true},
    Feature{"signal",
            "static pthread_mutex_t m# = PTHREAD_MUTEX_INITIALIZER; static pthread_cond_t c# = "
            "PTHREAD_COND_INITIALIZER;",
            "", "pthread_mutex_lock(&m#); pthread_cond_wait(&c#, &m#); @ pthread_mutex_unlock(&m#);",
            "@ pthread_cond_signal(&c#);", "", false, true},
    Feature{"broadcast",
            "static pthread_mutex_t m# = PTHREAD_MUTEX_INITIALIZER; static pthread_cond_t c# = "
            "PTHREAD_COND_INITIALIZER;",
            "", "pthread_mutex_lock(&m#); pthread_cond_wait(&c#, &m#); @ pthread_mutex_unlock(&m#);",
            "pthread_mutex_lock(&m#); @ pthread_cond_broadcast(&c#); pthread_mutex_unlock(&m#);", "", false, true},
    // Barriers, semaphores, once.
    Feature{"barrier", "static pthread_barrier_t b#;", "pthread_barrier_init(&b#, 0, 2);",
            "@ N(pthread_barrier_wait(&b#) == PTHREAD_BARRIER_SERIAL_THREAD);", ""},
    Feature{"barrier-rounds", "static pthread_barrier_t b#;", "pthread_barrier_init(&b#, 0, 2);",
            "pthread_barrier_wait(&b#); @ pthread_barrier_wait(&b#);", ""},
    Feature{"semaphore", "static sem_t s#;", "sem_init(&s#, 0, 0);", "sem_wait(&s#); @", "@ sem_post(&s#);"},
    Feature{"try-semaphore", "static sem_t s#;", "sem_init(&s#, 0, 1);", "if (N(sem_trywait(&s#)) == 0) { @ }",
            "sem_wait(&s#); @ sem_post(&s#);"},
    Feature{"semaphore-value", "static sem_t s#;", "sem_init(&s#, 0, 0);", "{ int v; sem_getvalue(&s#, &v); N(v); } @",
            "@ sem_post(&s#);"},
    Feature{"named-semaphore", "", "",
            "{ sem_t* s = sem_open(\"/mazurka-#\", O_CREAT, 0600, 0); @ N(sem_trywait(s)); }",
            "{ sem_t* s = sem_open(\"/mazurka-#\", O_CREAT, 0600, 1); @ N(sem_trywait(s)); }"},
    Feature{"once", "static pthread_once_t o# = PTHREAD_ONCE_INIT; static void o#_f(void) { enum { who = 90 + # }; @ }",
            "", "pthread_once(&o#, o#_f);", "pthread_once(&o#, o#_f); @"},
    // Futexes.
    Feature{"futex", "static atomic_int w#;", "", "N(futex(&w#, FUTEX_WAIT_PRIVATE, 0, 0)); @",
            "atomic_store(&w#, 1); N(futex(&w#, FUTEX_WAKE_PRIVATE, 1, 0)); @"},
    Feature{"futex-all", "static atomic_int w#;", "", "futex(&w#, FUTEX_WAIT_PRIVATE, 0, 0); N(w#); @",
            "@ N(futex(&w#, FUTEX_WAKE_PRIVATE, INT_MAX, 0));"},
    Feature{"timed-futex", "static atomic_int w#;", "", "N(futex(&w#, FUTEX_WAIT_PRIVATE, 0, &soon)); @",
            "@ N(futex(&w#, FUTEX_WAKE_PRIVATE, 1, 0));"},
    // Atomics and fences.
    Feature{"load-store", "static atomic_int v#;", "", "N(atomic_load(&v#)); @", "@ atomic_store(&v#, 1);"},
    Feature{"read-modify-write", "static atomic_int v#;", "", "N(atomic_fetch_add(&v#, 1)); @",
            "@ N(atomic_exchange(&v#, 5));"},
    Feature{"compare-exchange", "static atomic_int v#;", "",
            "{ int e = 0; N(atomic_compare_exchange_strong(&v#, &e, 1)); N(e); } @",
            "@ { int e = 1; N(atomic_compare_exchange_strong(&v#, &e, 2)); N(e); }"},
    Feature{"bytes", "static union { atomic_int word; atomic_char byte[4]; } u#;", "",
            "atomic_store(&u#.byte[1], 1); @ N(atomic_load(&u#.word));",
            "atomic_store(&u#.byte[0], 1); @ N(atomic_load(&u#.byte[1]));"},
    Feature{"fence", "static atomic_int v#;", "",
            "atomic_store_explicit(&v#, 1, memory_order_relaxed); atomic_thread_fence(memory_order_seq_cst); @",
            "@ atomic_thread_fence(memory_order_acquire); N(atomic_load_explicit(&v#, memory_order_relaxed));"},
    // Plain accesses and memory.
    Feature{"plain", "static int p#;", "", "p# = 1; @", "@ N(p#);", "", true},
    Feature{"plain-update", "static int p#;", "", "@ ++p#;", "", "N(p#);", true},
    Feature{"plain-locked", "static int p#; static pthread_mutex_t m# = PTHREAD_MUTEX_INITIALIZER;", "",
            "pthread_mutex_lock(&m#); N(p#++); @ pthread_mutex_unlock(&m#);", ""},
    Feature{"published", "static int p#; static atomic_int v#;", "",
            "p# = 1; @ atomic_store_explicit(&v#, 1, memory_order_release);",
            "if (atomic_load_explicit(&v#, memory_order_acquire)) N(p#); @"},
    Feature{"memcpy", "static char p#[8];", "", "memset(p#, 1, 8); @", "{ char q[8]; @ memcpy(q, p#, 8); N(q[3]); }",
            "", true},
    Feature{"free", "static int* h#;", "h# = malloc(sizeof *h#); *h# = 3;", "@ free(h#);", "N(*h#); @", "", true},
    Feature{"double-free", "static int* h#;", "h# = malloc(sizeof *h#);", "@ free(h#);", "", "", true},
    Feature{"handed-free", "static _Atomic(int*) h#;", "atomic_store(&h#, malloc(4));",
            "@ free(atomic_exchange(&h#, 0));", ""},
    Feature{"malloc", "static atomic_long a#;", "", "{ void* q = malloc(16); N((long)q & 0xffff); @ free(q); }",
            "{ void* q = realloc(malloc(8), 64); N((long)q & 0xffff); @ free(q); }", "", false, false, true},
    // The life of objects.
    Feature{"destroy-mutex", "static pthread_mutex_t d#;", "pthread_mutex_init(&d#, 0);",
            "@ N(pthread_mutex_destroy(&d#));", "pthread_mutex_lock(&d#); @ pthread_mutex_unlock(&d#);", "", true},
    Feature{"destroy-semaphore", "static sem_t d#;", "sem_init(&d#, 0, 1);", "@ N(sem_destroy(&d#));",
            "sem_wait(&d#); @", "", true},
    Feature{"destroy-condition", "static pthread_cond_t d#; static pthread_mutex_t m# = PTHREAD_MUTEX_INITIALIZER;",
            "pthread_cond_init(&d#, 0);", "@ N(pthread_cond_destroy(&d#));", "pthread_cond_signal(&d#); @", "", true},
    Feature{"destroy-rwlock", "static pthread_rwlock_t d#;", "pthread_rwlock_init(&d#, 0);",
            "@ N(pthread_rwlock_destroy(&d#));", "pthread_rwlock_rdlock(&d#); @ pthread_rwlock_unlock(&d#);", "", true},
    Feature{"initialise", "static pthread_mutex_t d#;", "", "pthread_mutex_init(&d#, 0); @",
            "pthread_mutex_lock(&d#); @ pthread_mutex_unlock(&d#);", "", true},
    // Threads.
    Feature{"join", "static void* j#(void* a) { N_(a, atomic_fetch_add(&x, 1)); return (void*)7; }", "",
            "{ pthread_t t; void* r; pthread_create(&t, 0, j#, (void*)(who * 100000000 + #)); @ pthread_join(t, &r); "
            "N(r); }",
            "@"},
    Feature{"detach", "static void* j#(void* a) { N_(a, atomic_fetch_add(&x, 1)); return 0; }", "",
            "{ pthread_t t; pthread_create(&t, 0, j#, (void*)(who * 100000000 + #)); N(pthread_detach(t)); @ }", "@"},
    Feature{"join-or-detach", "static pthread_t t#; static void* j#(void* a) { return 0; }",
            "pthread_create(&t#, 0, j#, (void*)60);", "@ N(pthread_detach(t#));", "N(pthread_join(t#, 0)); @"},
    Feature{"two-joins", "static pthread_t t#; static void* j#(void* a) { return 0; }",
            "pthread_create(&t#, 0, j#, (void*)60);", "N(pthread_join(t#, 0)); @", ""},
    Feature{"timed-join", "static void* j#(void* a) { N_(a, atomic_fetch_add(&x, 1)); return 0; }", "",
            "{ pthread_t t; pthread_create(&t, 0, j#, (void*)(who * 100000000 + #)); N(pthread_timedjoin_np(t, 0, "
            "&soon)); @ }",
            "@"},
    Feature{"exit-thread", "", "", "@ pthread_exit(0);", "@"},
    Feature{"key", "static pthread_key_t y#; static void y#_f(void* a) { N_(a, atomic_fetch_add(&x, 1)); }",
            "pthread_key_create(&y#, y#_f);", "pthread_setspecific(y#, (void*)(who * 100000000 + #)); @", "@"},
    Feature{"cleanup", "static void u#_f(void* a) { N_(a, atomic_fetch_add(&x, 1)); }", "",
            "pthread_cleanup_push(u#_f, (void*)(who * 100000000 + #)); @ if (atomic_load(&x) == 1) pthread_exit(0); "
            "pthread_cleanup_pop(0);",
            "@"},
    // The end of the program.
    Feature{"exit", "", "", "@ exit(0);", "@"},
    Feature{"exit-at-once", "", "", "if (atomic_load(&x) == 1) _exit(0); @", "@"},
    Feature{"exit-status", "", "", "@", "@ if (atomic_load(&x) == 1) exit(3);"},
    Feature{"return-status", "", "", "@", "", "if (atomic_load(&x) == 1) return 1;"},
    Feature{"at-exit", "static void e#_f(void) { enum { who = 80 + # }; N(x); }", "atexit(e#_f);", "@", "@"},
    Feature{"assertion", "", "", "@ assert(atomic_load(&x) != 1);", "@"},
    Feature{"abort", "", "", "if (atomic_load(&x) == 1) abort(); @", "@"},
    // What mazurka.h offers.
    Feature{"choose", "", "", "if (N(mazurka_choose(2)) == 1) { @ }", "@ N(mazurka_choose(2));"},
    Feature{"assume", "", "", "mazurka_assume(atomic_load(&x) != 1); @", "@ mazurka_assume(atomic_load(&x) == 1);"},
    Feature{"section", "", "", "mazurka_atomic_begin(); @ N(atomic_load(&x)); mazurka_atomic_end();",
            "mazurka_atomic_begin(); atomic_fetch_add(&x, 1); @ mazurka_atomic_end();"},
    Feature{"separate-section", "static int p#;", "", "mazurka_atomic_begin(); N(p#++); @ mazurka_atomic_end();", ""},
    Feature{"yield", "", "", "mazurka_yield(); @", "@ sched_yield();"},
    Feature{"mailbox", "static mazurka_mailbox* o#;", "o# = mazurka_mailbox_create();",
            "{ mazurka_message m; mazurka_mailbox_receive(o#, 0, MAZURKA_FOR_EVER, &m); N(m.tag); @ }",
            "@ mazurka_mailbox_send(o#, 1, \"\", 0);"},
    Feature{
        "try-mailbox", "static mazurka_mailbox* o#;", "o# = mazurka_mailbox_create();",
        "{ const mazurka_selection w = {~0U, 2, 0, 0}; mazurka_message m; N(mazurka_mailbox_receive(o#, &w, 0, &m)); "
        "@ N(mazurka_mailbox_receive(o#, 0, 5, &m)); }",
        "mazurka_mailbox_send(o#, 1, \"\", 0); @ mazurka_mailbox_send(o#, 2, \"\", 0);"},
    // Descriptors.
    Feature{"pipe", "static int p#[2];", "pipe(p#);", "{ char c; N(read(p#[0], &c, 1)); @ }",
            "@ N(write(p#[1], \"\", 1)); close(p#[1]);"},
    Feature{"eventfd", "static int v#;", "v# = eventfd(0, EFD_NONBLOCK);",
            "{ struct pollfd f = {v#, POLLIN, 0}; N(poll(&f, 1, 5)); @ }", "{ long n = 1; @ N(write(v#, &n, 8)); }"},
    Feature{"event-loop",
            "static int v#, w#, d#; static void r#(int f, int t) { struct epoll_event e = {EPOLLIN | t, {.fd = f}}; "
            "epoll_ctl(w#, EPOLL_CTL_ADD, f, &e); }",
            "{ const struct itimerspec s = {{0, 0}, {1, 0}}; v# = eventfd(0, 0); w# = epoll_create1(0); d# = "
            "timerfd_create(1, 0); timerfd_settime(d#, 0, &s, 0); r#(v#, EPOLLET); r#(d#, 0); }",
            "{ struct epoll_event e; N(epoll_wait(w#, &e, 1, -1)); N(e.data.fd == d#); @ }",
            "{ long n = 1; @ write(v#, &n, 8); }"},
    Feature{
        "queue", "static mqd_t q#;",
        "{ struct mq_attr a = {.mq_maxmsg = 1, .mq_msgsize = 1}; q# = mq_open(\"/#\", O_RDWR | O_CREAT, 0600, &a); }",
        "{ char c; N(mq_receive(q#, &c, 1, 0)); @ }", "N(mq_send(q#, \"a\", 1, 0)); @"},
    // Time.
    Feature{"timed-lock", "static pthread_mutex_t m# = PTHREAD_MUTEX_INITIALIZER;", "",
            "if (N(pthread_mutex_timedlock(&m#, &soon)) == 0) { @ pthread_mutex_unlock(&m#); }",
            "pthread_mutex_lock(&m#); @ pthread_mutex_unlock(&m#);"},
    Feature{"timed-rwlock", "static pthread_rwlock_t l# = PTHREAD_RWLOCK_INITIALIZER;", "",
            "if (N(pthread_rwlock_timedrdlock(&l#, &soon)) == 0) { @ pthread_rwlock_unlock(&l#); }",
            "if (N(pthread_rwlock_timedwrlock(&l#, &soon)) == 0) { @ pthread_rwlock_unlock(&l#); }"},
    Feature{"timed-wait",
            "static pthread_mutex_t m# = PTHREAD_MUTEX_INITIALIZER; static pthread_cond_t c# = "
            "PTHREAD_COND_INITIALIZER;",
            "", "pthread_mutex_lock(&m#); N(pthread_cond_timedwait(&c#, &m#, &soon)); @ pthread_mutex_unlock(&m#);",
            "@ pthread_cond_signal(&c#);", "", false, true},
    Feature{"timed-semaphore", "static sem_t s#;", "sem_init(&s#, 0, 0);", "N(sem_timedwait(&s#, &soon)); @",
            "@ sem_post(&s#);"},
    Feature{"clock", "", "", "usleep(1000); @ { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); N(t.tv_nsec); }",
            "{ struct timespec t; clock_gettime(CLOCK_REALTIME, &t); N(t.tv_nsec); } @"},
    Feature{"random", "", "", "N(rand() & 0xff); @", "@ N(rand() & 0xff);"},
};

}  // namespace

std::span<const Feature> features() { return kFeatures; }

}  // namespace mazurka::pairs
