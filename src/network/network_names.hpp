// The names of the parts of a network, as in its file.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/names.hpp"
#include "network/network.hpp"

namespace mazurka::network {

class NetworkNames final : public mazurka::Names {
 public:
  explicit NetworkNames(const Network& network) : network_(network) {}

  std::string process_name(ProcessIndex process) const override;
  ProcessIndex process_named(std::string_view name) const override;
  std::string describe(const Operation& operation, const std::vector<HeapBlock>& heap) const override;
  std::string object(const Operation& operation, const std::vector<HeapBlock>& heap) const override;

 private:
  const Network& network_;
};

}  // namespace mazurka::network
