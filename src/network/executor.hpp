// Executes a network: each client is a process, each action an operation on its server, and a client with several edges
// has a choice between them.
#pragma once

#include <vector>

#include "core/priorities.hpp"
#include "core/serial_executor.hpp"
#include "network/product.hpp"

namespace mazurka::network {

class NetworkExecutor final : public SerialExecutor {
 public:
  explicit NetworkExecutor(const Network& network) : product_(network), state_(product_.layout().words()) {}

  std::size_t process_count() const override { return product_.network().clients().size(); }

  const Product& product() const { return product_; }
  /// The action that an operation of this executor performs.
  static ActionId action_of(const Operation& operation) { return operation.action(); }

 protected:
  void execute(const Job& job, Execution& into) override;

 private:
  std::span<const Offer> offers_of(ProcessIndex process) const;
  mazurka::Offer core_offer(ProcessIndex process, std::uint32_t alternative, const Offer& offer) const;
  /// Takes a step and records it; returns false if it is not enabled.
  bool take(Step step);
  bool is_stopped(ProcessIndex process) const { return steps_[process] >= most_steps_; }
  void wake();
  void collect_enabled();
  Step choose_by_priority(Priorities& priorities) const;
  void finish(bool only_sleepers_enabled);

  Product product_;
  std::vector<std::uint64_t> state_;
  std::vector<std::uint32_t> steps_;  // of each process so far
  std::uint32_t most_steps_ = Bound::kUnlimited;
  bool wants_deltas_ = false;
  Execution* execution_ = nullptr;  // the execution being filled
  std::vector<Sleeper> sleep_;
  std::vector<Step> enabled_;  // and not asleep
  bool any_enabled_ = false;   // asleep or not
};

}  // namespace mazurka::network
