#include "runtime/files/file_use.hpp"

#include <initializer_list>

#include "runtime/files/files.hpp"
#include "runtime/scheduling/scheduler.hpp"
#include "runtime/scheduling/scheduling.hpp"
#include "runtime/worker/outcome.hpp"
#include "runtime/worker/worker.hpp"

namespace mazurka::runtime {
namespace {

/// The users of files as index + 1, by whether they use a scheduling point and whether they change something. In the
/// program's memory, so that an execution starts without any.
constexpr std::uint32_t kSeveral = UINT32_MAX;
std::uint32_t users[2][2];

void note_user(bool step, bool changes, const char* call, std::uint64_t site) {
  const std::uint32_t me = self().index + 1;
  for (const bool other_step : {false, true})
    for (const bool other_changes : {false, true}) {
      const std::uint32_t other = users[other_step ? 1 : 0][other_changes ? 1 : 0];
      if ((step && other_step) || (!changes && !other_changes) || other == 0 || other == me) continue;
      char text[128];
      Text(text, sizeof text) << call << "() on files that several threads use";
      unsupported(text, site);
    }
  std::uint32_t& user = users[step ? 1 : 0][changes ? 1 : 0];
  user = user == 0 || user == me ? me : kSeveral;
}

}  // namespace

FileUse::FileUse(bool changes, std::uint64_t site) : outermost_(!self().using_files) {
  if (!outermost_) return;
  if (changes) note_used_files();
  if (scheduling.exploring && !worker.standalone) {
    note_user(true, changes, "a call", site);
    Operation use = operation(changes ? OperationKind::ReadModifyWrite : OperationKind::Load);
    use.object = protocol::kFiles;
    use.size = 1;
    perform(use, site);
  }
  self().using_files = true;
}

FileUse::~FileUse() {
  if (outermost_) self().using_files = false;
}

void note_use_without_step(bool changes, const char* call, std::uint64_t site) {
  if (!scheduling.exploring || self().using_files) return;
  if (changes) note_used_files();
  // While main is the only thread, everything it does happens before all other threads.
  if (lives_may_race()) note_user(false, changes, call, site);
}

}  // namespace mazurka::runtime
