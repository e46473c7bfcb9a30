#include "assembly/attributes.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>

#include "assembly/scanner.hpp"

namespace mazurka::assembly {
namespace {

struct Token {
  std::string_view text;
  unsigned line = 0;
  unsigned file = 0;
};

bool is_identifier(std::string_view text) {
  return !text.empty() && (std::isalpha(static_cast<unsigned char>(text[0])) != 0 || text[0] == '_');
}

/// Identifiers, literals and single characters, with their source positions.
class Tokens {
 public:
  explicit Tokens(std::string_view text) {
    files.emplace_back();
    std::size_t i = 0;
    bool line_begins = true;
    while (i < text.size()) {
      const char c = text[i];
      if (c == '\n') {
        ++line_;
        ++i;
        line_begins = true;
      } else if (std::isspace(static_cast<unsigned char>(c)) != 0) {
        ++i;
      } else if (c == '#' && line_begins && !text.substr(i).starts_with("#pragma")) {
        const std::size_t end = std::min(text.size(), text.find('\n', i));
        marker(text.substr(i, end - i));
        i = std::min(text.size(), end + 1);
      } else {
        line_begins = false;
        const std::size_t end = token_end(text, i);
        all.push_back({text.substr(i, end - i), line_, static_cast<unsigned>(files.size() - 1)});
        line_ += static_cast<unsigned>(std::count(text.begin() + static_cast<std::ptrdiff_t>(i),
                                                  text.begin() + static_cast<std::ptrdiff_t>(end), '\n'));
        i = end;
      }
    }
  }

  /// The index after the bracket that closes the one at `open`.
  std::size_t behind(std::size_t open) const {
    int depth = 0;
    for (std::size_t i = open; i < all.size(); ++i) {
      const std::string_view text = all[i].text;
      if (text == "(" || text == "[" || text == "{") ++depth;
      if ((text == ")" || text == "]" || text == "}") && --depth == 0) return i + 1;
    }
    return all.size();
  }

  /// The index of the bracket that is closed by the one at `close`.
  std::size_t opening(std::size_t close) const {
    int depth = 0;
    for (std::size_t i = close + 1; i-- > 0;) {
      const std::string_view text = all[i].text;
      if (text == ")" || text == "]" || text == "}" || text == ">") ++depth;
      if ((text == "(" || text == "[" || text == "{" || text == "<") && --depth == 0) return i;
    }
    return 0;
  }

  std::string_view at(std::size_t i) const { return i < all.size() ? all[i].text : std::string_view{}; }

  std::vector<Token> all;
  std::vector<std::string> files;

 private:
  /// `# 12 "file.h" 1 3`: the next line is line 12 of the file.
  void marker(std::string_view line) {
    line.remove_prefix(std::min(line.size(), line.find_first_of("0123456789")));
    const std::size_t quote = line.find('"');
    if (quote == std::string_view::npos) {
      ++line_;
      return;
    }
    std::from_chars(line.data(), line.data() + line.size(), line_);
    const std::size_t end = line.find('"', quote + 1);
    const std::string_view name = line.substr(quote + 1, end == std::string_view::npos ? end : end - quote - 1);
    if (files.back() != name) files.emplace_back(name);
  }

  static std::size_t token_end(std::string_view text, std::size_t i) {
    const char c = text[i];
    const auto word = [&](std::size_t k) {
      return k < text.size() && (std::isalnum(static_cast<unsigned char>(text[k])) != 0 || text[k] == '_');
    };
    if (c == '"' || c == '\'') return literal_end(text, i);
    if (!word(i)) return i + 1;
    const bool digits = std::isdigit(static_cast<unsigned char>(c)) != 0;
    std::size_t end = i;
    // A quote inside a number separates digits.
    while (word(end) || (digits && end < text.size() && text[end] == '\'' && word(end + 1))) ++end;
    if (!digits && end < text.size() && text[end] == '"' && text[end - 1] == 'R') return raw_literal_end(text, end);
    return end;
  }

