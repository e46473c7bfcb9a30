// The lines of source files, read once each, for reports that show code.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace mazurka::report {

class SourceFiles {
 public:
  /// The lines of a file; none where it cannot be read.
  const std::vector<std::string>& lines(const std::string& path);
  /// Line `number`, counted from 1, without the white space around it; empty where there is none.
  std::string line(const std::string& path, int number);

 private:
  std::map<std::string, std::vector<std::string>> files_;
};

}  // namespace mazurka::report
