#include "runtime/unwind.h"

#include <stddef.h>
#include <unwind.h>

#pragma weak _Unwind_ForcedUnwind
#pragma weak _Unwind_GetLanguageSpecificData

struct guard {
  void (*after)(void*, int);
  void* argument;
  int completed;
};

static void leave(struct guard* guard) { guard->after(guard->argument, guard->completed); }

void mazurka_call_guarded(void (*body)(void), void (*after)(void*, int), void* argument) {
  __attribute__((cleanup(leave))) struct guard guard = {after, argument, 0};
  body();
  guard.completed = 1;
}

struct ending {
  struct _Unwind_Exception exception;
  void (*end)(void*, int);
  void* argument;
  int cleaned;
};

static _Unwind_Reason_Code stop(int version, _Unwind_Action actions, _Unwind_Exception_Class kind,
                                struct _Unwind_Exception* exception, struct _Unwind_Context* context, void* argument) {
  (void)version;
  (void)kind;
  (void)exception;
  struct ending* ending = argument;
  if ((actions & _UA_END_OF_STACK) != 0 || _Unwind_GetIP(context) == 0) ending->end(ending->argument, ending->cleaned);
  if (_Unwind_GetLanguageSpecificData(context) != NULL) ending->cleaned = 1;
  return _URC_NO_REASON;
}

void mazurka_unwind_all(void (*end)(void*, int), void* argument) {
  if (_Unwind_ForcedUnwind == NULL) return;
  // The frame of this function is unwound as well, but nothing uses its place before `end` is called.
  struct ending ending = {.end = end, .argument = argument};
  _Unwind_ForcedUnwind(&ending.exception, stop, &ending);
}
