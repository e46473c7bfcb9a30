#include "network/packed.hpp"

#include <bit>

namespace mazurka::network {

PackedLayout::PackedLayout(const Network& network) {
  std::vector<std::uint32_t> used{0};  // bits taken in each word
  for (ComponentId component = 0; component < network.components().size(); ++component) {
    const auto width = static_cast<std::uint32_t>(std::bit_width(network.location_count(component) - 1U));
    std::uint32_t word = 0;
    while (word < used.size() && used[word] + width > 64) ++word;
    if (word == used.size()) used.push_back(0);
    // A component of one location needs no bits; it reads as 0 wherever its field points.
    const std::uint32_t shift = width == 0 ? 0 : used[word];
    const auto mask = static_cast<std::uint32_t>((std::uint64_t{1} << width) - 1);
    fields_.push_back({word, shift, mask});
    used[word] += width;
    bits_ += width;
  }
  words_ = static_cast<std::uint32_t>(used.size());
}

}  // namespace mazurka::network
