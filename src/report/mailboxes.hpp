// What is left in the mailboxes at the end of an execution.
#pragma once

#include <vector>

#include "report/story.hpp"

namespace mazurka::report {

std::vector<Story::Mailbox> mailboxes_of(const Names& names, const Execution& execution);

}  // namespace mazurka::report
