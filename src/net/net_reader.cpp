#include "net/net_reader.hpp"

#include <string>

#include "core/error.hpp"
#include "net/ll_net_reader.hpp"
#include "net/pnml_reader.hpp"
#include "net/tina_reader.hpp"

namespace mazurka::net {

namespace {

using Reader = Net (*)(std::string_view, std::string_view);

Net read_by(std::string_view file, std::string_view text, Reader ll_net, Reader pnml, Reader tina) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) throw InputError({std::string(file)}, "is empty");
  if (file.ends_with(".ll_net")) return ll_net(file, text);
  if (file.ends_with(".pnml") || file.ends_with(".xml") || file.ends_with(".tapn")) return pnml(file, text);
  if (file.ends_with(".net")) return tina(file, text);
  if (text.substr(first).starts_with("PEP") || text[first] == '%') return ll_net(file, text);
  return text[first] == '<' ? pnml(file, text) : tina(file, text);
}

}  // namespace

Net read_net(std::string_view file, std::string_view text) {
  return read_by(file, text, read_ll_net, read_pnml, read_tina);
}

Net read_any_net(std::string_view file, std::string_view text) {
  return read_by(file, text, read_any_ll_net, read_any_pnml, read_any_tina);
}

}  // namespace mazurka::net
