// Whatever the bytes, the reader accepts or throws InputError; what it accepts survives writing and reading again.
#include <cstdlib>
#include <string>

#include "core/error.hpp"
#include "net/pnml_reader.hpp"
#include "net/writers.hpp"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  try {
    const std::string written = mazurka::net::to_pnml(mazurka::net::read_pnml("fuzz", text));
    if (mazurka::net::to_pnml(mazurka::net::read_pnml("again", written)) != written) std::abort();
  } catch (const mazurka::InputError&) {
  }
  return 0;
}
