#include "core/failure_record.hpp"

#include <cstring>

#include <fmt/format.h>

namespace mazurka {

std::string to_string(const ProcessDeath& death) {
  return death.by_signal ? fmt::format("signal {} ({})", death.number, strsignal(death.number))
                         : fmt::format("exit status {}", death.number);
}

}  // namespace mazurka
