// Messages between ranks over MPI. No other file uses MPI. This one is a shared library of its own, which mazurka loads
// only if it was started as one of several ranks; otherwise it needs no MPI and starts without it.
//
// Sends do not block (MPI_Isend): if a rank and rank 0 both blocked in a send to each other, that would be a deadlock.
// One thread of a rank at a time calls MPI, but not always the same one (MPI_THREAD_SERIALIZED).
#include <cstring>
#include <list>
#include <stdexcept>
#include <string>

#include <mpi.h>

#include "core/transport.hpp"

namespace mazurka {
namespace {

void check(int status, const char* call) {
  if (status == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING];
  int length = 0;
  MPI_Error_string(status, text, &length);
  throw std::runtime_error(std::string(call) + ": " + std::string(text, static_cast<std::size_t>(length)));
}

class MpiTransport final : public Transport {
 public:
  MpiTransport() {
    int provided = 0;
    check(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &provided), "MPI_Init_thread");
    check(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
    if (provided < MPI_THREAD_SERIALIZED)
      throw std::runtime_error("this MPI cannot be used by several threads, one at a time");
    int number = 0;
    check(MPI_Comm_rank(MPI_COMM_WORLD, &number), "MPI_Comm_rank");
    rank_ = static_cast<std::uint32_t>(number);
    check(MPI_Comm_size(MPI_COMM_WORLD, &number), "MPI_Comm_size");
    ranks_ = static_cast<std::uint32_t>(number);
  }
  /// Blocks until all ranks get here, as MPI_Finalize demands, and until everything that was sent has left.
  ~MpiTransport() override {
    for (Outgoing& sent : outgoing_) MPI_Wait(&sent.request, MPI_STATUS_IGNORE);
    MPI_Finalize();
  }

  std::uint32_t rank() const override { return rank_; }
  std::uint32_t ranks() const override { return ranks_; }

  void send(std::uint32_t to, std::span<const std::byte> message) override {
    forget_sent();
    Outgoing& sent = outgoing_.emplace_back();
    sent.message.assign(message.begin(), message.end());
    check(MPI_Isend(sent.message.data(), static_cast<int>(message.size()), MPI_BYTE, static_cast<int>(to), 0,
                    MPI_COMM_WORLD, &sent.request),
          "MPI_Isend");
  }

  std::optional<Received> receive() override {
    int is_there = 0;
    MPI_Message handle = MPI_MESSAGE_NULL;
    MPI_Status status;
    check(MPI_Improbe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &is_there, &handle, &status), "MPI_Improbe");
    if (is_there == 0) return std::nullopt;
    int count = 0;
    check(MPI_Get_count(&status, MPI_BYTE, &count), "MPI_Get_count");
    Received received{static_cast<std::uint32_t>(status.MPI_SOURCE), Bytes(static_cast<std::size_t>(count))};
    check(MPI_Mrecv(received.message.data(), count, MPI_BYTE, &handle, &status), "MPI_Mrecv");
    return received;
  }

 private:
  struct Outgoing {
    Bytes message;
    MPI_Request request = MPI_REQUEST_NULL;
  };

  /// Frees the messages that have left. Most leave at once, in order.
  void forget_sent() {
    while (!outgoing_.empty()) {
      int has_left = 0;
      check(MPI_Test(&outgoing_.front().request, &has_left, MPI_STATUS_IGNORE), "MPI_Test");
      if (has_left == 0) return;
      outgoing_.pop_front();
    }
  }

  std::uint32_t rank_ = 0;
  std::uint32_t ranks_ = 1;
  std::list<Outgoing> outgoing_;
};

}  // namespace
}  // namespace mazurka

/// What mazurka calls once it has loaded this library (cli/ranks.cpp).
extern "C" mazurka::Transport* mazurka_connect_ranks() { return new mazurka::MpiTransport(); }
