#include "runtime/posix/unwind.h"

#include <stddef.h>

#pragma weak _Unwind_Backtrace
#pragma weak _Unwind_ForcedUnwind
#pragma weak _Unwind_GetCFA
#pragma weak _Unwind_GetGR
#pragma weak _Unwind_GetIP
#pragma weak _Unwind_GetLanguageSpecificData
#pragma weak _Unwind_GetRegionStart

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

struct sequel {
  void (*after)(void*);
  void* argument;
};

static void go_on_with(struct sequel* sequel) { sequel->after(sequel->argument); }

void mazurka_call_before(void (*body)(void*), void (*after)(void*), void* argument) {
  __attribute__((cleanup(go_on_with), unused)) struct sequel sequel = {after, argument};
  body(argument);
}

struct walk {
  int (*visit)(void*, unsigned long, unsigned long);
  void* argument;
};

static _Unwind_Reason_Code step(struct _Unwind_Context* context, void* argument) {
  const struct walk* walk = argument;
  const unsigned long address = _Unwind_GetIP(context);
  // The CFA is the stack pointer at the call of the next inner function.
  const unsigned long stack = _Unwind_GetCFA(context);
  return address != 0 && walk->visit(walk->argument, address, stack) != 0 ? _URC_NO_REASON : _URC_END_OF_STACK;
}

void mazurka_for_each_frame(int (*visit)(void*, unsigned long, unsigned long), void* argument) {
  struct walk walk = {visit, argument};
  if (_Unwind_Backtrace != NULL) _Unwind_Backtrace(step, &walk);
}

struct search {
  unsigned long address;
  unsigned long begin;
  unsigned long end;
  unsigned long* registers;
  unsigned long found;
};

static void read_registers(struct _Unwind_Context* context, unsigned long* registers) {
  registers[MAZURKA_STACK_POINTER] = _Unwind_GetCFA(context);
  // DWARF numbers of rbx, rbp, r12 to r15
  static const int kPreserved[] = {3, 6, 12, 13, 14, 15};
  for (int i = 0; i < 6; ++i) registers[1 + i] = _Unwind_GetGR(context, kPreserved[i]);
}

static _Unwind_Reason_Code look(struct _Unwind_Context* context, void* argument) {
  struct search* search = argument;
  const unsigned long address = _Unwind_GetIP(context);
  if (address != search->address && address >= search->begin && address < search->end) return _URC_NO_REASON;
  read_registers(context, search->registers);
  search->found = address;
  return _URC_END_OF_STACK;
}

unsigned long mazurka_registers_at(unsigned long address, unsigned long begin, unsigned long end,
                                   unsigned long* registers) {
  struct search search = {address, begin, end, registers, 0};
  if (_Unwind_Backtrace != NULL) _Unwind_Backtrace(look, &search);
  return search.found;
}

struct caller_search {
  const unsigned long* functions;
  int count;
  unsigned long* registers;
  int inside;  // the previous frame was one of the functions
  int found;
};

static _Unwind_Reason_Code look_for_caller(struct _Unwind_Context* context, void* argument) {
  struct caller_search* search = argument;
  const unsigned long function = _Unwind_GetRegionStart(context);
  for (int i = 0; i < search->count; ++i) {
    if (function != search->functions[i]) continue;
    search->inside = 1;
    return _URC_NO_REASON;
  }
  if (!search->inside) return _URC_NO_REASON;
  read_registers(context, search->registers);
  search->registers[MAZURKA_REGISTERS] = _Unwind_GetIP(context);
  search->found = 1;
  return _URC_END_OF_STACK;
}

int mazurka_registers_of_caller(const unsigned long* functions, int count, unsigned long* registers) {
  struct caller_search search = {functions, count, registers, 0, 0};
  if (_Unwind_Backtrace != NULL) _Unwind_Backtrace(look_for_caller, &search);
  return search.found;
}

static _Unwind_Reason_Code stop(int version, _Unwind_Action actions, _Unwind_Exception_Class kind,
                                struct _Unwind_Exception* exception, struct _Unwind_Context* context, void* argument) {
  (void)version;
  (void)kind;
  (void)exception;
  struct mazurka_unwinding* unwinding = argument;
  if ((actions & _UA_END_OF_STACK) != 0 || _Unwind_GetIP(context) == 0) unwinding->end(unwinding);
  // The return address is right below the CFA.
  const _Unwind_Ptr* const word = (const _Unwind_Ptr*)_Unwind_GetCFA(context) - 1;
  unwinding->frame(unwinding, *word == _Unwind_GetIP(context) ? word : NULL);
  if (_Unwind_GetLanguageSpecificData(context) != NULL) unwinding->cleaned = 1;
  return _URC_NO_REASON;
}

void mazurka_unwind_all(struct mazurka_unwinding* unwinding) {
  if (_Unwind_ForcedUnwind == NULL) return;
  _Unwind_ForcedUnwind(&unwinding->exception, stop, unwinding);
}
