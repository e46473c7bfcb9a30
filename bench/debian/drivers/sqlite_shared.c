/* SQLite: two threads, each with its own connection to one database in memory (shared cache), insert a row each.
   What was inserted is there at the end; a thread that finds the table locked is told so, and not both are. */
#include <assert.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stddef.h>

static const char kName[] = "file:shared?mode=memory&cache=shared";

static sqlite3* open_it(void) {
  sqlite3* database = NULL;
  int status =
      sqlite3_open_v2(kName, &database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_URI, NULL);
  assert(status == SQLITE_OK);
  return database;
}

/* Inserts a row by the statement; null if the other connection had the table locked. */
static void* insert(void* statement) {
  int status = sqlite3_step(statement);
  assert(status == SQLITE_DONE || status == SQLITE_LOCKED);
  sqlite3_reset(statement);
  return status == SQLITE_DONE ? statement : NULL;
}

static int count(void* result, int columns, char** values, char** names) {
  (void)columns, (void)names;
  *(int*)result = values[0][0] - '0';
  return 0;
}

int main(void) {
  sqlite3* databases[2];
  sqlite3_stmt* statements[2];
  for (int i = 0; i < 2; ++i) databases[i] = open_it();
  int status = sqlite3_exec(databases[0], "create table t (x)", NULL, NULL, NULL);
  assert(status == SQLITE_OK);
  for (int i = 0; i < 2; ++i) {
    status = sqlite3_prepare_v2(databases[i], "insert into t values (1)", -1, &statements[i], NULL);
    assert(status == SQLITE_OK);
  }
  pthread_t other;
  void* inserted = NULL;
  pthread_create(&other, NULL, insert, statements[1]);
  int mine = insert(statements[0]) != NULL;
  pthread_join(other, &inserted);
  int rows = -1;
  status = sqlite3_exec(databases[0], "select count(*) from t", count, &rows, NULL);
  assert(status == SQLITE_OK);
  assert(rows == mine + (inserted != NULL) && rows >= 1);
  for (int i = 0; i < 2; ++i) {
    sqlite3_finalize(statements[i]);
    sqlite3_close(databases[i]);
  }
}
