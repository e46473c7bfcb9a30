// qsort. Its comparisons are code of the program, so a call cannot be one step: if plain accesses are scheduling
// points, it reads all elements, sorts a copy of them, and writes them back.
#include "runtime/library/library_call.hpp"
#include "runtime/memory/heap.hpp"

using namespace mazurka::runtime;

namespace {

/// Calls `sort` for the elements, or a copy of them.
template <class Sort>
void sort_elements(void* elements, std::size_t bytes, std::uint64_t site, const Sort& sort) {
  if (are_calls_steps()) {
    void* const copy = allocate(bytes == 0 ? 1 : bytes);
    if (copy != nullptr) {
      visible_copy(copy, elements, bytes, site);
      sort(copy);
      return visible_copy(elements, copy, bytes, site);
    }
  } else if (detector.checking) {
    touch_range(elements, bytes, Touch::Write, place_of(site));
    clean_a_little();
  }
  sort(elements);
}

}  // namespace

MAZURKA_LIBRARY(void, qsort,
                (void* elements, std::size_t count, std::size_t bytes, int (*compare)(const void*, const void*))) {
  sort_elements(elements, count * bytes, sees_accesses() ? MAZURKA_SITE : 0,
                [&](void* all) { real_qsort(all, count, bytes, compare); });
}
MAZURKA_LIBRARY(void, qsort_r,
                (void* elements, std::size_t count, std::size_t bytes, int (*compare)(const void*, const void*, void*),
                 void* argument)) {
  sort_elements(elements, count * bytes, sees_accesses() ? MAZURKA_SITE : 0,
                [&](void* all) { real_qsort_r(all, count, bytes, compare, argument); });
}
