// The parts that take part in the unwinding of stacks. They are C, because C++ code that does needs the C++ library,
// which a C program does not have.
#pragma once

#include <unwind.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Calls `body`, then `after(argument, 1)`; if an exception leaves `body`, `after(argument, 0)`.
void mazurka_call_guarded(void (*body)(void), void (*after)(void*, int), void* argument);

/// Calls `body(argument)`, then `after(argument)`, also if an exception leaves `body` that somebody catches.
void mazurka_call_before(void (*body)(void*), void (*after)(void*), void* argument);

/// The end of a thread by unwinding. It must not lie on the stack that is unwound, where destructors overwrite it.
struct mazurka_unwinding {
  struct _Unwind_Exception exception;
  /// Called for each frame with the address of the word that holds where in it execution would go on, or null if that
  /// word is not known.
  void (*frame)(struct mazurka_unwinding*, const void* word);
  void (*end)(struct mazurka_unwinding*);  ///< called at the end; does not return
  int cleaned;                             ///< whether a frame has anything to clean up
};

/// Calls `visit(argument, address, stack)` with where each frame of the stack goes on, from the innermost, while that
/// is not 0, and with the stack pointer while it calls the next. Calls nothing where there is no unwinder.
void mazurka_for_each_frame(int (*visit)(void*, unsigned long, unsigned long), void* argument);

/// The registers that calls preserve, as they are in the frame that goes on at `address`, where that is on the stack.
#define MAZURKA_REGISTERS 7
#define MAZURKA_STACK_POINTER 0
int mazurka_registers_at(unsigned long address, unsigned long* registers);

/// The same of the frame that called the innermost of these functions which is on the stack, and behind them where that
/// frame goes on.
int mazurka_registers_of_caller(const unsigned long* functions, int count, unsigned long* registers);

/// Unwinds the whole stack, running what its frames have to clean up. Returns only where there is no unwinder.
void mazurka_unwind_all(struct mazurka_unwinding* unwinding);

#ifdef __cplusplus
}
#endif
