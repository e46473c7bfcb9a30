// A failing execution as a person reads it.
#pragma once

#include <string>

#include "report/canvas.hpp"
#include "report/story.hpp"

namespace mazurka::report {

/// Headline, the interleaving, who waits for what and who holds it, warnings, and how to see it again.
std::string text(const Story& story, const Style& style);

}  // namespace mazurka::report
