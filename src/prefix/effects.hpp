// The effects of transitions on packed markings. In a 1-safe net the marking of a history is the initial one plus the
// effects of its events modulo two, in any order. This sum is one of the two inner loops of the unfolder. So for nets
// with few places the effects are whole markings, added in registers; for others they are lists of places.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "net/marking.hpp"
#include "prefix/history_order.hpp"

namespace mazurka::prefix {

class Effects {
 public:
  explicit Effects(const net::Net& net) : words_(net::words_for(net.places().size())), packed_(words_ <= kMostWords) {
    first_.push_back(0);
    for (const net::Transition& transition : net.transitions()) {
      if (packed_) {
        deltas_.resize(deltas_.size() + words_);
        const auto delta = std::span(deltas_).last(words_);
        for (PlaceId p : transition.pre) net::flip(delta, p);
        for (PlaceId p : transition.post) net::flip(delta, p);
      } else {
        places_.insert(places_.end(), transition.pre.begin(), transition.pre.end());
        places_.insert(places_.end(), transition.post.begin(), transition.post.end());
        first_.push_back(static_cast<std::uint32_t>(places_.size()));
      }
    }
  }

  void apply(TransitionId label, std::span<net::Word> marking) const {
    if (packed_) {
      for (std::size_t i = 0; i < words_; ++i) marking[i] ^= deltas_[label * words_ + i];
    } else {
      for (std::uint32_t i = first_[label]; i < first_[label + 1]; ++i) net::flip(marking, places_[i]);
    }
  }

  void apply(const HistoryGraph& graph, const std::vector<HistoryId>& histories, std::span<net::Word> marking) const {
    if (!packed_) {
      for (HistoryId h : histories) apply(graph.label(h), marking);
      return;
    }
    apply_packed(graph, histories, marking, std::make_index_sequence<kMostWords + 1>{});
  }

 private:
  static constexpr std::size_t kMostWords = 8;

  template <std::size_t Words>
  void sum(const HistoryGraph& graph, const std::vector<HistoryId>& histories, std::span<net::Word> marking) const {
    std::array<net::Word, Words> total{};
    for (HistoryId h : histories) {
      const net::Word* const delta = deltas_.data() + std::size_t{graph.label(h)} * Words;
      for (std::size_t i = 0; i < Words; ++i) total[i] ^= delta[i];
    }
    for (std::size_t i = 0; i < Words; ++i) marking[i] ^= total[i];
  }

  template <std::size_t... Words>
  void apply_packed(const HistoryGraph& graph, const std::vector<HistoryId>& histories, std::span<net::Word> marking,
                    std::index_sequence<Words...> /*all sizes*/) const {
    ((words_ == Words ? sum<Words>(graph, histories, marking) : void()), ...);
  }

  std::size_t words_;
  bool packed_;
  std::vector<net::Word> deltas_;     ///< packed: `words_` words per transition
  std::vector<PlaceId> places_;       ///< otherwise: the places that change; a self-loop occurs twice, which cancels
  std::vector<std::uint32_t> first_;  ///< into `places_`, per transition
};

}  // namespace mazurka::prefix
