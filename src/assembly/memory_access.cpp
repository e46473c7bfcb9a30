#include "assembly/memory_access.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>

#include "assembly/instruction.hpp"

namespace mazurka::assembly {
namespace {

using namespace std::string_view_literals;

template <std::size_t N>
bool starts_with_one_of(std::string_view word, const std::array<std::string_view, N>& stems) {
  return std::any_of(stems.begin(), stems.end(), [&](std::string_view stem) { return word.starts_with(stem); });
}

/// By the suffix of a mnemonic, as in `movl`; 0 if it has none.
std::uint32_t suffix_bytes(std::string_view word) {
  switch (word.empty() ? '\0' : word.back()) {
    case 'b': return 1;
    case 'w': return 2;
    case 'l': return 4;
    case 'q': return 8;
    default: return 0;
  }
}

/// Of a general register, named with `%`; 0 for others.
std::uint32_t register_bytes(std::string_view name) {
  if (!name.starts_with('%')) return 0;
  name.remove_prefix(1);
  if (name.starts_with('r')) {
    const bool numbered = name.size() > 1 && std::isdigit(static_cast<unsigned char>(name[1])) != 0;
    if (numbered && name.ends_with('d')) return 4;
    if (numbered && name.ends_with('w')) return 2;
    if (numbered && name.ends_with('b')) return 1;
    return 8;
  }
  if (name.starts_with('e')) return 4;
  if (name.size() == 2 && (name.ends_with('l') || name.ends_with('h'))) return 1;
  if (name.size() == 3 && name.ends_with('l')) return 1;  // %sil
  return name.size() == 2 ? 2 : 0;
}

/// Of the widest vector register among the operands.
std::uint32_t vector_bytes(std::string_view text) {
  if (text.find("%zmm") != std::string_view::npos) return 64;
  if (text.find("%ymm") != std::string_view::npos) return 32;
  return text.find("%xmm") != std::string_view::npos ? 16 : 0;
}

/// `st(0)` with memory: the suffix says how wide a floating-point number is, or an integer.
std::uint32_t x87_bytes(std::string_view word) {
  const bool integer = word.starts_with("fi");
  if (word.ends_with('t')) return 10;
  if (word.ends_with("ll") || word.ends_with('q')) return 8;
  if (word.ends_with('l')) return integer ? 4 : 8;
  if (word.ends_with('s')) return integer ? 2 : 4;
  return 2;  // control and status words
}

/// Scalars, halves, broadcasts, insertions, extractions and widening loads access less than a whole register.
std::uint32_t vector_access_bytes(std::string_view word, std::uint32_t whole) {
  if (word.starts_with('v')) word.remove_prefix(1);
  const auto widening = [&](std::string_view stem) -> std::uint32_t {
    const std::string_view kind = word.substr(std::min(word.size(), stem.size()), 2);
    const std::uint32_t factor = kind == "bd" || kind == "wq" ? 4 : kind == "bq" ? 8 : 2;
    return whole / factor;
  };
  if (word.starts_with("pmovzx")) return widening("pmovzx");
  if (word.starts_with("pmovsx")) return widening("pmovsx");
  if (word.starts_with("broadcast") || word.starts_with("pbroadcast")) {
    if (word.ends_with("128") || word.ends_with("x2") || word.ends_with("x4")) return 16;
    if (word.ends_with("ss") || word.ends_with("d")) return word.ends_with("sd") ? 8 : 4;
    return word.ends_with("q") ? 8 : suffix_bytes(word);
  }
  if (word.starts_with("insert") || word.starts_with("extract"))
    return word.ends_with("ps") ? 4 : word.ends_with("256") || word.ends_with("x4") ? 32 : 16;
  if (word.starts_with("pinsr") || word.starts_with("pextr"))
    return word.ends_with('b') ? 1 : word.ends_with('w') ? 2 : word.ends_with('d') ? 4 : 8;
  if (word.starts_with("movlp") || word.starts_with("movhp") || word == "movddup" || word == "movq") return 8;
  if (word == "movd") return 4;
  if (word.starts_with("cvt")) {
    // The source is named first: cvtss2sd.
    const std::string_view from = word.substr(word.starts_with("cvtt") ? 4 : 3, 2);
    if (from == "ss") return 4;
    if (from == "sd") return 8;
    if (from == "si") return word.ends_with('q') ? 8 : 4;
    return word.ends_with("pd") && from != "pd" ? whole / 2 : whole;
  }
  if (word.ends_with("ss")) return 4;
  if (word.ends_with("sd") || word.ends_with("sdl")) return 8;
  return whole;
}

constexpr std::array kModifies = {"add"sv, "sub"sv, "and"sv, "or"sv,  "xor"sv, "adc"sv, "sbb"sv,
                                  "inc"sv, "dec"sv, "neg"sv, "not"sv, "shl"sv, "shr"sv, "sal"sv,
                                  "sar"sv, "rol"sv, "ror"sv, "rcl"sv, "rcr"sv};
constexpr std::array kShifts = {"shl"sv, "shr"sv, "sal"sv, "sar"sv, "rol"sv, "ror"sv, "rcl"sv, "rcr"sv};
constexpr std::array kOnlyReads = {"cmp"sv,    "test"sv,  "push"sv,  "call"sv,   "jmp"sv,     "mul"sv,
                                   "imul"sv,   "div"sv,   "idiv"sv,  "fld"sv,    "fild"sv,    "bt"sv,
                                   "ucomis"sv, "comis"sv, "ptest"sv, "vptest"sv, "vucomis"sv, "vcomis"sv};

/// A mnemonic that is one of these stems with at most a suffix for its width.
template <std::size_t N>
bool is_any(std::string_view word, const std::array<std::string_view, N>& stems) {
  return std::any_of(stems.begin(), stems.end(), [&](std::string_view stem) {
    return word.starts_with(stem) &&
           (word.size() == stem.size() || (word.size() == stem.size() + 1 && suffix_bytes(word) != 0));
  });
}

bool is_x87(std::string_view word) { return word.starts_with('f') && !word.starts_with("fx"); }

/// Instructions on strings access (%rsi) and (%rdi).
std::vector<MemoryAccess> string_accesses(std::string_view text, std::string_view word) {
  const std::uint32_t bytes = std::max<std::uint32_t>(1, suffix_bytes(word));
  const bool counted = text.find("rep") < text.find(word);
  const MemoryAccess source{"(%rsi)", bytes, true, false, counted};
  const MemoryAccess target{"(%rdi)", bytes, false, true, counted};
  if (word.starts_with("movs")) return {source, target};
  if (word.starts_with("stos")) return {target};
  if (word.starts_with("lods")) return {source};
  // How far a comparison goes is not known before: its first elements.
  const MemoryAccess other{"(%rdi)", bytes, true, false, false};
  if (word.starts_with("scas")) return {other};
  return {{"(%rsi)", bytes, true, false, false}, other};
}

}  // namespace

std::string_view base_register(std::string_view address) {
  const std::size_t open = address.rfind('(');
  if (open == std::string_view::npos) return "";
  std::string_view inside = address.substr(open + 1);
  inside = inside.substr(0, inside.find_first_of(",)"));
  return inside.starts_with('%') ? inside.substr(1) : std::string_view{};
}

std::vector<MemoryAccess> memory_accesses(std::string_view text) {
  if (!has_memory_operand(text, Syntax::Att)) return {};
  const std::string_view word = mnemonic(text);
  const std::vector<std::string_view> given = operands(text);
  if (given.empty()) return string_accesses(text, word);
  const auto operand = std::find_if(given.begin(), given.end(), [](std::string_view each) {
    return is_memory(each.starts_with('*') ? each.substr(1) : each, Syntax::Att);
  });
  MemoryAccess access;
  access.address = operand->starts_with('*') ? operand->substr(1) : *operand;
  const bool is_last = operand == given.end() - 1;
  // How it is accessed.
  if (is_any(word, kModifies) && is_last) {
    access.reads = access.writes = true;
  } else if (is_x87(word)) {
    access.writes = word.starts_with("fst") || word.starts_with("fist") || word.starts_with("fnst");
    access.reads = !access.writes;
  } else {
    const bool only_reads = starts_with_one_of(word, kOnlyReads) && !word.starts_with("bts") &&
                            !word.starts_with("btr") && !word.starts_with("btc");
    access.writes = is_last && !only_reads;
    access.reads = !access.writes;
  }
  // How many bytes.
  const std::string_view other = given.size() < 2 ? std::string_view{}
                                 : is_last        ? given[given.size() - 2]
                                                  : given.back();
  const std::uint32_t whole = vector_bytes(text);
  if (word.starts_with("movz") || (word.starts_with("movs") && given.size() == 2 && register_bytes(other) != 0)) {
    access.bytes = word.size() > 4 ? suffix_bytes(word.substr(0, 5)) : 0;
  } else if (is_x87(word)) {
    access.bytes = x87_bytes(word);
  } else if (word.starts_with("set")) {
    access.bytes = 1;
  } else if (word.starts_with("call") || word.starts_with("jmp")) {
    access.bytes = 8;
  } else if (whole != 0 || word.starts_with("cvt") || word.starts_with("vcvt")) {
    access.bytes = vector_access_bytes(word, whole);
  } else if (!is_any(word, kShifts) && register_bytes(other) != 0) {
    access.bytes = register_bytes(other);
  } else {
    access.bytes = suffix_bytes(word);
  }
  access.bytes = std::max<std::uint32_t>(access.bytes, 1);
  return {access};
}

}  // namespace mazurka::assembly
