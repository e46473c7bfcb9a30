#include "network/families.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/error.hpp"

namespace mazurka::network {

std::span<const Family> families() {
  static const std::array kFamilies = {
      Family{"bg", {"height"}, "complete binary tree of and-gates joined by wires", generate_bg},
      Family{"qo", {"n"}, "n writers, a counter, and a master that undoes the write it picks", generate_qo},
      Family{"mpat", {"K"}, "K pairs of threads over K locks, one of each pair under a common lock", generate_mpat},
      Family{"disp", {"n"}, "n servers and a dispatcher that serves the one picked last", generate_disp},
      Family{"pet", {"n"}, "Peterson's filter lock for n threads", generate_pet},
      Family{"fs", {"n"}, "n threads that allocate blocks of a file system", generate_fs},
      Family{"lz", {"N"}, "N writers that chain through an array and a reader that seeks the last zero", generate_lz},
      Family{"dp", {"n"}, "n dining philosophers, either fork first, who may give up", generate_dp},
      Family{"dp2", {"n"}, "the same philosophers, who come twice", generate_dp2},
      Family{"locks",
             {"seed", "clients", "taken"},
             "clients that take and release random locks out of ten",
             generate_locks},
  };
  return kFamilies;
}

void require_range(std::string_view what, unsigned value, unsigned low, unsigned high) {
  if (value < low || value > high)
    throw InputError(fmt::format("{} must be between {} and {}, not {}", what, low, high, value));
}

Network generate(std::string_view name, std::span<const unsigned> arguments) {
  const auto all = families();
  const auto family = std::find_if(all.begin(), all.end(), [&](const Family& f) { return f.name == name; });
  if (family == all.end()) {
    std::vector<std::string_view> names;
    for (const Family& f : all) names.push_back(f.name);
    throw InputError(fmt::format("unknown family '{}'; families are {}", name, fmt::join(names, ", ")));
  }
  if (arguments.size() != family->parameters.size())
    throw InputError(fmt::format("family '{}' takes {} argument{}: mazurka gen {} {}", name, family->parameters.size(),
                                 family->parameters.size() == 1 ? "" : "s", name, fmt::join(family->parameters, " ")));
  return family->generate(arguments);
}

}  // namespace mazurka::network
