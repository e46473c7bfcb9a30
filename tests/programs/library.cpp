// Calls of C library functions that read or write memory of the program, each racing with another thread, and the same
// under a lock. The first argument names the scenario; a comment with its name is on the line of both accesses.
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <cwchar>
#include <mutex>
#include <thread>

#include <arpa/inet.h>
#include <locale.h>
#include <math.h>
#include <regex.h>
#include <search.h>
#include <strings.h>

// Not in a namespace without name: the compilers would see that much of it is never read.

int x;
int y;
char bytes[16];
char text[16] = "123";
char digits[4] = "12";
wchar_t wide[8] = L"abc";
char* pointer;
double real = 3.5;
int numbers[4] = {4, 3, 2, 1};
time_t moment;
tm date;
void* tree;
int seven_bytes = 7;
std::mutex m;

namespace {

__attribute__((noinline)) void use(int value) { __asm__ volatile("" : : "r"(value)); }
__attribute__((noinline)) int seven() {
  int value = 7;
  __asm__ volatile("" : "+r"(value));
  return value;
}
int by_value(const void* a, const void* b) { return *static_cast<const int*>(a) - *static_cast<const int*>(b); }
int by_text(const void* a, const void* b) { return strcmp(static_cast<const char*>(a), static_cast<const char*>(b)); }
char* local_text(char* to) { return strcpy(to, "a b"); }
void print_to(char* to, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(to, 32, format, arguments); /* vsnprintf_reads_wide_text */
  va_end(arguments);
}

#define BOTH(NAME, CALL, OTHER)        \
  void NAME() {                        \
    std::thread t([] {                 \
      [[maybe_unused]] char local[32]; \
      CALL;                            \
    });                                \
    {                                  \
      [[maybe_unused]] char local[32]; \
      OTHER;                           \
    }                                  \
    t.join();                          \
  }
#define RACE(NAME, CALL, OTHER) \
  BOTH(NAME, CALL, OTHER)       \
  BOTH(NAME##_locked, std::lock_guard lock(m); CALL, std::lock_guard lock(m); OTHER)

// clang-format off
RACE(sprintf_writes, sprintf(bytes, "%d", seven()), bytes[0] = 'x') /* sprintf_writes */
RACE(snprintf_writes, snprintf(bytes, sizeof bytes, "%d", seven()), bytes[0] = 'x') /* snprintf_writes */
RACE(snprintf_reads_text, snprintf(local, sizeof local, "%d %s", seven(), text), text[0] = 'x') /* snprintf_reads_text */
RACE(printf_reads_text, printf("%5.1f %-3s\n", 1.5 * seven(), text), text[0] = 'x') /* printf_reads_text */
RACE(printf_writes_count, printf("%d%n\n", seven(), &x), x = 1) /* printf_writes_count */
RACE(vsnprintf_reads_wide_text, print_to(local, "%*d %ls", 3, seven(), wide), wide[0] = L'x') /* vsnprintf_reads_wide_text */
RACE(asprintf_writes_pointer, if (asprintf(&pointer, "%d", seven()) < 0) abort(), use(pointer != nullptr)) /* asprintf_writes_pointer */
RACE(sscanf_reads_text, use(sscanf(text, "%d", &y)), text[0] = '9') /* sscanf_reads_text */
RACE(sscanf_writes_number, use(sscanf(" 12", "%d", &x)), x = 9) /* sscanf_writes_number */
RACE(sscanf_writes_second, use(sscanf("ab 3.5", "%*[a-z] %lf", &real)), real = 1) /* sscanf_writes_second */
RACE(sscanf_writes_text, use(sscanf("7 abc", "%d%15s", &y, bytes)), bytes[3] = 'x') /* sscanf_writes_text */
RACE(strtol_reads, use(static_cast<int>(strtol(text, nullptr, 10))), text[0] = '9') /* strtol_reads */
RACE(strtol_writes_end, use(static_cast<int>(strtol(digits, &pointer, 10))), pointer = nullptr) /* strtol_writes_end */
RACE(strtod_reads, use(static_cast<int>(strtod(text, nullptr))), text[1] = '9') /* strtod_reads */
RACE(atoi_reads, use(atoi(text)), text[0] = '9') /* atoi_reads */
RACE(strchr_reads, use(strchr(text, 'y') != nullptr), text[0] = 'x') /* strchr_reads */
RACE(strstr_reads, use(strstr(text, "yz") != nullptr), text[0] = 'x') /* strstr_reads */
RACE(strspn_reads, use(static_cast<int>(strspn(text, "1"))), text[0] = '1') /* strspn_reads */
RACE(strcasecmp_reads, use(strcasecmp(text, "1")), text[0] = '9') /* strcasecmp_reads */
RACE(memchr_reads, use(memchr(text, 7, 8) != nullptr), text[7] = 'x') /* memchr_reads */
RACE(memmem_reads, use(memmem(text, 8, "yz", 2) != nullptr), text[7] = 'x') /* memmem_reads */
RACE(mempcpy_writes, mempcpy(bytes, digits, 2), bytes[1] = 'x') /* mempcpy_writes */
RACE(bzero_writes, bzero(bytes, 8), bytes[7] = 'x') /* bzero_writes */
RACE(strtok_r_writes_position, use(strtok_r(local_text(local), " ", &pointer) != nullptr), pointer = nullptr) /* strtok_r_writes_position */
RACE(strsep_writes_text, pointer = text; use(strsep(&pointer, "2") != nullptr), text[1] = 'x') /* strsep_writes_text */
RACE(wcscpy_writes, wcscpy(wide, L"ab"), wide[1] = L'x') /* wcscpy_writes */
RACE(wmemset_writes, wmemset(wide, L'a', 3), wide[2] = L'x') /* wmemset_writes */
RACE(mbstowcs_writes, use(static_cast<int>(mbstowcs(wide, "abc", 4))), wide[2] = L'x') /* mbstowcs_writes */
RACE(qsort_writes, qsort(numbers, 4, sizeof *numbers, by_value), numbers[3] = 1) /* qsort_writes */
RACE(frexp_writes, use(static_cast<int>(frexp(real, &x))), x = 9) /* frexp_writes */
RACE(gmtime_r_writes, use(gmtime_r(&moment, &date) != nullptr), date.tm_sec = 1) /* gmtime_r_writes */
RACE(mktime_reads, use(static_cast<int>(mktime(&date))), date.tm_sec = 1) /* mktime_reads */
RACE(strftime_reads, use(static_cast<int>(strftime(local, sizeof local, "%Y", &date))), date.tm_year = 1) /* strftime_reads */
RACE(regcomp_reads, regex_t compiled; use(regcomp(&compiled, text, 0)); regfree(&compiled), text[0] = 'x') /* regcomp_reads */
RACE(inet_ntop_writes, use(inet_ntop(AF_INET, &seven_bytes, bytes, sizeof bytes) != nullptr), bytes[0] = 'x') /* inet_ntop_writes */
RACE(tsearch_writes_root, use(tsearch(digits, &tree, by_text) != nullptr), use(tree != nullptr)) /* tsearch_writes_root */
RACE(strtok_twice, use(strtok(local_text(local), " ") != nullptr), use(strtok(local_text(local), " ") != nullptr)) /* strtok_twice */
RACE(localtime_twice, use(localtime(&moment)->tm_sec), use(gmtime(&moment)->tm_sec)) /* localtime_twice */
RACE(setenv_and_getenv, use(setenv("SEVEN", "7", 1)), use(getenv("SEVEN") != nullptr)) /* setenv_and_getenv */
RACE(setlocale_twice, use(setlocale(LC_ALL, "C") != nullptr), use(setlocale(LC_ALL, "C") != nullptr)) /* setlocale_twice */

BOTH(texts_of_two_threads, char mine[16]; snprintf(mine, sizeof mine, "%d %s", seven(), digits); use(atoi(mine)), char mine[16]; snprintf(mine, sizeof mine, "%s", digits); use(sscanf(mine, "%d", &y)))
BOTH(both_read_a_text, use(atoi(text) + (strchr(text, '2') != nullptr)), use(sscanf(text, "%d", &y)))
BOTH(halves_of_an_array, qsort(numbers, 2, sizeof *numbers, by_value), qsort(numbers + 2, 2, sizeof *numbers, by_value))
BOTH(reading_the_environment, use(getenv("HOME") != nullptr), use(getenv("PATH") != nullptr))
BOTH(precision_limits_reads, snprintf(local, sizeof local, "%.*s", 2, text), text[2] = 'x')
BOTH(sscanf_stops_early, use(sscanf("no number", "%d %d", &y, &x)), x = 9)
// clang-format on

}  // namespace

#define SCENARIO(NAME) \
  if (strcmp(argv[1], #NAME) == 0) NAME();

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  SCENARIO(sprintf_writes)
  SCENARIO(sprintf_writes_locked)
  SCENARIO(snprintf_writes)
  SCENARIO(snprintf_writes_locked)
  SCENARIO(snprintf_reads_text)
  SCENARIO(snprintf_reads_text_locked)
  SCENARIO(printf_reads_text)
  SCENARIO(printf_reads_text_locked)
  SCENARIO(printf_writes_count)
  SCENARIO(printf_writes_count_locked)
  SCENARIO(vsnprintf_reads_wide_text)
  SCENARIO(vsnprintf_reads_wide_text_locked)
  SCENARIO(asprintf_writes_pointer)
  SCENARIO(asprintf_writes_pointer_locked)
  SCENARIO(sscanf_reads_text)
  SCENARIO(sscanf_reads_text_locked)
  SCENARIO(sscanf_writes_number)
  SCENARIO(sscanf_writes_number_locked)
  SCENARIO(sscanf_writes_second)
  SCENARIO(sscanf_writes_second_locked)
  SCENARIO(sscanf_writes_text)
  SCENARIO(sscanf_writes_text_locked)
  SCENARIO(strtol_reads)
  SCENARIO(strtol_reads_locked)
  SCENARIO(strtol_writes_end)
  SCENARIO(strtol_writes_end_locked)
  SCENARIO(strtod_reads)
  SCENARIO(strtod_reads_locked)
  SCENARIO(atoi_reads)
  SCENARIO(atoi_reads_locked)
  SCENARIO(strchr_reads)
  SCENARIO(strchr_reads_locked)
  SCENARIO(strstr_reads)
  SCENARIO(strstr_reads_locked)
  SCENARIO(strspn_reads)
  SCENARIO(strspn_reads_locked)
  SCENARIO(strcasecmp_reads)
  SCENARIO(strcasecmp_reads_locked)
  SCENARIO(memchr_reads)
  SCENARIO(memchr_reads_locked)
  SCENARIO(memmem_reads)
  SCENARIO(memmem_reads_locked)
  SCENARIO(mempcpy_writes)
  SCENARIO(mempcpy_writes_locked)
  SCENARIO(bzero_writes)
  SCENARIO(bzero_writes_locked)
  SCENARIO(strtok_r_writes_position)
  SCENARIO(strtok_r_writes_position_locked)
  SCENARIO(strsep_writes_text)
  SCENARIO(strsep_writes_text_locked)
  SCENARIO(wcscpy_writes)
  SCENARIO(wcscpy_writes_locked)
  SCENARIO(wmemset_writes)
  SCENARIO(wmemset_writes_locked)
  SCENARIO(mbstowcs_writes)
  SCENARIO(mbstowcs_writes_locked)
  SCENARIO(qsort_writes)
  SCENARIO(qsort_writes_locked)
  SCENARIO(frexp_writes)
  SCENARIO(frexp_writes_locked)
  SCENARIO(gmtime_r_writes)
  SCENARIO(gmtime_r_writes_locked)
  SCENARIO(mktime_reads)
  SCENARIO(mktime_reads_locked)
  SCENARIO(strftime_reads)
  SCENARIO(strftime_reads_locked)
  SCENARIO(regcomp_reads)
  SCENARIO(regcomp_reads_locked)
  SCENARIO(inet_ntop_writes)
  SCENARIO(inet_ntop_writes_locked)
  SCENARIO(tsearch_writes_root)
  SCENARIO(tsearch_writes_root_locked)
  SCENARIO(strtok_twice)
  SCENARIO(strtok_twice_locked)
  SCENARIO(localtime_twice)
  SCENARIO(localtime_twice_locked)
  SCENARIO(setenv_and_getenv)
  SCENARIO(setenv_and_getenv_locked)
  SCENARIO(setlocale_twice)
  SCENARIO(setlocale_twice_locked)
  SCENARIO(texts_of_two_threads)
  SCENARIO(both_read_a_text)
  SCENARIO(halves_of_an_array)
  SCENARIO(reading_the_environment)
  SCENARIO(precision_limits_reads)
  SCENARIO(sscanf_stops_early)
}
