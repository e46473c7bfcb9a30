#include "assembly/scanner.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdlib>
#include <map>
#include <set>

#include <cxxabi.h>
#include <fmt/format.h>

#include "assembly/announcements.hpp"
#include "assembly/instruction.hpp"

namespace mazurka::assembly {
namespace {

constexpr std::size_t kShownText = 80;

std::string_view trimmed(std::string_view text) {
  const auto blank = [](char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; };
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && blank(text.back())) text.remove_suffix(1);
  return text;
}

unsigned number(std::string_view text) {
  unsigned result = 0;
  std::from_chars(text.data(), text.data() + text.size(), result);
  return result;
}

bool is_symbol_character(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' || c == '$';
}

/// The next quoted string, escapes included; advances `text` past it.
std::string next_quoted(std::string_view& text) {
  const std::size_t begin = text.find('"');
  if (begin == std::string_view::npos) return "";
  std::string result;
  std::size_t i = begin + 1;
  for (; i < text.size() && text[i] != '"'; ++i) {
    if (text[i] == '\\' && i + 1 < text.size()) ++i;
    result += text[i];
  }
  text.remove_prefix(std::min(text.size(), i + 1));
  return result;
}

/// One instruction of a line, and its end.
struct Piece {
  std::string_view text;
  std::size_t end = 0;
};

/// Splits at semicolons and drops comments; strings keep both.
std::vector<Piece> split(std::string_view line) {
  std::vector<Piece> result;
  std::size_t begin = 0;
  bool quoted = false;
  for (std::size_t i = 0; i <= line.size(); ++i) {
    const bool comment = i < line.size() && !quoted && (line[i] == '#' || line.substr(i, 2) == "/*");
    if (i == line.size() || comment || (line[i] == ';' && !quoted)) {
      if (const std::string_view text = trimmed(line.substr(begin, i - begin)); !text.empty())
        result.push_back({text, static_cast<std::size_t>(text.data() - line.data()) + text.size()});
      if (comment) break;
      begin = i + 1;
    } else if (line[i] == '"' && (i == 0 || line[i - 1] != '\\')) {
      quoted = !quoted;
    }
  }
  return result;
}

/// Removes a label from the front of an instruction and returns it.
std::string_view take_label(std::string_view& text) {
  std::size_t end = 0;
  while (end < text.size() && is_symbol_character(text[end])) ++end;
  if (end == 0 || end == text.size() || text[end] != ':') return {};
  const std::string_view label = text.substr(0, end);
  text = trimmed(text.substr(end + 1));
  return label;
}

/// Tracks how the unwind directives express the frame: if relative to the stack pointer, inserted code that moves it
/// needs directives too.
class FrameDirectives {
 public:
  void see(std::string_view directive) {
    const std::string_view word = directive.substr(0, directive.find_first_of(" \t"));
    const std::string_view rest = trimmed(directive.substr(word.size()));
    const bool by_stack = rest.starts_with('7') || rest.starts_with("%rsp") || rest.starts_with("rsp");
    if (word == ".cfi_startproc") {
      inside_ = by_stack_ = true;
      remembered_.clear();
    } else if (word == ".cfi_endproc") {
      inside_ = false;
    } else if (word == ".cfi_def_cfa_register" || word == ".cfi_def_cfa") {
      by_stack_ = by_stack;
    } else if (word == ".cfi_escape") {
      by_stack_ = false;
    } else if (word == ".cfi_remember_state") {
      remembered_.push_back(by_stack_);
    } else if (word == ".cfi_restore_state" && !remembered_.empty()) {
      by_stack_ = remembered_.back();
      remembered_.pop_back();
    }
  }
  bool count_from_stack_pointer() const { return inside_ && by_stack_; }

 private:
  bool inside_ = false;
  bool by_stack_ = true;
  std::vector<bool> remembered_;
};

constexpr std::string_view kLinkerOptions = ",@llvm_linker_options";

class Scanner {
 public:
  Scanner(std::string_view text, std::string_view folder, const std::vector<std::string>& exempt)
      : text_(text), folder_(folder), exempt_(exempt) {}

  Scan run() {
    result_.instrumented = text_.find(kInstrumented) != std::string_view::npos;
    if (!result_.instrumented) return std::move(result_);
    while (!text_.empty()) {
      const std::string_view line = text_.substr(0, text_.find('\n'));
      const bool ended = line.size() < text_.size();
      text_.remove_prefix(line.size() + (ended ? 1 : 0));
      read_line(line);
      if (ended) result_.text += '\n';
    }
    end_function();
    return std::move(result_);
  }

