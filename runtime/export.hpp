// What programs link against, and what they must not see.
#pragma once

/// What compiled code calls, and what starts the program: nobody else defines it.
#define MAZURKA_EXPORT extern "C" __attribute__((visibility("default")))

/// What stands for a function of a library. A program that has a function of this name means its own, as it would
/// without us; the runtime itself calls none of them by name.
#define MAZURKA_REPLACEABLE extern "C" __attribute__((visibility("default"), weak))

/// For variables that several files share: without it each use would go through the global offset table.
#define MAZURKA_SHARED extern __attribute__((visibility("hidden")))
