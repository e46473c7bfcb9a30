// The runtime is linked into C programs too, so it cannot catch a std::exception: that would need the C++ library. The
// layout of type information and vtables is that of the Itanium C++ ABI, which libstdc++ and libc++ share.
#include "runtime/posix/exception.hpp"

#include <string.h>

#include "runtime/own_calls.hpp"

// Only present in C++ programs. The returned exception_ptr is a single pointer, written to `exception`.
extern "C" __attribute__((weak)) void _ZSt17current_exceptionv(void** exception);
extern "C" __attribute__((weak)) const void* const _ZTVN10__cxxabiv120__si_class_type_infoE[];
extern "C" __attribute__((weak)) const void* const _ZTVN10__cxxabiv121__vmi_class_type_infoE[];

namespace mazurka::runtime {
namespace {

struct ClassType {
  const void* functions;
  const char* name;
};
/// A single public non-virtual base at offset 0.
struct DerivedType : ClassType {
  const ClassType* base;
};
struct Base {
  const ClassType* type;
  long offset_and_flags;
};
struct MultiplyDerivedType : ClassType {
  unsigned flags;
  unsigned count;
  Base bases[1];
};

constexpr long kVirtual = 1;
constexpr long kPublic = 2;

bool is_kind(const ClassType& type, const void* const* table) {
  return table != nullptr && type.functions == table + 2;
}

bool is_exception(const ClassType& type) {
  return is_equal(type.name[0] == '*' ? type.name + 1 : type.name, "St9exception");
}

/// The std::exception subobject; null if there is none.
const char* exception_inside(const ClassType& type, const char* object) {
  if (is_exception(type)) return object;
  if (is_kind(type, _ZTVN10__cxxabiv120__si_class_type_infoE))
    return exception_inside(*static_cast<const DerivedType&>(type).base, object);
  if (!is_kind(type, _ZTVN10__cxxabiv121__vmi_class_type_infoE)) return nullptr;
  const auto& derived = static_cast<const MultiplyDerivedType&>(type);
  for (unsigned i = 0; i < derived.count; ++i) {
    const Base& base = derived.bases[i];
    if ((base.offset_and_flags & kPublic) == 0) continue;
    long offset = base.offset_and_flags >> 8;
    // For a virtual base the offset is that of the vtable entry with the base's offset.
    if ((base.offset_and_flags & kVirtual) != 0)
      offset = *reinterpret_cast<const long*>(*reinterpret_cast<const char* const*>(object) + offset);
    if (const char* found = exception_inside(*base.type, object + offset); found != nullptr) return found;
  }
  return nullptr;
}

}  // namespace

const char* current_exception_text(const std::type_info& type) {
  if (_ZSt17current_exceptionv == nullptr) return nullptr;
  void* object = nullptr;
  _ZSt17current_exceptionv(&object);
  if (object == nullptr) return nullptr;
  const char* exception = exception_inside(reinterpret_cast<const ClassType&>(type), static_cast<const char*>(object));
  if (exception == nullptr) return nullptr;
  using What = const char* (*)(const void*);
  constexpr int kWhat = 2;  // after the two destructors
  return (*reinterpret_cast<const What* const*>(exception))[kWhat](exception);
}

}  // namespace mazurka::runtime
