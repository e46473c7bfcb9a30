// What programs link against: everything else in the runtime is hidden.
#pragma once

#define MAZURKA_EXPORT extern "C" __attribute__((visibility("default")))
