// Messages between threads, as between the ranks of MPI: in order for each pair, and as late as chance has it.
#pragma once

#include <deque>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "core/random.hpp"
#include "core/transport.hpp"

namespace mazurka::testing {

/// All queues between so many ranks.
class Queues {
 public:
  Queues(std::uint32_t ranks, std::uint64_t seed) : ranks_(ranks), seed_(seed), queues_(ranks * ranks) {}

  class Endpoint final : public Transport {
   public:
    Endpoint(Queues& all, std::uint32_t rank) : all_(all), rank_(rank), random_(all.seed_ * 1000 + rank) {}
    std::uint32_t rank() const override { return rank_; }
    std::uint32_t ranks() const override { return all_.ranks_; }
    void send(std::uint32_t to, std::span<const std::byte> message) override {
      const std::lock_guard lock(all_.mutex_);
      all_.queue(rank_, to).emplace_back(message.begin(), message.end());
    }
    std::optional<Received> receive() override {
      const std::lock_guard lock(all_.mutex_);
      const auto first = static_cast<std::uint32_t>(random_.below(all_.ranks_));
      for (std::uint32_t i = 0; i < all_.ranks_; ++i) {
        const std::uint32_t from = (first + i) % all_.ranks_;
        auto& queue = all_.queue(from, rank_);
        if (queue.empty() || random_.below(3) == 0) continue;  // there is one, but it has not arrived yet
        Received received{from, std::move(queue.front())};
        queue.pop_front();
        return received;
      }
      return std::nullopt;
    }

   private:
    Queues& all_;
    std::uint32_t rank_;
    SplitMix64 random_;
  };

 private:
  std::deque<Bytes>& queue(std::uint32_t from, std::uint32_t to) { return queues_[from * ranks_ + to]; }

  std::uint32_t ranks_;
  std::uint64_t seed_;
  std::mutex mutex_;
  std::vector<std::deque<Bytes>> queues_;
};

}  // namespace mazurka::testing
