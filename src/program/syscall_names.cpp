#include "program/syscall_names.hpp"

#include <fmt/format.h>
#include <sys/syscall.h>

namespace mazurka::program {

std::string syscall_name(long number) {
  switch (number) {
    case SYS_accept: return "accept";
    case SYS_accept4: return "accept4";
    case SYS_bind: return "bind";
    case SYS_clock_nanosleep: return "clock_nanosleep";
    case SYS_clone: return "clone";
    case SYS_clone3: return "clone3";
    case SYS_close: return "close";
    case SYS_connect: return "connect";
    case SYS_copy_file_range: return "copy_file_range";
    case SYS_creat: return "creat";
    case SYS_epoll_pwait: return "epoll_pwait";
    case SYS_epoll_pwait2: return "epoll_pwait2";
    case SYS_epoll_wait: return "epoll_wait";
    case SYS_eventfd2: return "eventfd2";
    case SYS_execve: return "execve";
    case SYS_execveat: return "execveat";
    case SYS_fallocate: return "fallocate";
    case SYS_fcntl: return "fcntl";
    case SYS_fdatasync: return "fdatasync";
    case SYS_flock: return "flock";
    case SYS_fork: return "fork";
    case SYS_fsync: return "fsync";
    case SYS_futex: return "futex";
    case SYS_futex_waitv: return "futex_waitv";
    case SYS_getdents64: return "getdents64";
    case SYS_getrandom: return "getrandom";
    case SYS_io_getevents: return "io_getevents";
    case SYS_io_uring_enter: return "io_uring_enter";
    case SYS_ioctl: return "ioctl";
    case SYS_kill: return "kill";
    case SYS_listen: return "listen";
    case SYS_lseek: return "lseek";
    case SYS_mmap: return "mmap";
    case SYS_mprotect: return "mprotect";
    case SYS_mq_timedreceive: return "mq_timedreceive";
    case SYS_mq_timedsend: return "mq_timedsend";
    case SYS_msgrcv: return "msgrcv";
    case SYS_msgsnd: return "msgsnd";
    case SYS_msync: return "msync";
    case SYS_munmap: return "munmap";
    case SYS_nanosleep: return "nanosleep";
    case SYS_newfstatat: return "newfstatat";
    case SYS_open: return "open";
    case SYS_openat: return "openat";
    case SYS_openat2: return "openat2";
    case SYS_pause: return "pause";
    case SYS_pipe: return "pipe";
    case SYS_pipe2: return "pipe2";
    case SYS_poll: return "poll";
    case SYS_ppoll: return "ppoll";
    case SYS_pread64: return "pread64";
    case SYS_preadv: return "preadv";
    case SYS_pselect6: return "pselect6";
    case SYS_ptrace: return "ptrace";
    case SYS_pwrite64: return "pwrite64";
    case SYS_pwritev: return "pwritev";
    case SYS_read: return "read";
    case SYS_readv: return "readv";
    case SYS_recvfrom: return "recvfrom";
    case SYS_recvmmsg: return "recvmmsg";
    case SYS_recvmsg: return "recvmsg";
    case SYS_restart_syscall: return "restart_syscall";
    case SYS_rt_sigaction: return "rt_sigaction";
    case SYS_rt_sigsuspend: return "rt_sigsuspend";
    case SYS_rt_sigtimedwait: return "rt_sigtimedwait";
    case SYS_select: return "select";
    case SYS_semop: return "semop";
    case SYS_semtimedop: return "semtimedop";
    case SYS_sendfile: return "sendfile";
    case SYS_sendmmsg: return "sendmmsg";
    case SYS_sendmsg: return "sendmsg";
    case SYS_sendto: return "sendto";
    case SYS_sched_yield: return "sched_yield";
    case SYS_signalfd4: return "signalfd4";
    case SYS_socket: return "socket";
    case SYS_splice: return "splice";
    case SYS_sync: return "sync";
    case SYS_syncfs: return "syncfs";
    case SYS_tee: return "tee";
    case SYS_tgkill: return "tgkill";
    case SYS_timerfd_settime: return "timerfd_settime";
    case SYS_tkill: return "tkill";
    case SYS_unlink: return "unlink";
    case SYS_vfork: return "vfork";
    case SYS_vmsplice: return "vmsplice";
    case SYS_wait4: return "wait4";
    case SYS_waitid: return "waitid";
    case SYS_write: return "write";
    case SYS_writev: return "writev";
    default: return fmt::format("number {}", number);
  }
}

}  // namespace mazurka::program
