#include "ticket.hpp"

#include <atomic>

static std::atomic<int> next{0};

int next_ticket() { return next.fetch_add(1); }
