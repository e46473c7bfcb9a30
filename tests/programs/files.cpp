// Programs that use files, one for each way to change something; the first argument says which. They run in an empty
// folder but for `old.txt` (contents "old"), `link` to it and the folder `full` with a file in it. Each of them prints
// what it finds: it must be the same in every execution that takes the same course. src/program/files_test.cpp knows.
#include <atomic>
#include <cassert>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <mutex>
#include <string>
#include <thread>

#include <dirent.h>
#include <fcntl.h>
#include <glob.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/xattr.h>
#include <unistd.h>
#include <utime.h>

namespace {

namespace fs = std::filesystem;

std::atomic<int> x{0};

std::string contents(const char* path) {
  std::ifstream in(path);
  std::string text;
  std::getline(in, text);
  return in ? text : in.eof() ? text : "none";
}

/// Several executions, so that something could be left for the next one.
void run_threads() {
  std::thread t([] { ++x; });
  ++x;
  t.join();
}

void makes_folder() {
  const bool fresh = mkdir("made", 0700) == 0;
  std::thread t([] { ++x; });
  if (fresh) x.load();
  ++x;
  t.join();
  std::printf("%d", fresh);
}
void creates() {
  const bool fresh = access("new.txt", F_OK) != 0;
  FILE* file = std::fopen("new.txt", "a+");
  std::fprintf(file, "%s", "one");
  std::fclose(file);
  run_threads();
  std::printf("%d%s", fresh, contents("new.txt").c_str());
}
void appends() {
  std::ofstream("old.txt", std::ios::app) << "+";
  run_threads();
  std::cout << contents("old.txt");
}
void overwrites() {
  const std::string before = contents("old.txt");
  const int file = open("link", O_WRONLY | O_TRUNC);
  assert(write(file, "now", 3) == 3 && pwrite(file, "N", 1, 0) == 1);
  close(file);
  chmod("old.txt", 0600);
  run_threads();
  std::cout << before << contents("old.txt");
}
void removes() {
  const std::string before = contents("old.txt");
  const bool removed = unlink("old.txt") == 0 && unlink("link") == 0;
  const bool folder = std::remove("full/file") == 0 && rmdir("full") == 0;
  run_threads();
  std::cout << before << removed << folder << fs::exists("old.txt") << fs::exists("full");
}
void renames() {
  mkdir("fresh", 0755);
  const int a = std::rename("old.txt", "fresh/moved.txt");
  const int b = std::rename("full", "fresh/full");
  std::ofstream("fresh/full/file") << "changed";
  std::ofstream("old.txt") << "other";
  const int c = std::rename("old.txt", "fresh/moved.txt");
  run_threads();
  std::cout << a << b << c << contents("fresh/moved.txt") << contents("fresh/full/file");
}
void exchanges() {
  const int result = renameat2(AT_FDCWD, "old.txt", AT_FDCWD, "full", RENAME_EXCHANGE);
  run_threads();
  std::cout << result << fs::is_directory("old.txt") << contents("full");
}
void links() {
  const int a = symlink("old.txt", "another");
  const int b = link("old.txt", "hard");
  std::ofstream("hard") << "through";
  const int c = mkfifo("pipe", 0600);
  run_threads();
  std::cout << a << b << c << contents("old.txt");
}
void truncates() {
  const int a = truncate("old.txt", 1);
  const int file = open("full/file", O_RDWR);
  const int b = ftruncate(file, 100) + posix_fallocate(file, 0, 200);
  close(file);
  run_threads();
  std::cout << a << b << contents("old.txt") << fs::file_size("full/file");
}
void temporary() {
  char name[] = "temporary-XXXXXX";
  const int file = mkstemp(name);
  assert(file >= 0 && write(file, "a", 1) == 1);
  char folder[] = "folder-XXXXXX";
  assert(mkdtemp(folder) == folder);
  FILE* nameless = std::tmpfile();
  assert(nameless != nullptr && std::fputs("text", nameless) >= 0);
  run_threads();
  std::cout << name << folder;
}
void whole_tree() {
  fs::create_directories("a/b/c");
  std::ofstream("a/b/c/d") << 1;
  fs::copy("full", "a/copy", fs::copy_options::recursive);
  const auto removed = fs::remove_all("full");
  run_threads();
  std::cout << removed << fs::exists("full") << fs::exists("a/copy/file");
}
void attributes() {
  struct stat before {};
  stat("old.txt", &before);
  chmod("old.txt", 0640);
  const utimbuf times = {1000, 2000};
  utime("old.txt", &times);
  run_threads();
  struct stat after {};
  stat("old.txt", &after);
  std::cout << (before.st_mode & 0777) << ' ' << before.st_mtime << ' ' << (after.st_mode & 0777) << after.st_mtime;
}
void moves_about() {
  const mode_t mask = umask(077);
  assert(chdir("full") == 0);
  run_threads();
  std::cout << mask << contents("file") << contents("old.txt");
}
void descriptors() {
  const int first = open("old.txt", O_RDONLY);
  const int closed = close(0);
  const int second = open("old.txt", O_RDONLY);
  char byte = 0;
  assert(read(first, &byte, 1) == 1);
  run_threads();
  std::cout << closed << second << byte;
}
void by_number() {
  const long made = syscall(SYS_mkdir, "numbered", 0700);
  run_threads();
  std::cout << made;
}
void locks() {
  const int file = open("lock", O_RDWR | O_CREAT, 0600);
  struct flock lock {};
  lock.l_type = F_WRLCK;
  const int a = fcntl(file, F_SETLK, &lock);
  const int b = flock(file, LOCK_EX | LOCK_NB);
  run_threads();
  std::cout << a << b;
}
void devices() {
  std::ofstream("/dev/null") << "nothing";
  FILE* null = std::fopen("/dev/null", "w");
  std::fputs("nothing", null);
  std::fclose(null);
  run_threads();
  std::cout << "ok";
}
/// Dies in the middle of things, in one schedule of two.
void dies() {
  std::thread t([] { x = 1; });
  std::ofstream("old.txt") << "dying";
  mkdir("dying", 0700);
  std::rename("full", "dying/full");
  if (x == 1) abort();
  t.join();
}
void is_killed() {
  std::ofstream("old.txt") << "dying";
  mkdir("dying", 0700);
  std::rename("full", "dying/full");
  volatile int never = 0;
  while (never == 0) {
  }
}

/// Both orders of what two threads do.
void two_writers() {
  std::thread t([] { std::ofstream("order", std::ios::app) << "1"; });
  std::thread u([] { std::ofstream("order", std::ios::app) << "2"; });
  t.join();
  u.join();
  std::cout << contents("order");
}
void reader_and_writer() {
  std::thread t([] { mkdir("seen", 0700); });
  struct stat what {};
  const int seen = stat("seen", &what);
  t.join();
  std::cout << seen;
}
void two_streams() {
  FILE* file = std::fopen("log", "w");
  setvbuf(file, nullptr, _IONBF, 0);
  std::thread t([file] { std::fprintf(file, "%d", 1); });
  std::fputs("2", file);
  t.join();
  std::fclose(file);
  std::cout << contents("log");
}
/// A stream without a descriptor.
void stream_in_memory() {
  char text[8] = "";
  FILE* file = fmemopen(text, sizeof text, "w");
  std::thread t([file] { std::fputc('1', file); });
  std::fputs("2", file);
  t.join();
  std::fclose(file);
  std::cout << text;
}
void end_of_stream() {
  FILE* file = std::fopen("old.txt", "r");
  std::thread t([file] {
    char byte[8];
    fread_unlocked(byte, 1, sizeof byte, file);
  });
  const int at_end = std::feof(file) != 0 ? 1 : 0;
  t.join();
  std::cout << at_end;
}
/// Whether statx() and glob() find a file that another thread makes.
void looks_twice() {
  std::thread t([] { mkdir("seen", 0700); });
  struct statx what;
  glob_t names;
  const int first = statx(AT_FDCWD, "seen", 0, STATX_SIZE, &what);
  const int second = glob("see*", 0, nullptr, &names);
  t.join();
  std::cout << (first == 0 ? 1 : 0) << (second == 0 ? 1 : 0);
}
void two_readers() {
  int sum = 0;
  std::thread t([] {
    struct stat what;
    stat("old.txt", &what);
  });
  struct stat what {};
  sum += stat("old.txt", &what);
  t.join();
  std::cout << sum;
}
/// By a way that is no step.
// What is no step does not matter before there are other threads.
void unseen_before_threads() {
  FILE* file = std::fopen("log", "w");
  setvbuf(file, nullptr, _IONBF, 0);
  putc_unlocked('0', file);
  std::thread t([file] { std::fputs("1", file); });
  std::fputs("2", file);
  t.join();
  std::fclose(file);
  std::cout << contents("log");
}
void unseen_order() {
  FILE* file = std::fopen("log", "w");
  setvbuf(file, nullptr, _IONBF, 0);
  std::thread t([file] { putc_unlocked('1', file); });
  putc_unlocked('2', file);
  t.join();
}

void maps() {
  const int file = open("old.txt", O_RDWR);
  mmap(nullptr, 3, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
}
void reads_mapped() {
  const int file = open("old.txt", O_RDONLY);
  const void* text = mmap(nullptr, 3, PROT_READ, MAP_SHARED, file, 0);
  run_threads();
  std::cout << std::string(static_cast<const char*>(text), 3);
}
void extended() { setxattr("old.txt", "user.a", "b", 1, 0); }
void devices_made() { mknod("disk", S_IFBLK | 0600, 0x700); }
void new_root() { chroot("full"); }
void unlinks_one_name() {
  link("old.txt", "hard");
  unlink("old.txt");
}
void writes_to_kernel() { std::ofstream("/proc/self/comm") << "name"; }
void redirects() {
  const int file = open("out", O_WRONLY | O_CREAT, 0600);
  dup2(file, 1);
}
void shared_memory() { syscall(SYS_shmget, 1, 4096, 0600 | 01000); }
void socket_file() {
  sockaddr_un address = {AF_UNIX, "socket"};
  const int file = socket(AF_UNIX, SOCK_STREAM, 0);
  const int result = bind(file, reinterpret_cast<sockaddr*>(&address), sizeof address);
  run_threads();
  std::cout << result;
}

// Opened and written before main, and written in it.
struct Early {
  std::FILE* file = nullptr;
  Early() {
    if (std::getenv("MAZURKA_TEST_EARLY") == nullptr) return;
    file = std::fopen("early", "w+");
    setvbuf(file, nullptr, _IONBF, 0);
    std::fputs("before", file);
  }
} early;
void before_main() {
  const std::string found = contents("early");
  std::fputs("main", early.file);
  run_threads();
  std::cout << found << contents("early");
}

}  // namespace

int main(int argc, char** argv) {
  const std::string scenario = argc > 1 ? argv[1] : "";
#define SCENARIO(NAME) \
  if (scenario == #NAME) return NAME(), 0;
  SCENARIO(makes_folder)
  SCENARIO(creates)
  SCENARIO(appends)
  SCENARIO(overwrites)
  SCENARIO(removes)
  SCENARIO(renames)
  SCENARIO(exchanges)
  SCENARIO(links)
  SCENARIO(truncates)
  SCENARIO(temporary)
  SCENARIO(whole_tree)
  SCENARIO(attributes)
  SCENARIO(moves_about)
  SCENARIO(descriptors)
  SCENARIO(by_number)
  SCENARIO(locks)
  SCENARIO(devices)
  SCENARIO(dies)
  SCENARIO(is_killed)
  SCENARIO(two_writers)
  SCENARIO(reader_and_writer)
  SCENARIO(two_streams)
  SCENARIO(stream_in_memory)
  SCENARIO(end_of_stream)
  SCENARIO(looks_twice)
  SCENARIO(two_readers)
  SCENARIO(unseen_before_threads)
  SCENARIO(unseen_order)
  SCENARIO(maps)
  SCENARIO(reads_mapped)
  SCENARIO(extended)
  SCENARIO(devices_made)
  SCENARIO(new_root)
  SCENARIO(unlinks_one_name)
  SCENARIO(writes_to_kernel)
  SCENARIO(redirects)
  SCENARIO(shared_memory)
  SCENARIO(socket_file)
  SCENARIO(before_main)
  std::fprintf(stderr, "no such scenario: %s\n", scenario.c_str());
  return 2;
}