  static std::size_t literal_end(std::string_view text, std::size_t i) {
    const char quote = text[i++];
    while (i < text.size() && text[i] != quote && text[i] != '\n') i += text[i] == '\\' ? 2 : 1;
    return std::min(text.size(), i + 1);
  }

  /// R"mark(…)mark"
  static std::size_t raw_literal_end(std::string_view text, std::size_t quote) {
    const std::size_t open = text.find('(', quote);
    if (open == std::string_view::npos) return quote + 1;
    const std::string closing = ")" + std::string(text.substr(quote + 1, open - quote - 1)) + "\"";
    const std::size_t end = text.find(closing, open);
    return end == std::string_view::npos ? text.size() : end + closing.size();
  }

  unsigned line_ = 1;
};

bool begins_attribute(const Tokens& tokens, std::size_t i) {
  const std::string_view text = tokens.at(i);
  return ((text == "__attribute__" || text == "__attribute") && tokens.at(i + 1) == "(") ||
         (text == "[" && tokens.at(i + 1) == "[");
}

std::size_t attribute_end(const Tokens& tokens, std::size_t i) {
  return tokens.behind(tokens.at(i) == "[" ? i : i + 1);
}

/// Whether the attribute exempts a function from thread instrumentation. `exact` is then the word that does.
bool exempts(const Tokens& tokens, std::size_t begin, std::size_t end, std::size_t& exact) {
  for (exact = begin; exact < end; ++exact) {
    const std::string_view text = tokens.at(exact);
    if (text == "no_sanitize_thread" || text == "__no_sanitize_thread__" || text == "disable_sanitizer_instrumentation")
      return true;
    if (text != "no_sanitize" && text != "__no_sanitize__") continue;
    for (std::size_t i = exact; i < std::min(end, tokens.behind(exact + 1)); ++i)
      if (tokens.at(i).starts_with('"') &&
          (tokens.at(i).find("thread") != std::string_view::npos || tokens.at(i).find("all") != std::string_view::npos))
        return true;
  }
  return false;
}

/// `operator==`, `operator()`, `operator new`: the name before the parameters.
std::string operator_name(const Tokens& tokens, std::size_t i) {
  std::string name(tokens.at(i++));
  do {
    name += (is_identifier(tokens.at(i)) ? " " : "") + std::string(tokens.at(i));
    ++i;
  } while (i < tokens.all.size() && (tokens.at(i) != "(" || name.ends_with("operator(")));
  return name;
}

/// The name before the parameters that begin at `open`.
std::string name_before(const Tokens& tokens, std::size_t open) {
  if (open == 0) return "";
  std::size_t i = open - 1;
  if (tokens.at(i) == "]") return "operator()";  // of a lambda
  if (tokens.at(i) == ">") {
    i = tokens.opening(i);
    if (i == 0) return "";
    --i;
  }
  const std::string_view word = tokens.at(i);
  if (is_identifier(word)) return (i > 0 && tokens.at(i - 1) == "~" ? "~" : "") + std::string(word);
  // The punctuation of an operator.
  for (; i > 0 && open - i < 5; --i)
    if (tokens.at(i) == "operator") return operator_name(tokens, i);
  return "";
}

std::string function_of(const Tokens& tokens, std::size_t begin, std::size_t end) {
  constexpr std::array<std::string_view, 10> kNoNames = {"alignas",    "_Alignas", "decltype", "noexcept", "explicit",
                                                         "__typeof__", "typeof",   "_Atomic",  "requires", "__asm__"};
  std::size_t i = end;
  while (i < tokens.all.size()) {
    const std::string_view text = tokens.at(i);
    if (begins_attribute(tokens, i)) {
      i = attribute_end(tokens, i);
    } else if (text == "operator") {
      return operator_name(tokens, i);
    } else if (text == "(") {
      if (std::find(kNoNames.begin(), kNoNames.end(), tokens.at(i - 1)) == kNoNames.end() && i != end)
        return name_before(tokens, i);
      i = tokens.behind(i);
    } else if (text == ";" || text == "{" || text == "=" || text == "}" || text == ")" || text == "," ||
               (text == ":" && tokens.at(i + 1) != ":" && tokens.at(i - 1) != ":")) {
      break;
    } else {
      ++i;
    }
  }
  // The attribute comes after the declarator.
  for (i = begin; i-- > 0;) {
    const std::string_view text = tokens.at(i);
    if (text == ";" || text == "}") return "";
    if (text != ")") continue;
    const std::size_t open = tokens.opening(i);
    const std::string_view before = open == 0 ? "" : tokens.at(open - 1);
    if (std::find(kNoNames.begin(), kNoNames.end(), before) == kNoNames.end() && before != "__attribute__" &&
        before != "__attribute" && before != "(")
      return name_before(tokens, open);
    i = open;
  }
  return "";
}

}  // namespace

std::vector<Exemption> exemptions(std::string_view preprocessed) {
  std::vector<Exemption> result;
  // Most sources have none, and need not be tokenised.
  if (preprocessed.find("no_sanitize") == std::string_view::npos &&
      preprocessed.find("disable_sanitizer_instrumentation") == std::string_view::npos)
    return result;
  const Tokens tokens(preprocessed);
  for (std::size_t i = 0; i < tokens.all.size(); ++i) {
    if (!begins_attribute(tokens, i)) continue;
    const std::size_t end = attribute_end(tokens, i);
    std::size_t exact = i;
    if (exempts(tokens, i, end, exact)) {
      const Token& token = tokens.all[exact];
      // `#pragma clang attribute push(…)` applies to all that follows.
      const bool pragma = i >= 2 && tokens.at(i - 1) == "(" && tokens.at(i - 2) == "push";
      result.push_back({tokens.files[token.file], token.line, pragma ? "" : function_of(tokens, i, end)});
    }
    i = end - 1;
  }
  return result;
}

std::vector<Unseen> exempt_functions(const std::vector<std::string>& suspects,
                                     const std::vector<Exemption>& exemptions) {
  std::vector<Unseen> result;
  for (const std::string& suspect : suspects) {
    const std::string function = demangled(suspect);
    const std::string last = last_name(function);
    const auto exemption = std::find_if(exemptions.begin(), exemptions.end(), [&](const Exemption& candidate) {
      return candidate.function.empty() || candidate.function == last;
    });
    if (exemption == exemptions.end()) continue;
    Unseen unseen{Kind::Function, exemption->file, exemption->line, function, "no_sanitize"};
    if (std::find(result.begin(), result.end(), unseen) == result.end()) result.push_back(std::move(unseen));
  }
  return result;
}

std::string last_name(std::string_view demangled) {
  // Ends where the parameters begin; text in <>, () or {} before is not part of the name.
  std::string name;
  for (std::size_t i = 0; i < demangled.size(); ++i) {
    const std::string_view rest = demangled.substr(i);
    if (rest.starts_with("operator") && (i == 0 || demangled[i - 1] == ':' || demangled[i - 1] == ' ')) {
      const std::size_t signs = i + 8;
      const std::size_t begin = demangled.substr(signs).starts_with("()") ? signs + 2 : signs;
      return std::string(demangled.substr(i, demangled.find('(', begin) - i));
    }
    const char c = demangled[i];
    if (c == '<' || c == '{' || c == '(' || c == '[') {
      int depth = 0;
      std::size_t k = i;
      for (; k < demangled.size(); ++k) {
        if (std::string_view("<{([").find(demangled[k]) != std::string_view::npos) ++depth;
        if (std::string_view(">})]").find(demangled[k]) != std::string_view::npos && --depth == 0) break;
      }
      // `(anonymous namespace)::f(int)`, and `f(int)::{lambda()#1}::operator()() const`.
      const bool inner = demangled.substr(std::min(k + 1, demangled.size())).starts_with("::") ||
                         demangled.substr(std::min(k + 1, demangled.size())).starts_with(" const::") || c == '<' ||
                         c == '{' || c == '[';
      if (!inner) return name;
      i = k;
    } else if (c == ':' || c == ' ') {
      name.clear();
    } else {
      name += c;
    }
  }
  return name;
}

}  // namespace mazurka::assembly
