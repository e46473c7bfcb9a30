#include "assembly/instruction.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <regex>
#include <string>
#include <vector>

namespace mazurka::assembly {
namespace {

template <std::size_t N>
bool is_one_of(std::string_view word, const std::array<std::string_view, N>& words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

std::string_view trim(std::string_view text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front())) != 0) text.remove_prefix(1);
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())) != 0) text.remove_suffix(1);
  return text;
}

constexpr std::array<std::string_view, 16> kPrefixes = {"lock",   "rep",      "repe",     "repz",  "repne", "repnz",
                                                        "data16", "addr32",   "rex",      "rex.w", "rex64", "notrack",
                                                        "bnd",    "xacquire", "xrelease", "cs"};

std::string_view first_word(std::string_view text) {
  std::size_t end = 0;
  while (end < text.size() && std::isspace(static_cast<unsigned char>(text[end])) == 0) ++end;
  return text.substr(0, end);
}

/// The instruction without its prefixes.
std::string_view bare(std::string_view text) {
  text = trim(text);
  // Pseudo-prefixes such as {evex} select an encoding.
  while (true) {
    if (text.starts_with('{') && text.find('}') != std::string_view::npos)
      text = trim(text.substr(text.find('}') + 1));
    else if (const std::string_view word = first_word(text); is_one_of(word, kPrefixes))
      text = trim(text.substr(word.size()));
    else
      return text;
  }
}

std::string_view operands_of(std::string_view text) {
  text = bare(text);
  return trim(text.substr(first_word(text).size()));
}

}  // namespace

// Separated by commas outside parentheses and brackets.
std::vector<std::string_view> operands(std::string_view text) {
  std::vector<std::string_view> result;
  const std::string_view all = operands_of(text);
  std::size_t begin = 0;
  int depth = 0;
  for (std::size_t i = 0; i <= all.size(); ++i) {
    if (i == all.size() || (all[i] == ',' && depth == 0)) {
      if (const std::string_view operand = trim(all.substr(begin, i - begin)); !operand.empty())
        result.push_back(operand);
      begin = i + 1;
    } else if (all[i] == '(' || all[i] == '[') {
      ++depth;
    } else if (all[i] == ')' || all[i] == ']') {
      --depth;
    }
  }
  return result;
}

namespace {

bool is_register_name(const std::string& name) {
  static const std::regex kRegister(
      "r[0-9]+[bwdl]?|[er]?[abcd]x|[abcd][hl]|[er]?(si|di|bp|sp|ip)|(si|di|bp|sp)l|[xyz]?mm[0-9]+|st(\\([0-7]\\))?|"
      "k[0-7]|[cdefgs]s|[cd]r[0-9]+|mxcsr",
      std::regex::icase);
  return std::regex_match(name, kRegister);
}

bool is_number(std::string_view word) {
  return !word.empty() && (std::isdigit(static_cast<unsigned char>(word.front())) != 0 || word.front() == '-');
}

}  // namespace

bool is_memory(std::string_view operand, Syntax syntax) {
  if (operand.starts_with("%st(")) return false;
  if (operand.find_first_of("([") != std::string_view::npos) return !operand.starts_with('$');
  if (operand.starts_with('$')) return false;
  if (operand.starts_with('%')) return operand.find(':') != std::string_view::npos;  // %fs:0
  if (operand.starts_with('{')) return false;                                        // {sae}
  if (syntax == Syntax::Att) return true;                                            // a symbol or an address
  return !is_register_name(std::string(operand)) && !is_number(operand) && !operand.starts_with("offset ") &&
         !operand.starts_with("OFFSET ");
}

