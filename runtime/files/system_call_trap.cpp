// A seccomp filter raises SIGSYS. The runtime makes all its own system calls by one instruction, whose address the
// filter lets pass. The handler runs on the caller's stack, so it may abandon that stack.
//
// The filter checks the call number first. For numbers that are allowed whatever the other fields are, such as
// sched_yield, the kernel caches that result and does not run the filter.
#include "runtime/files/system_call_trap.hpp"

#include <cstddef>

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/fs.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <ucontext.h>
#include <unistd.h>

#include "runtime/arch.hpp"
#include "runtime/files/file_calls.hpp"
#include "runtime/files/file_use.hpp"
#include "runtime/files/files.hpp"
#include "runtime/posix/signals.hpp"
#include "runtime/scheduling/scheduling.hpp"
#include "runtime/waiting/trial.hpp"
#include "runtime/worker/outcome.hpp"

extern "C" const char mazurka_system_call_return[];

namespace mazurka::runtime {

bool trapping_system_calls;

namespace {

constexpr long kFirstUnknown = 467;  // system calls from here on are newer than this code

bool only_reads(long number) {
  switch (number) {
    case SYS_read:
    case SYS_pread64:
    case SYS_readv:
    case SYS_preadv:
    case SYS_preadv2:
    case SYS_getdents64: return true;
    default: return false;
  }
}

void on_system_call(int, siginfo_t* info, void* context) {
  no_trial();
  auto& registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
  constexpr int kBySeccomp = 1;
  if (info->si_code != kBySeccomp) {
    worker.channel->raised = {SIGSYS, 0};
    fail(FailureKind::Signal, "", self().site);
  }
  const long number = info->si_syscall;
  const long arguments[6] = {registers[REG_RDI], registers[REG_RSI], registers[REG_RDX],
                             registers[REG_R10], registers[REG_R8],  registers[REG_R9]};
  const char* name = name_of_file_call(number);
  const bool is_write = number == SYS_write || number == SYS_writev;
  if (is_write && is_output(static_cast<int>(arguments[0]))) {
    registers[REG_RAX] = number == SYS_write
                             ? write(static_cast<int>(arguments[0]), reinterpret_cast<const void*>(arguments[1]),
                                     static_cast<std::size_t>(arguments[2]))
                             : writev(static_cast<int>(arguments[0]), reinterpret_cast<const iovec*>(arguments[1]),
                                      static_cast<int>(arguments[2]));
    return;
  }
  note_use_without_step(!only_reads(number), name == nullptr ? "an unknown system call" : name, self().site);
  registers[REG_RAX] = file_call(number, arguments, self().site);
}

/// Builds a BPF program, with jumps to a trap label that install() resolves.
class Filter {
 public:
  void load(std::size_t offset) { add(BPF_LD | BPF_W | BPF_ABS, static_cast<std::uint32_t>(offset), 0, 0); }
  void skip_unless(std::uint32_t value, std::uint8_t count) { add(BPF_JMP | BPF_JEQ | BPF_K, value, 0, count); }
  void trap_if(std::uint32_t value) { add(BPF_JMP | BPF_JEQ | BPF_K, value, kTrap, 0); }
  void trap_from(std::uint32_t value) { add(BPF_JMP | BPF_JGE | BPF_K, value, kTrap, 0); }
  void trap_unless(std::uint32_t value) { add(BPF_JMP | BPF_JEQ | BPF_K, value, 0, kTrap); }

  /// Adds the end: calls that would be trapped pass if they come from `own`.
  bool install(std::uint64_t own) {
    const std::uint16_t allow = count_;
    add(BPF_RET | BPF_K, SECCOMP_RET_ALLOW, 0, 0);
    const std::uint16_t trap = count_;
    for (std::uint16_t i = 0; i < allow; ++i) {
      const auto resolve = [&](std::uint8_t& jump) {
        if (jump == kTrap) jump = static_cast<std::uint8_t>(trap - i - 1);
      };
      if (BPF_CLASS(code_[i].code) != BPF_JMP) continue;
      resolve(code_[i].jt);
      resolve(code_[i].jf);
    }
    load(offsetof(seccomp_data, instruction_pointer));
    skip_unless(static_cast<std::uint32_t>(own), 3);
    load(offsetof(seccomp_data, instruction_pointer) + 4);
    skip_unless(static_cast<std::uint32_t>(own >> 32), 1);
    add(BPF_RET | BPF_K, SECCOMP_RET_ALLOW, 0, 0);
    add(BPF_RET | BPF_K, SECCOMP_RET_TRAP, 0, 0);
    const sock_fprog program = {count_, code_};
    raw_syscall(SYS_prctl, PR_SET_NO_NEW_PRIVS, 1);
    return raw_syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_SPEC_ALLOW,
                       reinterpret_cast<long>(&program)) == 0;
  }

 private:
  static constexpr std::uint8_t kTrap = 255;

  void add(int code, std::uint32_t value, std::uint8_t jump_true, std::uint8_t jump_false) {
    code_[count_++] = {static_cast<std::uint16_t>(code), jump_true, jump_false, value};
  }

  sock_filter code_[240];
  std::uint16_t count_ = 0;
};

}  // namespace

void trap_system_calls() {
  struct sigaction action = {};
  action.sa_sigaction = on_system_call;
  action.sa_flags = SA_SIGINFO | SA_NODEFER;
  set_real_handler(SIGSYS, action);

  Filter filter;
  filter.load(offsetof(seccomp_data, arch));
  filter.trap_unless(AUDIT_ARCH_X86_64);
  filter.load(offsetof(seccomp_data, nr));
  constexpr std::size_t kSecondArgument = offsetof(seccomp_data, args) + 8;
  filter.skip_unless(SYS_fcntl, 5);
  filter.load(kSecondArgument);
  filter.trap_if(F_DUPFD);
  filter.trap_if(F_DUPFD_CLOEXEC);
  filter.trap_if(F_SETFL);
  filter.load(offsetof(seccomp_data, nr));
  filter.skip_unless(SYS_ioctl, 6);
  filter.load(kSecondArgument);
  filter.trap_if(FICLONE);
  filter.trap_if(FICLONERANGE);
  filter.trap_if(FS_IOC_SETFLAGS);
  filter.trap_if(FS_IOC_FSSETXATTR);
  filter.load(offsetof(seccomp_data, nr));
  filter.trap_from(kFirstUnknown);
  for (long number = 0; number < kFirstUnknown; ++number)
    if (number != SYS_fcntl && number != SYS_ioctl && name_of_file_call(number) != nullptr)
      filter.trap_if(static_cast<std::uint32_t>(number));
  trapping_system_calls = filter.install(reinterpret_cast<std::uint64_t>(mazurka_system_call_return));
}

}  // namespace mazurka::runtime
