// The handlers of the C++ library, which are those of all threads: who sets one gets the one before.
#include "runtime/export.hpp"
#include "runtime/posix/c_library.hpp"
#include "runtime/posix/shared_state.hpp"
#include "runtime/scheduling/site.hpp"
#include "runtime/worker/outcome.hpp"

using namespace mazurka::runtime;

namespace mazurka::runtime {
namespace {

/// Stands for the handlers, each by its own bytes. Its name is in reports.
alignas(8) char library_handlers[3][8];

}  // namespace
}  // namespace mazurka::runtime

namespace {

using Handler = void (*)();

/// The C++ library's function. It may be missing if that is linked statically.
template <class Function>
Function library_function(const char* name, std::uint64_t site) {
  void* const found = next_function(name);
  if (found == nullptr)
    unsupported("std::set_terminate() and the like of a C++ library that is linked statically", site);
  return reinterpret_cast<Function>(found);
}

}  // namespace

#define MAZURKA_HANDLER(NUMBER, SET, GET)                                 \
  MAZURKA_REPLACEABLE Handler SET(Handler handler) {                      \
    const std::uint64_t site = MAZURKA_SITE;                              \
    const auto real = library_function<Handler (*)(Handler)>(#SET, site); \
    change_shared(library_handlers[NUMBER], site);                        \
    return real(handler);                                                 \
  }                                                                       \
  MAZURKA_REPLACEABLE Handler GET() {                                     \
    const std::uint64_t site = MAZURKA_SITE;                              \
    const auto real = library_function<Handler (*)()>(#GET, site);        \
    look_at_shared(library_handlers[NUMBER], site);                       \
    return real();                                                        \
  }
MAZURKA_HANDLER(0, _ZSt13set_terminatePFvvE, _ZSt13get_terminatev)
MAZURKA_HANDLER(1, _ZSt14set_unexpectedPFvvE, _ZSt14get_unexpectedv)
MAZURKA_HANDLER(2, _ZSt15set_new_handlerPFvvE, _ZSt15get_new_handlerv)
