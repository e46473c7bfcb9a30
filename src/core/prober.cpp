#include "core/prober.hpp"

#include "core/invariant.hpp"
#include "core/stopwatch.hpp"

namespace mazurka {

const Execution* Prober::ask() {
  ++count_;
  poll_.spend(Poll::kPerStep * job_.prefix.size());
  const Stopwatch stopwatch(ticks_);
  executor_.run(job_, answer_);
  if (answer_.outcome != Outcome::Diverged) return &answer_;
  diverged_ = answer_;
  poll_.stop();
  return nullptr;
}

bool Prober::ask_for(Step wanted, std::vector<Offer>& possible) {
  possible.clear();
  const Execution* result = ask();
  if (result == nullptr) return false;
  for (const Offer& offer : result->pending)
    if (offer.process == wanted.process && offer.enabled &&
        (offer.alternative == wanted.alternative || state_decides_alternatives(offer.operation.kind)))
      possible.push_back(offer);
  return true;
}

bool Prober::run_section(Step section, Sleeper& label) {
  job_.prefix.push_back(section);
  const Execution* result = ask();
  if (result == nullptr) return false;
  MZ_INVARIANT(result->events.size() == job_.prefix.size() && result->events.back().process == section.process,
               "an atomic section is possible wherever its process stands before it");
  label = {result->events.back().step(), result->events.back().operation};
  return true;
}

}  // namespace mazurka
