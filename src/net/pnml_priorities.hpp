// PIPE's transitions are immediate or timed and have a priority: an immediate transition fires before any timed one,
// and before immediate ones of lower priority. We do not support priorities, so a net is accepted only if they have no
// effect: all transitions are of one kind and have the same priority.
#pragma once

#include <optional>
#include <string>

#include <fmt/format.h>
#include <pugixml.hpp>

#include "net/pnml_source.hpp"

namespace mazurka::net {

class PnmlPriorities {
 public:
  explicit PnmlPriorities(const PnmlSource& source) : source_(source) {}

  /// Records <timed> and <priority> of a transition; the default is immediate, with priority 1.
  void add(pugi::xml_node transition, const std::optional<std::string>& timed,
           const std::optional<std::string>& priority) {
    if (timed && *timed != "true" && *timed != "false")
      source_.fail(transition, fmt::format("<timed> is neither true nor false, but '{}'", *timed));
    const Kind kind{timed.value_or("false"), priority.value_or("1")};
    if (!first_) first_ = kind;
    if (!different_ && (kind.timed != first_->timed || kind.priority != first_->priority)) {
      different_ = transition;
      mixed_ = kind.timed != first_->timed;
    }
  }

  /// To be called after the last transition.
  void check() const {
    if (!different_) return;
    source_.fail(different_,
                 mixed_
                     ? "some transitions are immediate and some timed, and immediate ones fire first; priorities are "
                       "not supported: make all transitions of one kind if that is not meant"
                     : "transitions have different priorities; priorities are not supported");
  }

 private:
  struct Kind {
    std::string timed;
    std::string priority;
  };

  const PnmlSource& source_;
  std::optional<Kind> first_;
  pugi::xml_node different_;
  bool mixed_ = false;
};

}  // namespace mazurka::net
