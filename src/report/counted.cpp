#include "report/counted.hpp"

#include <fmt/format.h>

namespace mazurka::report {

std::string grouped(unsigned long long number) {
  const std::string digits = fmt::format("{}", number);
  std::string text;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i != 0 && (digits.size() - i) % 3 == 0) text += ',';
    text += digits[i];
  }
  return text;
}

std::string counted(unsigned long long number, const char* thing) {
  return fmt::format("{} {}{}", grouped(number), thing, number == 1 ? "" : "s");
}

}  // namespace mazurka::report
