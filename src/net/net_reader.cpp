#include "net/net_reader.hpp"

#include <string>

#include "core/error.hpp"
#include "net/ll_net_reader.hpp"
#include "net/pnml_reader.hpp"
#include "net/tina_reader.hpp"

namespace mazurka::net {

Net read_net(std::string_view file, std::string_view text) {
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) throw InputError({std::string(file)}, "is empty");
  if (file.ends_with(".ll_net")) return read_ll_net(file, text);
  if (file.ends_with(".pnml") || file.ends_with(".xml")) return read_pnml(file, text);
  if (file.ends_with(".net")) return read_tina(file, text);
  if (text.starts_with("PEP")) return read_ll_net(file, text);
  if (text[text.find_first_not_of(" \t\r\n")] == '<') return read_pnml(file, text);
  return read_tina(file, text);
}

}  // namespace mazurka::net
