#include "runtime/worker/output.hpp"

#include <initializer_list>

#include <stdio.h>
#include <stdio_ext.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "runtime/arch.hpp"
#include "runtime/export.hpp"
#include "runtime/files/file_calls.hpp"
#include "runtime/files/file_use.hpp"
#include "runtime/files/files.hpp"
#include "runtime/messages/sending.hpp"
#include "runtime/own_calls.hpp"
#include "runtime/posix/c_library.hpp"
#include "runtime/scheduling/scheduling.hpp"
#include "runtime/scheduling/site.hpp"
#include "runtime/waiting/trial.hpp"
#include "runtime/worker/outcome.hpp"
#include "runtime/worker/worker.hpp"

namespace mazurka::runtime {
namespace {

/// Records which thread printed the last bytes, and after which step.
void note_part(protocol::Channel& channel) {
  std::uint32_t& count = channel.output_part_count;
  const auto is_last = [&](const protocol::OutputPart& part) {
    return part.after == scheduling.step && part.process == self().index;
  };
  // If the table is full, the last part takes the rest.
  const bool full = count == protocol::kMaxOutputParts;
  if (count == 0 || (!is_last(channel.output_parts[count - 1]) && !full))
    channel.output_parts[count++] = {scheduling.step, self().index, 0};
  channel.output_parts[count - 1].end = channel.output_length;
}

long put(const char* text, std::size_t bytes) {
  no_trial();
  protocol::Channel& channel = *worker.channel;
  const std::size_t room = protocol::kOutputBytes - channel.output_length;
  const std::size_t kept = bytes < room ? bytes : room;
  copy_bytes(channel.output + channel.output_length, text, kept);
  channel.output_length += static_cast<std::uint32_t>(kept);
  channel.output_lost += static_cast<std::uint32_t>(bytes - kept);
  note_part(channel);
  return static_cast<long>(bytes);
}

/// Whether what the streams write is the program's.
bool streams_are_open;

ssize_t put_stream(void*, const char* text, std::size_t bytes) {
  return streams_are_open ? put(text, bytes) : static_cast<ssize_t>(bytes);
}

/// The C library's own function: that of files/streams.cpp is a scheduling point.
void unbuffer(FILE* stream) {
  reinterpret_cast<decltype(&setvbuf)>(next_function("setvbuf"))(stream, nullptr, _IONBF, 0);
}

/// An unbuffered stream: a crash loses no output, and stdout and stderr keep their order.
FILE* captured_stream() {
  cookie_io_functions_t functions = {};
  functions.write = put_stream;
  FILE* stream = fopencookie(nullptr, "w", functions);
  unbuffer(stream);
  // The scheduler never switches inside the C library, so the stream needs no locks of its own, and must not
  // take any.
  __fsetlocking(stream, FSETLOCKING_BYCALLER);
  // The first write sets a flag of the stream, which would be a change by whichever step comes first.
  reinterpret_cast<decltype(&fputc_unlocked)>(next_function("fputc_unlocked"))('\n', stream);
  return stream;
}

bool captured(int file) {
  return worker.channel != nullptr && !worker.channel->settings.pass_output && (file == 1 || file == 2);
}

}  // namespace

void capture_output() {
  if (worker.channel->settings.pass_output) {
    __fsetlocking(stdout, FSETLOCKING_BYCALLER);
    __fsetlocking(stderr, FSETLOCKING_BYCALLER);
    return;
  }
  stdout = captured_stream();
  stderr = captured_stream();
  streams_are_open = true;
}

void capture_streams() {
  for (FILE* stream : {stdout, stderr}) {
    __fpurge(stream);  // the parent process still has it
    unbuffer(stream);
    __fsetlocking(stream, FSETLOCKING_BYCALLER);
  }
}

namespace {

long write_to_file(int file, long number, const void* what, long count, std::uint64_t site) {
  if (is_output(file)) return or_errno(raw_syscall(number, file, reinterpret_cast<long>(what), count));
  const FileUse use(true, site);
  return or_errno(file_call(number, site, file, reinterpret_cast<long>(what), count));
}

}  // namespace

long write_bytes(int file, const void* text, std::size_t bytes, const Caller& caller) {
  if (is_channel(file)) return write_or_signal(file, text, bytes, {}, true, caller.site());
  const Input copy(text, bytes, caller);
  if (captured(file)) return put(copy.text(), bytes);
  return write_to_file(file, SYS_write, copy.address(), static_cast<long>(bytes), caller.site());
}

}  // namespace mazurka::runtime

using namespace mazurka::runtime;

MAZURKA_REPLACEABLE ssize_t write(int file, const void* text, std::size_t bytes) {
  return write_bytes(file, text, bytes, MAZURKA_CALLER);
}

MAZURKA_REPLACEABLE ssize_t writev(int file, const iovec* parts, int count) {
  const std::uint64_t site = MAZURKA_SITE;
  if (is_channel(file)) unsupported("writev() to a pipe, socket or the like", site);
  // If accesses are scheduling points, others may write between those of the call and its step: write a copy.
  const GatheredInput all(parts, count, MAZURKA_CALLER);
  if (captured(file)) {
    long total = 0;
    for (const iovec* part = all.parts(); part != all.parts() + all.count(); ++part)
      total += put(static_cast<const char*>(part->iov_base), part->iov_len);
    return total;
  }
  return write_to_file(file, SYS_writev, all.parts(), all.count(), site);
}
