#include "runtime/detector/detector.hpp"

#include "runtime/detector/clocks.hpp"
#include "runtime/detector/shadow.hpp"

namespace mazurka::runtime {

Detector detector;

void prepare_detector() {
  prepare_cells();
  prepare_clocks();
}

void start_detector() {
  detector.segment_count = 0;
  if (!may_start_segment()) {
    // The 32-bit numbers are used up: start again.
    forget_cells();
    forget_clocks();
    detector.execution = 0;
  }
  ++detector.execution;
  start_cells();
  start_clocks();
}

void start_segment() { ++detector.execution; }
bool may_start_segment() { return detector.execution < UINT32_MAX - 2; }

}  // namespace mazurka::runtime
