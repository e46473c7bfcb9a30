// Several explorers, each in a thread of its own, with one listener.
#pragma once

#include <cstddef>
#include <functional>

#include "core/listener.hpp"

namespace mazurka {

/// Calls `explore(i, part)` for each i < count, all at the same time, with a part of the listener each: it is told one
/// thing at a time, and shown the statistics of all of them together. If a call throws, `stop` is called, and the first
/// exception thrown again once all have returned.
void run_jointly(Listener& listener, std::size_t count, const std::function<void(std::size_t, Listener&)>& explore,
                 const std::function<void()>& stop);

}  // namespace mazurka
