// Symbol visibility: what the program links against, and what it must not see.
#pragma once

/// A hook that compiled code or the start-up code calls: nobody else defines it.
#define MAZURKA_EXPORT extern "C" __attribute__((visibility("default")))

/// An interposed library function. It is weak, so that a program that defines a function of this name gets its own, as
/// without Mazurka. The runtime itself never calls it by this name (own_calls.hpp).
#define MAZURKA_REPLACEABLE extern "C" __attribute__((visibility("default"), weak))

/// A variable shared by several files. Hidden visibility saves the indirection through the global offset table.
#define MAZURKA_SHARED extern __attribute__((visibility("hidden")))
