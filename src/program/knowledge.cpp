// What executors of one program tell each other, and later ones.
#include <algorithm>
#include <utility>

#include "core/invariant.hpp"
#include "program/executor.hpp"

namespace mazurka::program {

void ProgramExecutor::learn_from(const Executor& other) {
  learn_waits(dynamic_cast<const ProgramExecutor&>(other).waits_);
  refresh();
}

void ProgramExecutor::learn_waits(const std::vector<protocol::Wait>& waits) {
  const std::size_t known = waits_.size();
  for (const protocol::Wait& wait : waits)
    if (std::find(waits_.begin(), waits_.end(), wait) == waits_.end()) waits_.push_back(wait);
  // Of several for one site the last counts: the one that is learnt from the others, whoever came first. So all
  // executors have them in one order.
  const auto rank = [](const protocol::Wait& wait) {
    const bool corrects = wait.kind == protocol::WaitKind::None;
    const bool is_first = wait.kind == protocol::WaitKind::Assumed;
    return std::pair(wait.site, corrects ? UINT32_MAX : (is_first ? 0 : static_cast<std::uint32_t>(wait.kind)));
  };
  if (waits_.size() != known || !std::ranges::equal(waits_, waits)) std::ranges::sort(waits_, {}, rank);
}

ProgramExecutor::Knowledge ProgramExecutor::knowledge() const {
  return {process_entries_, waits_, intended_races_, goals(), has_long_waits_, load_base_, main_frame_};
}

void ProgramExecutor::restore(const Knowledge& knowledge) {
  for (const protocol::ProcessEntry& process : knowledge.processes) segment_->processes().enter(process);
  MZ_INVARIANT(
      !configuration().registry || configuration().registry->agree(0, knowledge.processes) == knowledge.processes,
      "a search is resumed before ranks have met any thread");
  read_processes();
  waits_ = knowledge.waits;
  intended_races_ = knowledge.intended_races;
  goals_before_ = knowledge.goals;
  has_long_waits_ = knowledge.has_long_waits;
  expects_addresses_ = knowledge.load_base != 0;
  load_base_ = knowledge.load_base;
  main_frame_ = knowledge.main_frame;
}

void ProgramExecutor::learn(const Knowledge& knowledge) {
  const std::size_t known = process_entries_.size();
  MZ_INVARIANT(
      std::equal(process_entries_.begin(),
                 process_entries_.begin() + static_cast<std::ptrdiff_t>(std::min(known, knowledge.processes.size())),
                 knowledge.processes.begin()),
      "an index means the same process in all ranks");
  learn_waits(knowledge.waits);
  if (knowledge.load_base != 0 && !expects_addresses_) {
    if (load_base_ == 0) {
      load_base_ = knowledge.load_base;
      main_frame_ = knowledge.main_frame;
    }
    expects_addresses_ = true;
    MZ_INVARIANT(load_base_ == knowledge.load_base && main_frame_ == knowledge.main_frame,
                 "a program lies at the same addresses in all ranks");
  }
}

void ProgramExecutor::refresh() {
  if (configuration().registry) {
    const ProcessRegistry::Entries agreed =
        configuration().registry->agree(static_cast<std::uint32_t>(process_entries_.size()), {});
    std::copy(agreed.begin(), agreed.end(), segment_->processes().entries + process_entries_.size());
  }
  read_processes();
  for (std::uint32_t i = 0; i < configuration().workers + configuration().explorers && load_base_ == 0; ++i) {
    load_base_ = segment_->channel(i).load_base;
    main_frame_ = segment_->channel(i).main_frame;
  }
}

}  // namespace mazurka::program
