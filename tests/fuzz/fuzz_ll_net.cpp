// Whatever the bytes, the reader accepts or throws InputError; what it accepts survives writing and reading again.
#include <cstdlib>
#include <string>

#include "core/error.hpp"
#include "net/ll_net_reader.hpp"
#include "net/writers.hpp"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  try {
    const std::string written = mazurka::net::to_ll_net(mazurka::net::read_ll_net("fuzz", text));
    if (mazurka::net::to_ll_net(mazurka::net::read_ll_net("again", written)) != written) std::abort();
  } catch (const mazurka::InputError&) {
  }
  return 0;
}
