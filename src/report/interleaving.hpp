// The interleaving as a table: time goes down, each thread has a column, and the code stands at the right. Only one
// thread moves at a time, so the text of a step may cover the columns to its right.
#pragma once

#include <string>

#include "report/canvas.hpp"
#include "report/story.hpp"

namespace mazurka::report {

std::string interleaving(const Story& story, const Style& style);

}  // namespace mazurka::report