 private:
  struct Function {
    std::string symbol;
    bool checked = false;  ///< has an instrumented plain access
    bool accesses = false;
    bool frame_escapes = false;
    bool calls = false;
    bool has_frame_pointer = false;
    bool exempt = false;  ///< from instrumentation
  };

  void read_line(std::string_view line) {
    const std::string_view content = trimmed(line);
    // The second form is clang's, outside of functions.
    if (content.starts_with("#APP") || content.starts_with("# Start of file scope inline assembly")) {
      in_assembly_ = true;
      begin_statement(file_name(file_), line_);
    } else if (content.starts_with("#NO_APP") || content.starts_with("# End of file scope inline assembly")) {
      end_statement();
      in_assembly_ = false;
    } else if (in_assembly_ && read_marker(content)) {
    } else if (const std::size_t type = line.find(kLinkerOptions); type != std::string_view::npos) {
      line = line.substr(0, type);  // clang's name for a section type, which GNU as warns about
    } else {
      read_pieces(line);
      return;
    }
    result_.text += line;
  }

  /// gcc: `# 8 "file.c" 1` before a statement and `# 0 "" 2` after it.
  bool read_marker(std::string_view content) {
    if (!content.starts_with("# ") || content.size() < 3 || std::isdigit(static_cast<unsigned char>(content[2])) == 0)
      return false;
    std::string_view rest = content.substr(2);
    const unsigned line = number(rest);
    if (rest.find('"') == std::string_view::npos) return false;
    const std::string file = next_quoted(rest);
    end_statement();
    if (line != 0) begin_statement(file, line);
    return true;
  }

  void read_pieces(std::string_view line) {
    std::size_t copied = 0;
    std::size_t begin = 0;
    for (const Piece& piece : split(line)) {
      std::string_view text = piece.text;
      for (std::string_view label = take_label(text); !label.empty(); label = take_label(text)) see_label(label);
      if (text.empty()) continue;
      if (text.front() == '.') {
        see_directive(text);
        if (!in_assembly_ || other_section_ > 0) continue;
      }
      // `lock; addl` is one instruction.
      const std::string whole = prefix_.empty() ? std::string(text) : prefix_ + " " + std::string(text);
      if (prefix_.empty()) begin = static_cast<std::size_t>(text.data() - line.data());
      prefix_.clear();
      if (is_prefix(whole)) {
        prefix_ = whole;
        continue;
      }
      if (!in_assembly_) {
        for (const MemoryAccess& access : unannounced(whole)) {
          result_.text += line.substr(copied, begin - copied);
          copied = begin;
          result_.text += call_before(access);
        }
      }
      const Effect what = in_assembly_ ? see_statement(whole) : see_instruction(whole);
      if (const char* const hook = runtime_hook(what); hook != nullptr) {
        result_.text += line.substr(copied, piece.end - copied);
        copied = piece.end;
        result_.text += call_of(hook);
      }
    }
    result_.text += line.substr(copied);
  }

  void see_label(std::string_view label) {
    if (is_target(label)) announcements_.see_label();
    if (!functions_.contains(label)) return;
    end_function();
    function_.symbol = label;
    function_.exempt =
        !exempt_.empty() && std::find(exempt_.begin(), exempt_.end(), demangled(function_.symbol)) != exempt_.end();
  }

  /// Labels that nobody jumps to are for debug information and unwinding: gcc's .LVL3, .LBB4 and .LEHB5, clang's
  /// .Ltmp6.
  static bool is_target(std::string_view label) {
    if (!label.starts_with(".L")) return true;
    const std::string_view rest = label.substr(2);
    return std::isdigit(static_cast<unsigned char>(rest.front())) != 0 || rest.find('_') != std::string_view::npos;
  }

  void see_directive(std::string_view text) {
    const std::string_view word = text.substr(0, text.find_first_of(" \t"));
    std::string_view rest = trimmed(text.substr(word.size()));
    if (word.starts_with(".cfi_")) {
      frame_.see(text);
    } else if (word == ".type") {
      const std::size_t comma = rest.find(',');
      if (rest.find("function") != std::string_view::npos) functions_.emplace(trimmed(rest.substr(0, comma)));
    } else if (word == ".size") {
      if (!function_.symbol.empty() && trimmed(rest.substr(0, rest.find(','))) == function_.symbol) end_function();
    } else if (word == ".file") {
      if (rest.starts_with('"')) {
        main_file_ = next_quoted(rest);
        return;
      }
      const unsigned index = number(rest);
      const std::string first = next_quoted(rest);
      const std::string second = next_quoted(rest);
      std::string& file = files_[index];
      file = second.empty() ? first : (second.starts_with('/') ? second : first + "/" + second);
      if (!folder_.empty() && file.starts_with(folder_) && file.size() > folder_.size() && file[folder_.size()] == '/')
        file.erase(0, folder_.size() + 1);
    } else if (word == ".loc") {
      file_ = number(rest);
      rest = trimmed(rest.substr(std::min(rest.size(), rest.find_first_of(" \t"))));
      line_ = number(rest);
    } else if (word == ".intel_syntax") {
      syntax_ = Syntax::Intel;
    } else if (word == ".att_syntax") {
      syntax_ = Syntax::Att;
    } else if (in_assembly_ && (word == ".pushsection" || word == ".section")) {
      // Data about code, such as probes and exception tables, is in other sections.
      const bool code = rest.starts_with(".text") || rest.find('x', rest.find('"')) != std::string_view::npos;
      other_section_ = code ? 0 : 1;
    } else if (in_assembly_ && (word == ".popsection" || word == ".previous" || word == ".text")) {
      other_section_ = 0;
    }
  }

