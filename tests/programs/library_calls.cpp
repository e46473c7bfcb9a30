// Calls of C library functions between steps of another thread, for --plain=explore. Each scenario returns what was
// seen, so that the exit status tells the outcomes apart.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int value = 1;
static int seen[2];
static char text[8] = "2";
static char out[8] = "x";
static int numbers[3] = {3, 2, 1};

static int by_value(const void* a, const void* b) { return *(const int*)a - *(const int*)b; }

// One step: the number that is read is the number that is stored.
static void* scan(void* argument) {
  sscanf(text, "%d", &value);
  return argument;
}
static void* beside_scan(void* argument) {
  seen[0] = value;
  text[0] = '3';
  seen[1] = value;
  return argument;
}
static int scanned(void) { return seen[0] * 16 + seen[1]; }

// The text is never seen in part.
static void* print(void* argument) {
  snprintf(out, sizeof out, "%s", "abc");
  return argument;
}
static void* beside_print(void* argument) {
  seen[0] = atoi(strcmp(out, "x") == 0 ? "1" : strcmp(out, "abc") == 0 ? "2" : "3");
  return argument;
}
static int printed(void) { return seen[0]; }

// Comparisons are code of the program, so this is several steps.
static void* sort(void* argument) {
  qsort(numbers, 3, sizeof *numbers, by_value);
  return argument;
}
static void* beside_sort(void* argument) {
  seen[0] = numbers[0];
  seen[1] = numbers[2];
  return argument;
}
static int sorted(void) { return seen[0] * 16 + seen[1]; }

// Where the second call continues depends on who made the first.
static void* split(void* argument) {
  char* part = strtok(NULL, " ");
  *(int*)argument = part == NULL ? 9 : *part - '0';
  return NULL;
}
static int split_in_order(void) { return seen[0] * 16 + seen[1]; }

static const struct {
  const char* name;
  void* (*first)(void*);
  void* (*second)(void*);
  int (*outcome)(void);
} kScenarios[] = {{"scan", scan, beside_scan, scanned},
                  {"print", print, beside_print, printed},
                  {"sort", sort, beside_sort, sorted},
                  {"split", split, split, split_in_order}};

int main(int argc, char** argv) {
  static char parts[] = "0 1 2";
  for (unsigned i = 0; argc == 2 && i < sizeof kScenarios / sizeof *kScenarios; ++i) {
    if (strcmp(argv[1], kScenarios[i].name) != 0) continue;
    strtok(parts, " ");
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, kScenarios[i].first, &seen[0]);
    pthread_create(&threads[1], NULL, kScenarios[i].second, &seen[1]);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return kScenarios[i].outcome();
  }
  return 0;
}
