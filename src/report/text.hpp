// A failing execution as a person reads it.
#pragma once

#include <string>
#include <string_view>

#include "report/canvas.hpp"
#include "report/story.hpp"

namespace mazurka::report {

/// Headline, the interleaving, who waits for what and who holds it, warnings, and how to see it again.
std::string text(const Story& story, const Style& style);

/// One item of a list below it, broken into lines that stand under each other.
std::string item(const std::string& text, const Style& style);

/// Lines of any length as they fit the width: what is left of one stands below, further to the right than it begins.
/// Where nobody knows the width they stay as they are, so that scripts find them.
std::string paragraph(std::string_view text, const Style& style);

}  // namespace mazurka::report