  // Inline assembly ------------------------------------------------------------------------------------------------

  void begin_statement(std::string file, unsigned line) {
    statement_ = {Kind::Assembly, std::move(file), line, "", ""};
    matters_ = false;
  }

  Effect see_statement(const std::string& instruction) {
    if (other_section_ > 0) return Effect::None;
    const Effect what = effect(instruction, syntax_);
    // Assembly outside of functions counts as a function without instrumentation.
    const bool outside = function_.symbol.empty() && instruction.front() != '.';
    if (what == Effect::Memory || what == Effect::Uncontrolled || outside) matters_ = true;
    if (statement_.text.size() < kShownText && instruction.front() != '.')
      statement_.text += (statement_.text.empty() ? "" : "; ") + instruction;
    return what;
  }

  void end_statement() {
    prefix_.clear();
    other_section_ = 0;
    if (matters_) record(std::move(statement_), result_.records);
    begin_statement("", 0);
  }

  // Everything else ------------------------------------------------------------------------------------------------

  Effect see_instruction(const std::string& instruction) {
    const std::string_view word = mnemonic(instruction);
    if (word.starts_with("call") || word.starts_with("jmp")) see_call(instruction, word);
    const bool frame_address = instruction.find("(%rsp") != std::string::npos ||
                               (function_.has_frame_pointer && instruction.find("(%rbp") != std::string::npos) ||
                               instruction.find("[rsp") != std::string::npos ||
                               (function_.has_frame_pointer && instruction.find("[rbp") != std::string::npos);
    if (instruction.find("%rsp, %rbp") != std::string::npos || instruction.find("rbp, rsp") != std::string::npos)
      function_.has_frame_pointer = true;
    if (word.starts_with("lea")) function_.frame_escapes = function_.frame_escapes || frame_address;
    const bool memory = has_memory_operand(instruction, syntax_);
    if (memory && !frame_address) function_.accesses = true;
    if (!of_intrinsics(word, is_locked(instruction), memory)) return Effect::None;
    const Effect what = effect(instruction, syntax_);
    // Retpoline thunks contain fences that are never reached.
    if (function_.symbol.starts_with("__x86_")) return Effect::None;
    if (what == Effect::Memory || what == Effect::Uncontrolled)
      record({Kind::Assembly, file_name(file_), line_, "", instruction}, result_.intrinsics);
    return what;
  }

  /// What the instruction accesses although the compiler has not announced it. Intrinsics are recorded instead.
  std::vector<MemoryAccess> unannounced(const std::string& instruction) {
    if (function_.symbol.empty() || function_.exempt || syntax_ != Syntax::Att) return {};
    std::vector<MemoryAccess> found = announcements_.see(instruction);
    if (!found.empty() && of_intrinsics(mnemonic(instruction), is_locked(instruction), true)) return {};
    return found;
  }

  /// Instructions that compilers do not choose by themselves in instrumented code.
  static bool of_intrinsics(std::string_view word, bool locked, bool memory) {
    for (const std::string_view stem : {"mfence", "lfence", "sfence", "rdtsc", "rdrand", "rdseed", "rdpmc", "rdpid"})
      if (word.starts_with(stem)) return true;
    if (!memory) return false;
    for (const std::string_view stem : {"xchg", "cmpxchg", "movnt", "vmovnt", "maskmov", "vmaskmov", "vpmaskmov",
                                        "vgather", "vpgather", "vscatter", "vpscatter", "xsave", "fxsave", "movdir"})
      if (word.starts_with(stem)) return true;
    return locked;
  }

  void see_call(std::string_view instruction, std::string_view word) {
    const std::string_view target = trimmed(instruction.substr(instruction.find(word) + word.size()));
    for (const std::string_view access :
         {"__tsan_read", "__tsan_write", "__tsan_unaligned", "__tsan_vptr", "__tsan_volatile", "__tsan_range"})
      if (target.starts_with(access)) function_.checked = true;
    if (word.starts_with("call") && !target.starts_with("__tsan_")) function_.calls = true;
  }

