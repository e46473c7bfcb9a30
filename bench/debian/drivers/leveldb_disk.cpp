// LevelDB on disk: two threads write different keys. Both are there afterwards, with their values.
#include <cassert>
#include <string>
#include <thread>

#include "leveldb/db.h"

int main(int, char** argv) {
  leveldb::DB* opened = nullptr;
  leveldb::Options options;
  options.create_if_missing = true;
  leveldb::Status status = leveldb::DB::Open(options, argv[1], &opened);
  assert(status.ok());
  std::thread other([opened] {
    const leveldb::Status written = opened->Put(leveldb::WriteOptions(), "a", "1");
    assert(written.ok());
  });
  status = opened->Put(leveldb::WriteOptions(), "b", "2");
  assert(status.ok());
  other.join();
  std::string a, b;
  const bool found =
      opened->Get(leveldb::ReadOptions(), "a", &a).ok() && opened->Get(leveldb::ReadOptions(), "b", &b).ok();
  assert(found && a == "1" && b == "2");
  delete opened;
}
