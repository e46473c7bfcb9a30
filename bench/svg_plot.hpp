// Plots for the benchmark programs, as SVG: points and lines on linear or logarithmic axes, nothing more.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace mazurka::bench {

struct Series {
  std::string name;
  std::string colour;
  std::vector<std::pair<double, double>> points;
  bool line = true;  ///< joined by a line, else dots only
};

struct Axis {
  std::string title;
  bool logarithmic = false;
};

struct Plot {
  std::string title;
  Axis x;
  Axis y;
  std::vector<Series> series;
  bool diagonal = false;  ///< draw x = y
};

/// Plots side by side.
std::string to_svg(const std::vector<Plot>& plots);

}  // namespace mazurka::bench