  void end_function() {
    const Function& f = function_;
    const bool suspect = !f.symbol.empty() && !f.checked && (f.accesses || (f.frame_escapes && f.calls));
    if (suspect) result_.suspects.push_back(f.symbol);
    function_ = {};
    announcements_.begin_function();
  }

  // Results --------------------------------------------------------------------------------------------------------

  static const char* runtime_hook(Effect what) {
    switch (what) {
      case Effect::FullFence: return "__mazurka_full_fence";
      case Effect::AcquireFence: return "__mazurka_acquire_fence";
      case Effect::ReleaseFence: return "__mazurka_release_fence";
      default: return nullptr;
    }
  }

  /// Its arguments: on the stack, how the instruction accesses memory, and %rdi, which the call restores; in %rdi,
  /// where. It preserves what call_of() does.
  std::string call_before(const MemoryAccess& access) const {
    const bool directives = frame_.count_from_stack_pointer();
    const auto adjust = [&](int bytes) { return directives ? fmt::format(".cfi_adjust_cfa_offset {}; ", bytes) : ""; };
    const std::uint32_t what =
        access.bytes << 3 | (access.counted ? 4U : 0U) | (access.writes ? 2U : 0U) | (access.reads ? 1U : 0U);
    return fmt::format(
        "leaq -128(%rsp), %rsp; {}pushq ${}; {}pushq %rdi; {}leaq {}, %rdi; call *__mazurka_access@GOTPCREL(%rip); "
        "leaq 144(%rsp), %rsp; {}",
        adjust(128), what, adjust(8), adjust(8), access.address, adjust(-144));
  }

  /// The call preserves all registers and flags, and skips the red zone below the stack pointer.
  std::string call_of(const char* hook) const {
    const bool directives = frame_.count_from_stack_pointer();
    std::string result = "; ";
    if (syntax_ == Syntax::Intel) result += ".att_syntax prefix; ";
    result += "leaq -128(%rsp), %rsp; ";
    if (directives) result += ".cfi_adjust_cfa_offset 128; ";
    // Not through the procedure linkage table, whose lazy binding would clobber registers.
    result += fmt::format("call *{}@GOTPCREL(%rip); leaq 128(%rsp), %rsp", hook);
    if (directives) result += "; .cfi_adjust_cfa_offset -128";
    if (syntax_ == Syntax::Intel) result += "; .intel_syntax noprefix";
    return result;
  }

  std::string file_name(unsigned index) const {
    const auto file = files_.find(index);
    return file == files_.end() ? main_file_ : file->second;
  }

  void record(Unseen unseen, std::vector<Unseen>& list) {
    if (unseen.text.size() > kShownText) unseen.text = unseen.text.substr(0, kShownText) + "...";
    std::replace(unseen.text.begin(), unseen.text.end(), '\t', ' ');
    if (unseen.file.empty()) unseen.file = main_file_;
    if (!function_.symbol.empty()) unseen.function = demangled(function_.symbol);
    // A function inlined in several places counts once.
    const std::string key = unseen.line == 0 ? to_record(unseen) : fmt::format("{}:{}", unseen.file, unseen.line);
    if (recorded_.insert(key).second) list.push_back(std::move(unseen));
  }

  std::string_view text_;
  std::string_view folder_;
  const std::vector<std::string>& exempt_;
  Scan result_;
  std::string main_file_;
  std::map<unsigned, std::string> files_;
  unsigned file_ = ~0U;
  unsigned line_ = 0;
  Syntax syntax_ = Syntax::Att;
  FrameDirectives frame_;
  std::set<std::string, std::less<>> functions_;
  Function function_;
  Announcements announcements_;
  bool in_assembly_ = false;
  int other_section_ = 0;
  Unseen statement_;
  bool matters_ = false;
  std::string prefix_;
  std::set<std::string> recorded_;
};

}  // namespace

Scan scan(std::string_view text, std::string_view folder, const std::vector<std::string>& exempt) {
  return Scanner(text, folder, exempt).run();
}

std::string demangled(const std::string& symbol) {
  std::string plain = symbol.substr(0, symbol.find('.', 1));
  if (!plain.starts_with("_Z")) return plain;  // otherwise the C name `x` would be demangled as a type
  int status = 0;
  char* const name = abi::__cxa_demangle(plain.c_str(), nullptr, nullptr, &status);
  if (name == nullptr) return plain;
  std::string result = name;
  std::free(name);
  return result;
}

}  // namespace mazurka::assembly
