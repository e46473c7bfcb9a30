// Whatever the bytes, the reader accepts or throws InputError; what it accepts survives writing and reading again.
#include <cstdlib>
#include <string>

#include "core/error.hpp"
#include "network/tck.hpp"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  try {
    const std::string written = mazurka::network::write_tck(mazurka::network::read_tck(text, "fuzz"));
    if (mazurka::network::write_tck(mazurka::network::read_tck(written, "again")) != written) std::abort();
  } catch (const mazurka::InputError&) {
  }
  return 0;
}
