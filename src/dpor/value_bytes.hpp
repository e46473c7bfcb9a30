// What crosses the interface between explorers and the frontier (coordinator.hpp), as bytes.
#pragma once

#include "core/bytes.hpp"
#include "dpor/awaited.hpp"
#include "dpor/coordinator.hpp"
#include "dpor/explore.hpp"
#include "dpor/handed_over.hpp"
#include "dpor/histories.hpp"
#include "dpor/search_path.hpp"

namespace mazurka::dpor {

void put(ByteWriter& to, const SearchPath::Prefix& prefix);
SearchPath::Prefix read_prefix(ByteReader& from);

/// Without what concerns only who found it.
void put(ByteWriter& to, const Reversal& v);
Reversal read_reversal(ByteReader& from);

void put(ByteWriter& to, const HandedOver& all);
HandedOver read_handed_over(ByteReader& from);

void put(ByteWriter& to, const Awaited& awaited);
Awaited read_awaited(ByteReader& from);

void put(ByteWriter& to, const Counted& counted);
Counted read_counted(ByteReader& from);

/// What an explorer elsewhere needs of the options: all but the keeper, the search to go on with and the team.
void put(ByteWriter& to, const Options& options);
Options read_options(ByteReader& from);

/// Of one explorer.
void put(ByteWriter& to, const Result& result);
Result read_result(ByteReader& from);

}  // namespace mazurka::dpor
