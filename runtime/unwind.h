// The parts that take part in the unwinding of stacks. They are C, because C++ code that does needs the C++ library,
// which a C program does not have.
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

/// Calls `body`, then `after(argument, 1)`; if an exception leaves `body`, `after(argument, 0)`.
void mazurka_call_guarded(void (*body)(void), void (*after)(void*, int), void* argument);

/// Unwinds the whole stack, running what its frames have to clean up, then calls `end(argument, cleaned)`, which does
/// not return; `cleaned` is 0 if no frame has anything to clean up. Returns only where there is no unwinder.
void mazurka_unwind_all(void (*end)(void*, int), void* argument);

#ifdef __cplusplus
}
#endif
