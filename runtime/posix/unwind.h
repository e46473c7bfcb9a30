// The parts that unwind stacks. They are in C, because C++ code that does so needs the C++ library, which C programs do
// not have.
#pragma once

#include <unwind.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Calls `body`, then `after(argument, 1)`; if an exception leaves `body`, `after(argument, 0)`.
void mazurka_call_guarded(void (*body)(void), void (*after)(void*, int), void* argument);

/// Calls `body(argument)`, then `after(argument)`, also if an exception leaves `body` and is caught further up.
void mazurka_call_before(void (*body)(void*), void (*after)(void*), void* argument);

/// A forced unwinding that ends a thread. Must not be on the stack that is unwound, where destructors would overwrite
/// it.
struct mazurka_unwinding {
  struct _Unwind_Exception exception;
  /// Called for each frame with the address of the stack word that holds its return address, or null if that is not
  /// known.
  void (*frame)(struct mazurka_unwinding*, const void* word);
  void (*end)(struct mazurka_unwinding*);  ///< called at the end; does not return
  int cleaned;                             ///< whether a frame has anything to clean up
};

/// Calls `visit(argument, address, stack)` for each frame, innermost first, until it returns 0: `address` is where the
/// frame continues, `stack` its stack pointer at the call of the next inner frame. Calls nothing if there is no
/// unwinder.
void mazurka_for_each_frame(int (*visit)(void*, unsigned long, unsigned long), void* argument);

/// The callee-saved registers in the frame that continues at `address`, or in the innermost frame of code outside
/// [begin, end) that was called from there. Returns where the frame continues; 0 if no frame on the stack does.
#define MAZURKA_REGISTERS 7
#define MAZURKA_STACK_POINTER 0
unsigned long mazurka_registers_at(unsigned long address, unsigned long begin, unsigned long end,
                                   unsigned long* registers);

/// The same for the caller of the innermost of these functions that is on the stack; the registers are followed by the
/// caller's return address.
int mazurka_registers_of_caller(const unsigned long* functions, int count, unsigned long* registers);

/// Unwinds the whole stack and runs the frames' clean-up code. Only returns if there is no unwinder.
void mazurka_unwind_all(struct mazurka_unwinding* unwinding);

#ifdef __cplusplus
}
#endif
