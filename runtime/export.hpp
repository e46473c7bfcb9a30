// What programs link against, and what they must not see.
#pragma once

#define MAZURKA_EXPORT extern "C" __attribute__((visibility("default")))

/// For variables that several files share: without it each use would go through the global offset table.
#define MAZURKA_SHARED extern __attribute__((visibility("hidden")))
