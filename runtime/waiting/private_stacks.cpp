#include "runtime/waiting/private_stacks.hpp"

#include "runtime/scheduling/site.hpp"
#include "runtime/waiting/answers.hpp"
#include "runtime/worker/outcome.hpp"
#include "runtime/worker/worker.hpp"

namespace mazurka::runtime {

using protocol::WaitKind;

void start_private_stacks() {
  const bool may_be = scheduling.reduces_waits && plain_accesses_are_steps();
  scheduling.stacks_are_private = may_be && kind_of(protocol::kStackSite) == WaitKind::None;
  scheduling.main_stack_is_private = may_be && kind_of(protocol::kMainStackSite) == WaitKind::None;
  scheduling.watches_stacks = scheduling.stacks_are_private || scheduling.main_stack_is_private;
}

void note_use_of_other_stack(const Operation& operation, std::uint64_t site) {
  const std::uint32_t owner = slot_of(operation.object);
  if (!lies_in_memory(family(operation.kind)) || owner == self().index || site == kInvisible ||
      !has_private_stack(threads.all[owner]))
    return;
  if (scheduling.in_trial || !scheduling.exploring || !scheduling.learns_waits) return;
  learn(owner == 0 ? protocol::kMainStackSite : protocol::kStackSite, WaitKind::Several);
  unsupported("a program with too many waiting loops", site);  // the table of waits is full
}

}  // namespace mazurka::runtime
