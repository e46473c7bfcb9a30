// An automaton and the file that joins it: the bytes up to the first NUL are the `.sync` text, the rest is every `.aut`
// file it names.
#include <algorithm>
#include <cstdlib>
#include <string>

#include "core/error.hpp"
#include "network/aut.hpp"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  const std::size_t split = std::min(bytes.find('\0'), bytes.size());
  const std::string automaton = bytes.substr(std::min(split + 1, bytes.size()));
  try {
    const auto network =
        mazurka::network::read_sync(bytes.substr(0, split), "fuzz.sync", [&](const std::string&) { return automaton; });
    const auto files = mazurka::network::write_sync(network);
    const auto again = mazurka::network::read_sync(files.at(network.name() + ".sync"), "again.sync",
                                                   [&](const std::string& file) { return files.at(file); });
    if (mazurka::network::write_sync(again) != files) std::abort();
  } catch (const mazurka::InputError&) {
  }
  return 0;
}
