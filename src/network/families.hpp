// The benchmark models of Table 1 of *Revisiting Stateful Partial-Order Reduction*, one file per family.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "network/network.hpp"

namespace mazurka::network {

struct Family {
  std::string_view name;
  std::vector<std::string_view> parameters;
  std::string_view description;
  Network (*generate)(std::span<const unsigned> arguments);
};

/// All families, in the order of the paper's table.
std::span<const Family> families();

/// Throws InputError for an unknown family, a wrong number of arguments, or one outside the family's range.
Network generate(std::string_view family, std::span<const unsigned> arguments);

Network generate_bg(std::span<const unsigned> arguments);
Network generate_qo(std::span<const unsigned> arguments);
Network generate_mpat(std::span<const unsigned> arguments);
Network generate_disp(std::span<const unsigned> arguments);
Network generate_pet(std::span<const unsigned> arguments);
Network generate_fs(std::span<const unsigned> arguments);
Network generate_lz(std::span<const unsigned> arguments);
Network generate_dp(std::span<const unsigned> arguments);
Network generate_dp2(std::span<const unsigned> arguments);
Network generate_locks(std::span<const unsigned> arguments);

/// Throws InputError unless `low <= value <= high`.
void require_range(std::string_view what, unsigned value, unsigned low, unsigned high);

}  // namespace mazurka::network
