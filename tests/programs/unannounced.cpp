// Accesses that a compiler does not announce with -fsanitize=thread, racing with ones that it does: gcc those of
// structures that are passed or returned, and its own expansions; clang those of unusual sizes. Each program is beside
// one without a race. The first argument names the scenario; a comment with its name stands on the lines of both
// accesses.
#include <atomic>
#include <complex>
#include <cstdarg>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <optional>
#include <thread>

#define KEEP __attribute__((noinline))

struct Triple {
  long a, b, c;
} triple, *shared = &triple;
struct Bits {
  unsigned a : 17;
  unsigned char c;
} bits;
struct Small {
  int a;
} small;
typedef double Vector __attribute__((vector_size(32)));
Vector vector_of_doubles;
long double extended;
std::complex<double> number;
std::optional<int> optional;
std::atomic<int> flag;
std::mutex m;

namespace {

template <class F, class G>
void both(F f, G g) {
  std::thread t(f);
  g();
  t.join();
}

// Neither compiler can tell that the value does not matter.
KEEP void use(long value) { __asm__ volatile("" : : "r"(value)); }
KEEP void take(Triple given) { use(given.a + given.b + given.c); }
KEEP void take_some(int first, ...) {
  va_list rest;
  va_start(rest, first);
  const Triple given = va_arg(rest, Triple);
  va_end(rest);
  use(given.a);
}
KEEP Triple make_triple() { return {flag, 2, 3}; }
KEEP Small make_small() { return {flag}; }
KEEP std::optional<int> make_optional() { return flag.load(); }
KEEP std::complex<double> make_number() { return {1, static_cast<double>(flag)}; }

void passed() {
  both(
      [] {
        shared->b = 1; /* passed */
      },
      [] {
        take(*shared); /* passed */
      });
}
void passed_locked() {
  both(
      [] {
        std::lock_guard lock(m);
        shared->b = 1;
      },
      [] {
        std::lock_guard lock(m);
        take(*shared);
      });
}
void passed_with_others() {
  both(
      [] {
        shared->a = 1; /* passed_with_others */
      },
      [] {
        take_some(1, *shared); /* passed_with_others */
      });
}
void passed_by_two() {
  both([] { take(*shared); }, [] { take(*shared); });
}
void returned_small() {
  both(
      [] {
        use(small.a); /* returned_small */
      },
      [] {
        small = make_small(); /* returned_small */
      });
}
void returned_small_locked() {
  both(
      [] {
        std::lock_guard lock(m);
        use(small.a);
      },
      [] {
        std::lock_guard lock(m);
        small = make_small();
      });
}
void returned_optional() {
  both(
      [] {
        use(optional.has_value()); /* returned_optional */
      },
      [] {
        optional = make_optional(); /* returned_optional */
      });
}
void returned_optional_joined() {
  std::thread([] { optional = make_optional(); }).join();
  use(optional.has_value());
}
void returned_number() {
  both(
      [] {
        number = 0.0; /* returned_number */
      },
      [] {
        number = make_number(); /* returned_number */
      });
}
void returned_number_before() {
  number = make_number();
  std::thread([] { number = 0.0; }).join();
}
KEEP void copy(Triple* to, const Triple* from) { __builtin_memcpy(to, from, sizeof *to); /* copied_by_the_compiler */ }
void copied_by_the_compiler() {
  both(
      [] {
        shared->b = 1; /* copied_by_the_compiler */
      },
      [] {
        Triple own;
        copy(&own, shared);
        take(own);
      });
}
void filled_by_the_compiler() {
  both(
      [] {
        use(shared->c); /* filled_by_the_compiler */
      },
      [] {
        __builtin_memset(shared, 0, sizeof *shared); /* filled_by_the_compiler */
      });
}
void filled_by_the_compiler_locked() {
  both(
      [] {
        std::lock_guard lock(m);
        use(shared->c);
      },
      [] {
        std::lock_guard lock(m);
        __builtin_memset(shared, 0, sizeof *shared);
      });
}
void bit_field() {
  both(
      [] {
        bits.a = 1; /* bit_field */
      },
      [] {
        use(bits.a); /* bit_field */
      });
}
void bit_field_neighbour_read() {
  both([] { bits.c = 1; }, [] { use(bits.a); });
}
void bit_field_neighbour_written() {
  both([] { use(bits.c); }, [] { bits.a = 1; });
}
void long_double() {
  both(
      [] {
        extended = 1; /* long_double */
      },
      [] {
        use(static_cast<long>(extended)); /* long_double */
      });
}
void long_double_read() {
  both([] { use(static_cast<long>(extended)); }, [] { use(static_cast<long>(extended)); });
}
void wide_vector() {
  both(
      [] {
        vector_of_doubles += 1; /* wide_vector */
      },
      [] {
        use(static_cast<long>(vector_of_doubles[1])); /* wide_vector */
      });
}
void wide_vector_locked() {
  both(
      [] {
        std::lock_guard lock(m);
        vector_of_doubles += 1;
      },
      [] {
        std::lock_guard lock(m);
        use(static_cast<long>(vector_of_doubles[1]));
      });
}
// clang takes the field for private, since nobody else has its own address.
void field_of_local() {
  Triple own{};
  std::thread t([&own] {
    own.b = 1; /* field_of_local */
  });
  use(own.b); /* field_of_local */
  t.join();
}
void field_of_local_joined() {
  Triple own{};
  std::thread([&own] { own.b = 1; }).join();
  use(own.b);
}
// clang leaves a load beside the call for each atomic load.
void atomic_loads() {
  both([] { flag = 1; }, [] { use(flag + flag.load(std::memory_order_relaxed)); });
}

struct Scenario {
  const char* name;
  void (*run)();
};

#define SCENARIO(NAME) \
  { #NAME, NAME }

constexpr Scenario scenarios[] = {
    SCENARIO(passed),
    SCENARIO(passed_locked),
    SCENARIO(passed_with_others),
    SCENARIO(passed_by_two),
    SCENARIO(returned_small),
    SCENARIO(returned_small_locked),
    SCENARIO(returned_optional),
    SCENARIO(returned_optional_joined),
    SCENARIO(returned_number),
    SCENARIO(returned_number_before),
    SCENARIO(copied_by_the_compiler),
    SCENARIO(filled_by_the_compiler),
    SCENARIO(filled_by_the_compiler_locked),
    SCENARIO(bit_field),
    SCENARIO(bit_field_neighbour_read),
    SCENARIO(bit_field_neighbour_written),
    SCENARIO(long_double),
    SCENARIO(long_double_read),
    SCENARIO(wide_vector),
    SCENARIO(wide_vector_locked),
    SCENARIO(field_of_local),
    SCENARIO(field_of_local_joined),
    SCENARIO(atomic_loads),
};

}  // namespace

int main(int argc, char** argv) {
  for (const Scenario& scenario : scenarios)
    if (argc > 1 && std::strcmp(argv[1], scenario.name) == 0) {
      scenario.run();
      return 0;
    }
  return 2;
}
