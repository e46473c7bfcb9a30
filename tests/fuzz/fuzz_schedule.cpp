#include <cstdlib>
#include <string>

#include "core/error.hpp"
#include "report/schedule_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  try {
    const std::string written = mazurka::report::write_schedule(mazurka::report::read_schedule(text, "fuzz"));
    if (mazurka::report::write_schedule(mazurka::report::read_schedule(written, "again")) != written) std::abort();
  } catch (const mazurka::InputError&) {
  }
  return 0;
}
