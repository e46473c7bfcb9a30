#include "svg_plot.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include <fmt/format.h>

namespace mazurka::bench {
namespace {

constexpr double kWidth = 440;
constexpr double kHeight = 360;
constexpr double kLeft = 70;
constexpr double kBottom = 50;
constexpr double kTop = 40;
constexpr double kRight = 20;

/// Maps values of one axis to pixels, with room for all of them.
class Scale {
 public:
  Scale(bool logarithmic, double low, double high, double from, double to)
      : logarithmic_(logarithmic), from_(from), to_(to) {
    if (logarithmic_) {
      low_ = std::floor(std::log10(std::max(low, 1.0)));
      high_ = std::max(low_ + 1, std::ceil(std::log10(std::max(high, 1.0))));
    } else {
      low_ = low;
      high_ = std::max(high, low + 1);
    }
  }
  double operator()(double value) const {
    const double v = logarithmic_ ? std::log10(std::max(value, 1.0)) : value;
    return from_ + (v - low_) / (high_ - low_) * (to_ - from_);
  }
  std::vector<double> ticks() const {
    std::vector<double> result;
    const double step = std::max(1.0, std::ceil((high_ - low_) / 8));
    for (double v = low_; v <= high_ + 1e-9; v += step) result.push_back(logarithmic_ ? std::pow(10.0, v) : v);
    return result;
  }
  std::string label(double tick) const {
    return logarithmic_ ? fmt::format("10^{:.0f}", std::log10(tick)) : fmt::format("{:g}", tick);
  }
  double low() const { return logarithmic_ ? std::pow(10.0, low_) : low_; }
  double high() const { return logarithmic_ ? std::pow(10.0, high_) : high_; }

 private:
  bool logarithmic_;
  double low_;
  double high_;
  double from_;
  double to_;
};

void draw(std::string& svg, const Plot& plot) {
  double low_x = std::numeric_limits<double>::max();
  double low_y = low_x;
  double high_x = std::numeric_limits<double>::lowest();
  double high_y = high_x;
  for (const Series& series : plot.series)
    for (const auto& [x, y] : series.points) {
      low_x = std::min(low_x, x);
      low_y = std::min(low_y, y);
      high_x = std::max(high_x, x);
      high_y = std::max(high_y, y);
    }
  const Scale sx(plot.x.logarithmic, low_x, high_x, kLeft, kWidth - kRight);
  const Scale sy(plot.y.logarithmic, low_y, high_y, kHeight - kBottom, kTop);
  auto out = std::back_inserter(svg);
  fmt::format_to(out, "<text x='{}' y='20' text-anchor='middle' font-weight='bold'>{}</text>\n", kWidth / 2,
                 plot.title);
  fmt::format_to(out, "<rect x='{}' y='{}' width='{}' height='{}' fill='none' stroke='#444'/>\n", kLeft, kTop,
                 kWidth - kRight - kLeft, kHeight - kBottom - kTop);
  for (double tick : sx.ticks()) {
    fmt::format_to(out, "<line x1='{0:.1f}' x2='{0:.1f}' y1='{1}' y2='{2}' stroke='#ddd'/>\n", sx(tick), kTop,
                   kHeight - kBottom);
    fmt::format_to(out, "<text x='{:.1f}' y='{}' text-anchor='middle'>{}</text>\n", sx(tick), kHeight - kBottom + 16,
                   sx.label(tick));
  }
  for (double tick : sy.ticks()) {
    fmt::format_to(out, "<line x1='{0}' x2='{1}' y1='{2:.1f}' y2='{2:.1f}' stroke='#ddd'/>\n", kLeft, kWidth - kRight,
                   sy(tick));
    fmt::format_to(out, "<text x='{}' y='{:.1f}' text-anchor='end'>{}</text>\n", kLeft - 6, sy(tick) + 4,
                   sy.label(tick));
  }
  fmt::format_to(out, "<text x='{}' y='{}' text-anchor='middle'>{}</text>\n", (kLeft + kWidth - kRight) / 2,
                 kHeight - 12, plot.x.title);
  fmt::format_to(out, "<text transform='translate(16,{}) rotate(-90)' text-anchor='middle'>{}</text>\n",
                 (kTop + kHeight - kBottom) / 2, plot.y.title);
  if (plot.diagonal) {
    const double from = std::max(sx.low(), sy.low());
    const double to = std::min(sx.high(), sy.high());
    fmt::format_to(out, "<line x1='{:.1f}' y1='{:.1f}' x2='{:.1f}' y2='{:.1f}' stroke='#888' stroke-dasharray='4'/>\n",
                   sx(from), sy(from), sx(to), sy(to));
  }
  double legend = kTop + 16;
  for (const Series& series : plot.series) {
    if (series.line && series.points.size() > 1) {
      std::string path;
      for (const auto& [x, y] : series.points) path += fmt::format("{:.1f},{:.1f} ", sx(x), sy(y));
      fmt::format_to(out, "<polyline points='{}' fill='none' stroke='{}'/>\n", path, series.colour);
    }
    for (const auto& [x, y] : series.points)
      fmt::format_to(out, "<circle cx='{:.1f}' cy='{:.1f}' r='2.5' fill='{}'/>\n", sx(x), sy(y), series.colour);
    if (series.name.empty()) continue;
    fmt::format_to(out, "<circle cx='{}' cy='{}' r='4' fill='{}'/><text x='{}' y='{}'>{}</text>\n", kLeft + 14,
                   legend - 4, series.colour, kLeft + 24, legend, series.name);
    legend += 16;
  }
}

}  // namespace

std::string to_svg(const std::vector<Plot>& plots) {
  std::string svg = fmt::format(
      "<svg xmlns='http://www.w3.org/2000/svg' width='{0}' height='{1}' viewBox='0 0 {0} {1}' "
      "font-family='sans-serif' font-size='11'>\n<rect width='100%' height='100%' fill='white'/>\n",
      kWidth * static_cast<double>(plots.size()), kHeight);
  for (std::size_t i = 0; i < plots.size(); ++i) {
    fmt::format_to(std::back_inserter(svg), "<g transform='translate({},0)'>\n", kWidth * static_cast<double>(i));
    draw(svg, plots[i]);
    svg += "</g>\n";
  }
  return svg + "</svg>\n";
}

}  // namespace mazurka::bench
