// rPIFS(s, B), Def. 33 of *Revisiting Stateful POR*: PIFS without the requirement that the path between d and c stays
// over dom(B). It is weaker than PIFS and needs no triples. closure (Def. 36) is its dual. Here it serves as a
// reference between the two: IFS implies PIFS implies rPIFS (Lemma 34).
#pragma once

#include <vector>

#include "stateful/view.hpp"

namespace mazurka::stateful {

/// \pre `b` is a set of enabled actions.
bool rpifs(const View& view, const std::vector<Word>& b);

}  // namespace mazurka::stateful
