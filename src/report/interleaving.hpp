// The interleaving as a table: time goes down, each thread has a column, and the code stands at the right. Only one
// thread moves at a time, so the text of a step may cover the columns to its right.
#pragma once

#include <string>
#include <string_view>

#include "report/canvas.hpp"
#include "report/story.hpp"

namespace mazurka::report {

std::string interleaving(const Story& story, const Style& style);

/// Whether an object has no name of the program's own, or belongs to a test framework: a failing assertion uses such
/// objects itself.
bool is_foreign(std::string_view object);

}  // namespace mazurka::report
