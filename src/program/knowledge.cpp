// What executors of one program tell each other, and later ones.
#include <algorithm>
#include <utility>

#include "program/executor.hpp"

namespace mazurka::program {

void ProgramExecutor::learn_from(const Executor& other) {
  const auto& program = dynamic_cast<const ProgramExecutor&>(other);
  const std::size_t known = waits_.size();
  for (const protocol::Wait& wait : program.waits_)
    if (std::find(waits_.begin(), waits_.end(), wait) == waits_.end()) waits_.push_back(wait);
  // Of several for one site the last counts: the one that is learnt from the others, whoever came first. So all
  // executors have them in one order.
  const auto rank = [](const protocol::Wait& wait) {
    const bool corrects = wait.kind == protocol::WaitKind::None;
    const bool is_first = wait.kind == protocol::WaitKind::Assumed;
    return std::pair(wait.site, corrects ? UINT32_MAX : (is_first ? 0 : static_cast<std::uint32_t>(wait.kind)));
  };
  if (waits_.size() != known || !std::ranges::equal(waits_, program.waits_)) std::ranges::sort(waits_, {}, rank);
  refresh();
}

ProgramExecutor::Knowledge ProgramExecutor::knowledge() const {
  return {process_entries_, waits_, intended_races_, goals(), has_long_waits_, load_base_, main_frame_};
}

void ProgramExecutor::restore(const Knowledge& knowledge) {
  for (const protocol::ProcessEntry& process : knowledge.processes) segment_->processes().enter(process);
  read_processes();
  waits_ = knowledge.waits;
  intended_races_ = knowledge.intended_races;
  goals_before_ = knowledge.goals;
  has_long_waits_ = knowledge.has_long_waits;
  expects_addresses_ = knowledge.load_base != 0;
  load_base_ = knowledge.load_base;
  main_frame_ = knowledge.main_frame;
}

void ProgramExecutor::refresh() {
  read_processes();
  for (std::uint32_t i = 0; i < configuration().workers + configuration().explorers && load_base_ == 0; ++i) {
    load_base_ = segment_->channel(i).load_base;
    main_frame_ = segment_->channel(i).main_frame;
  }
}

}  // namespace mazurka::program
