// The system calls that change files or descriptors, or read files.
#include <sys/syscall.h>

#include "runtime/files/file_calls.hpp"

namespace mazurka::runtime {
namespace {

struct Name {
  long number;
  const char* text;
};

constexpr Name kNames[] = {
#define MAZURKA_CALL(NAME) \
  { SYS_##NAME, #NAME }
    MAZURKA_CALL(write),
    MAZURKA_CALL(open),
    MAZURKA_CALL(close),
    MAZURKA_CALL(pwrite64),
    MAZURKA_CALL(writev),
    MAZURKA_CALL(pipe),
    MAZURKA_CALL(dup),
    MAZURKA_CALL(dup2),
    MAZURKA_CALL(sendfile),
    MAZURKA_CALL(socket),
    MAZURKA_CALL(bind),
    MAZURKA_CALL(socketpair),
    MAZURKA_CALL(fcntl),
    MAZURKA_CALL(truncate),
    MAZURKA_CALL(ftruncate),
    MAZURKA_CALL(chdir),
    MAZURKA_CALL(fchdir),
    MAZURKA_CALL(rename),
    MAZURKA_CALL(mkdir),
    MAZURKA_CALL(rmdir),
    MAZURKA_CALL(creat),
    MAZURKA_CALL(link),
    MAZURKA_CALL(unlink),
    MAZURKA_CALL(symlink),
    MAZURKA_CALL(chmod),
    MAZURKA_CALL(fchmod),
    MAZURKA_CALL(chown),
    MAZURKA_CALL(fchown),
    MAZURKA_CALL(lchown),
    MAZURKA_CALL(umask),
    MAZURKA_CALL(utime),
    MAZURKA_CALL(mknod),
    MAZURKA_CALL(pivot_root),
    MAZURKA_CALL(chroot),
    MAZURKA_CALL(mount),
    MAZURKA_CALL(umount2),
    MAZURKA_CALL(swapon),
    MAZURKA_CALL(swapoff),
    MAZURKA_CALL(setxattr),
    MAZURKA_CALL(lsetxattr),
    MAZURKA_CALL(fsetxattr),
    MAZURKA_CALL(removexattr),
    MAZURKA_CALL(lremovexattr),
    MAZURKA_CALL(fremovexattr),
    MAZURKA_CALL(io_setup),
    MAZURKA_CALL(epoll_create),
    MAZURKA_CALL(utimes),
    MAZURKA_CALL(inotify_init),
    MAZURKA_CALL(openat),
    MAZURKA_CALL(mkdirat),
    MAZURKA_CALL(mknodat),
    MAZURKA_CALL(fchownat),
    MAZURKA_CALL(futimesat),
    MAZURKA_CALL(unlinkat),
    MAZURKA_CALL(renameat),
    MAZURKA_CALL(linkat),
    MAZURKA_CALL(symlinkat),
    MAZURKA_CALL(fchmodat),
    MAZURKA_CALL(splice),
    MAZURKA_CALL(utimensat),
    MAZURKA_CALL(signalfd),
    MAZURKA_CALL(eventfd),
    MAZURKA_CALL(fallocate),
    MAZURKA_CALL(signalfd4),
    MAZURKA_CALL(eventfd2),
    MAZURKA_CALL(epoll_create1),
    MAZURKA_CALL(dup3),
    MAZURKA_CALL(pipe2),
    MAZURKA_CALL(inotify_init1),
    MAZURKA_CALL(pwritev),
    MAZURKA_CALL(open_by_handle_at),
    MAZURKA_CALL(renameat2),
    MAZURKA_CALL(memfd_create),
    MAZURKA_CALL(copy_file_range),
    MAZURKA_CALL(pwritev2),
    MAZURKA_CALL(shmget),
    MAZURKA_CALL(semget),
    MAZURKA_CALL(msgget),
    MAZURKA_CALL(mq_open),
    MAZURKA_CALL(mq_unlink),
    MAZURKA_CALL(ioctl),
    MAZURKA_CALL(read),
    MAZURKA_CALL(pread64),
    MAZURKA_CALL(readv),
    MAZURKA_CALL(preadv),
    MAZURKA_CALL(preadv2),
    MAZURKA_CALL(getdents64),
    // Newer than some headers.
    {425, "io_uring_setup"},
    {428, "open_tree"},
    {429, "move_mount"},
    {430, "fsopen"},
    {431, "fsconfig"},
    {432, "fsmount"},
    {433, "fspick"},
    {436, "close_range"},
    {437, "openat2"},
    {442, "mount_setattr"},
    {452, "fchmodat2"},
    {463, "setxattrat"},
    {466, "removexattrat"},
#undef MAZURKA_CALL
};

}  // namespace

const char* name_of_file_call(long number) {
  for (const Name& entry : kNames)
    if (entry.number == number) return entry.text;
  return nullptr;
}

}  // namespace mazurka::runtime