namespace {

bool is_jump(std::string_view word) { return word.starts_with('j') || word.starts_with("loop") || word == "xbegin"; }

/// They compute an address, or hint at one, but do not access it observably.
bool ignores_operand(std::string_view word) {
  return word.starts_with("lea") || word.starts_with("nop") || word.starts_with("prefetch") ||
         word.starts_with("clflush") || word == "clwb" || word == "cldemote" || word.starts_with("invlpg");
}

/// String instructions, whose operands may be implicit.
bool is_string_instruction(std::string_view word, std::size_t operands_given) {
  static constexpr std::array<std::string_view, 11> kStems = {"movs", "stos", "lods", "scas", "cmps", "ins",
                                                              "outs", "ssto", "slod", "smov", "scmp"};
  if (word == "xlat" || word == "xlatb" || word.starts_with("maskmov")) return true;
  if (operands_given != 0) return false;  // movsbl %al, %eax; memory operands, if any, are explicit
  for (const std::string_view stem : kStems)
    if (word.starts_with(stem) && word.size() <= stem.size() + 1) return true;
  return false;
}

constexpr std::array<std::string_view, 14> kUncontrolled = {"rdtsc", "rdtscp",  "rdrand",   "rdseed", "rdpmc",
                                                            "rdpid", "syscall", "sysenter", "int",    "in",
                                                            "out",   "hlt",     "xbegin",   "umwait"};
// `ud2`, `int3`, and `int $3`, which test frameworks use to stop in a debugger, end the execution; the crash is
// reported.
bool is_breakpoint(std::string_view text, std::string_view word) {
  const std::vector<std::string_view> given = operands(text);
  return word == "int" && given.size() == 1 && (given[0] == "$3" || given[0] == "3" || given[0] == "$0x3");
}

/// Control words of the floating-point units, which compilers and users keep in local variables.
bool is_control_word(std::string_view word) {
  static constexpr std::array<std::string_view, 8> kWords = {"fnstcw",  "fstcw",    "fldcw",    "stmxcsr",
                                                             "ldmxcsr", "vstmxcsr", "vldmxcsr", "fnstsw"};
  return is_one_of(word, kWords);
}

bool on_stack(std::string_view operand) {
  return operand.find("(%rsp)") != std::string_view::npos || operand.find("(%esp)") != std::string_view::npos ||
         operand.starts_with("[rsp") || operand.find("[rsp]") != std::string_view::npos ||
         operand.find(" ptr [rsp") != std::string_view::npos || operand.find(" PTR [rsp") != std::string_view::npos;
}

bool is_zero(std::string_view operand) {
  if (operand.starts_with('$')) operand.remove_prefix(1);
  return operand == "0" || operand == "0x0";
}

/// `lock; addl $0, -4(%rsp)` changes nothing, and is a full fence.
bool is_idle_locked(std::string_view text, std::string_view word, Syntax syntax) {
  if (!is_locked(text)) return false;
  bool adds = false;
  for (const std::string_view stem : {"add", "or", "xor", "sub"})
    adds = adds || (word.starts_with(stem) && word.size() <= stem.size() + 1);
  const std::vector<std::string_view> given = operands(text);
  if (!adds || given.size() != 2) return false;
  const std::string_view constant = syntax == Syntax::Att ? given[0] : given[1];
  const std::string_view place = syntax == Syntax::Att ? given[1] : given[0];
  return is_zero(constant) && on_stack(place);
}

}  // namespace

std::string_view mnemonic(std::string_view text) { return first_word(bare(text)); }

bool is_locked(std::string_view text) {
  text = trim(text);
  for (std::string_view word = first_word(text); is_one_of(word, kPrefixes); word = first_word(text)) {
    if (word == "lock") return true;
    text = trim(text.substr(word.size()));
  }
  return false;
}

bool is_prefix(std::string_view text) { return !trim(text).empty() && bare(text).empty(); }

bool has_memory_operand(std::string_view text, Syntax syntax) {
  const std::string_view word = mnemonic(text);
  if (word.empty() || word.front() == '.' || ignores_operand(word)) return false;
  const std::vector<std::string_view> given = operands(text);
  if (is_string_instruction(word, given.size())) return true;
  // A jump or call to a symbol has none; with * it reads its target from memory.
  if (is_jump(word) || word.starts_with("call"))
    return std::any_of(given.begin(), given.end(), [&](std::string_view operand) {
      return (operand.starts_with('*') && is_memory(operand.substr(1), syntax)) || operand.starts_with('[');
    });
  return std::any_of(given.begin(), given.end(), [&](std::string_view operand) { return is_memory(operand, syntax); });
}

Effect effect(std::string_view text, Syntax syntax) {
  const std::string_view word = mnemonic(text);
  if (word.empty()) return Effect::None;
  if (word.front() == '.') {
    // Numbers in the text section are instructions.
    static constexpr std::array<std::string_view, 9> kData = {".byte", ".word", ".short", ".long",  ".int",
                                                              ".quad", ".octa", ".insn",  ".incbin"};
    return is_one_of(word, kData) ? Effect::Memory : Effect::None;
  }
  if (word == "mfence") return Effect::FullFence;
  if (word == "lfence") return Effect::AcquireFence;
  if (word == "sfence") return Effect::ReleaseFence;
  if (is_idle_locked(text, word, syntax)) return Effect::FullFence;
  if (is_one_of(word, kUncontrolled) && !is_breakpoint(text, word)) return Effect::Uncontrolled;
  if (word.starts_with("call") || word.starts_with("ret") || word.starts_with("iret")) return Effect::Memory;
  const std::vector<std::string_view> given = operands(text);
  if (is_control_word(word) && given.size() == 1 && on_stack(given[0])) return Effect::None;
  return has_memory_operand(text, syntax) ? Effect::Memory : Effect::None;
}

}  // namespace mazurka::assembly
