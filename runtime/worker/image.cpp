#include "runtime/worker/image.hpp"

#include <link.h>
#include <string.h>

#include "runtime/memory/layout.hpp"
#include "runtime/memory/memory.hpp"
#include "runtime/own_calls.hpp"
#include "runtime/scheduling/scheduling.hpp"

namespace mazurka::runtime {

Image image;

namespace {

int note_image(dl_phdr_info* info, std::size_t, void*) {
  image.base = info->dlpi_addr;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const auto& header = info->dlpi_phdr[i];
    if (header.p_type == PT_LOAD && header.p_flags == PF_R) {  // the last one contains the constants
      image.constants_begin = info->dlpi_addr + header.p_vaddr;
      image.constants_end = image.constants_begin + header.p_memsz;
    }
    if (header.p_type != PT_LOAD || (header.p_flags & PF_X) == 0) continue;
    image.text_begin = info->dlpi_addr + header.p_vaddr;
    image.text_end = image.text_begin + header.p_memsz;
  }
  return 1;  // stop: the program itself comes first
}

/// Finds the extent of static TLS, which is at fixed offsets below the thread pointer.
int note_tls(dl_phdr_info* info, std::size_t, void*) {
  const auto begin = reinterpret_cast<std::uint64_t>(info->dlpi_tls_data);
  if (begin == 0 || begin > scheduling.main_thread_pointer) return 0;
  const std::uint64_t distance = scheduling.main_thread_pointer - begin;
  if (distance < kDonorBytes && distance > memory.static_tls_bytes) memory.static_tls_bytes = distance;
  return 0;
}

int note_unwinder(dl_phdr_info* info, std::size_t, void*) {
  if (!contains(info->dlpi_name, "/libgcc_s.so")) return 0;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const auto& header = info->dlpi_phdr[i];
    if (header.p_type != PT_LOAD || (header.p_flags & PF_X) == 0) continue;
    image.unwinder_begin = info->dlpi_addr + header.p_vaddr;
    image.unwinder_end = image.unwinder_begin + header.p_memsz;
  }
  return 1;
}

}  // namespace

void find_image() {
  dl_iterate_phdr(note_image, nullptr);
  dl_iterate_phdr(note_unwinder, nullptr);
  dl_iterate_phdr(note_tls, nullptr);
}

}  // namespace mazurka::runtime
