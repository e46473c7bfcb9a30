#include "program/scalar_type.hpp"

#include <optional>
#include <string_view>

#include <dwarf.h>
#include <fmt/format.h>

#include "program/members.hpp"

namespace mazurka::program {
namespace {

std::optional<Dwarf_Word> number(Dwarf_Die* die, unsigned attribute) {
  Dwarf_Attribute found;
  Dwarf_Word value = 0;
  if (dwarf_formudata(dwarf_attr_integrate(die, attribute, &found), &value) != 0) return std::nullopt;
  return value;
}

constexpr bool is_unsigned(Dwarf_Word encoding) {
  switch (encoding) {
    case DW_ATE_boolean:
    case DW_ATE_unsigned:
    case DW_ATE_unsigned_char:
    case DW_ATE_UTF: return true;
    default: return false;
  }
}

/// Constants may be encoded signed or unsigned.
std::optional<std::uint64_t> constant(Dwarf_Die* enumerator) {
  Dwarf_Attribute attribute;
  Dwarf_Sword with_sign = 0;
  if (dwarf_attr(enumerator, DW_AT_const_value, &attribute) == nullptr) return std::nullopt;
  if (dwarf_formsdata(&attribute, &with_sign) == 0) return static_cast<std::uint64_t>(with_sign);
  return number(enumerator, DW_AT_const_value);
}

/// Scoped enumerators have the name of their type in front, as in the source.
std::map<std::uint64_t, std::string> enumerators_of(Dwarf_Die* type, std::uint64_t bytes) {
  const char* scope = dwarf_hasattr(type, DW_AT_enum_class) ? dwarf_diename(type) : nullptr;
  const std::uint64_t mask = bytes >= 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << 8U * bytes) - 1;
  std::map<std::uint64_t, std::string> names;
  for_each_child(type, [&](Dwarf_Die* die) {
    const char* name = dwarf_tag(die) == DW_TAG_enumerator ? dwarf_diename(die) : nullptr;
    if (name == nullptr) return false;
    if (const auto value = constant(die))
      names.try_emplace(*value & mask, scope == nullptr ? name : fmt::format("{}::{}", scope, name));
    return false;
  });
  return names;
}

ScalarType in_class(Dwarf_Die* type, std::uint64_t offset) {
  ScalarType result;
  for_each_child(type, [&](Dwarf_Die* member) {
    const int tag = dwarf_tag(member);
    if ((tag != DW_TAG_member && tag != DW_TAG_inheritance) || dwarf_hasattr(member, DW_AT_external)) return false;
    const std::uint64_t start = number(member, DW_AT_data_member_location).value_or(0);
    const std::optional<Dwarf_Die> its_type = type_of(member);
    if (its_type && offset >= start) result = scalar_at(*its_type, offset - start);
    return result.bytes != 0;
  });
  return result;
}

}  // namespace

ScalarType scalar_at(Dwarf_Die type, std::uint64_t offset) {
  Dwarf_Word size = 0;
  if (dwarf_aggregate_size(&type, &size) != 0 || offset >= size) return {};
  if (is_class(&type)) return in_class(&type, offset);
  if (dwarf_tag(&type) == DW_TAG_array_type) {
    std::optional<Dwarf_Die> element = type_of(&type);
    Dwarf_Word each = 0;
    if (!element || dwarf_aggregate_size(&*element, &each) != 0 || each == 0) return {};
    return scalar_at(*element, offset % each);
  }
  ScalarType result;
  if (offset != 0) return result;
  result.bytes = size;
  switch (dwarf_tag(&type)) {
    case DW_TAG_enumeration_type: result.enumerators = enumerators_of(&type, size); break;
    case DW_TAG_pointer_type:
      result.is_pointer = true;
      if (std::optional<Dwarf_Die> pointee = type_of(&type); pointee && is_class(&*pointee))
        if (const char* name = dwarf_diename(&*pointee)) result.pointee = name;
      break;
    case DW_TAG_base_type: result.is_unsigned = is_unsigned(number(&type, DW_AT_encoding).value_or(0)); break;
    default: break;
  }
  return result;
}

}  // namespace mazurka::program
