#include "net/net_reader.hpp"

#include <string>

#include "core/error.hpp"
#include "net/ll_net_reader.hpp"
#include "net/pnml_reader.hpp"
#include "net/tina_reader.hpp"

namespace mazurka::net {

Net read_net(std::string_view file, std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) throw InputError({std::string(file)}, "is empty");
  if (file.ends_with(".ll_net")) return read_ll_net(file, text);
  if (file.ends_with(".pnml") || file.ends_with(".xml") || file.ends_with(".tapn")) return read_pnml(file, text);
  if (file.ends_with(".net")) return read_tina(file, text);
  if (text.substr(first).starts_with("PEP") || text[first] == '%') return read_ll_net(file, text);
  if (text[first] == '<') return read_pnml(file, text);
  return read_tina(file, text);
}

}  // namespace mazurka::net
