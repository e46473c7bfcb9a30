#include "program/members.hpp"

#include <optional>
#include <string_view>
#include <vector>

#include <dwarf.h>
#include <fmt/format.h>

#include "core/code_place.hpp"

namespace mazurka::program {
namespace {

std::string_view name_of(Dwarf_Die* die) {
  const char* name = dwarf_diename(die);
  return name == nullptr ? std::string_view{} : name;
}

bool is_foreign(Dwarf_Die* type) {
  const char* file = dwarf_decl_file(type);
  return file != nullptr && is_foreign_header(file);
}

/// The address of a variable with a single location; clang encodes it as an index into a table of addresses.
std::optional<Dwarf_Addr> address_of(Dwarf_Die* variable) {
  Dwarf_Attribute attribute;
  Dwarf_Op* operations = nullptr;
  std::size_t count = 0;
  if (dwarf_getlocation(dwarf_attr(variable, DW_AT_location, &attribute), &operations, &count) != 0 || count != 1)
    return std::nullopt;
  if (operations[0].atom == DW_OP_addr) return operations[0].number;
  Dwarf_Attribute entry;
  Dwarf_Addr address = 0;
  if (operations[0].atom != DW_OP_addrx || dwarf_getlocation_attr(&attribute, &operations[0], &entry) != 0 ||
      dwarf_formaddr(&entry, &address) != 0)
    return std::nullopt;
  return address;
}

std::string rest(std::uint64_t offset) { return offset == 0 ? "" : fmt::format("+{}", offset); }

std::string inside_array(Dwarf_Die* array, std::uint64_t offset, std::string_view whole) {
  std::optional<Dwarf_Die> element = type_of(array);
  Dwarf_Word size = 0;
  if (!element || dwarf_aggregate_size(&*element, &size) != 0 || size == 0) return rest(offset);
  std::vector<Dwarf_Word> counts;
  for_each_child(array, [&](Dwarf_Die* range) {
    if (dwarf_tag(range) != DW_TAG_subrange_type) return false;
    Dwarf_Attribute attribute;
    Dwarf_Word value = 0;
    if (dwarf_formudata(dwarf_attr(range, DW_AT_count, &attribute), &value) == 0)
      counts.push_back(value);
    else if (dwarf_formudata(dwarf_attr(range, DW_AT_upper_bound, &attribute), &value) == 0)
      counts.push_back(value + 1);
    else
      counts.push_back(1);
    return false;
  });
  std::string text;
  std::uint64_t index = offset / size;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    std::uint64_t stride = 1;
    for (std::size_t k = i + 1; k < counts.size(); ++k) stride *= counts[k];
    text += fmt::format("[{}]", stride == 0 ? 0 : index / stride);
    index = stride == 0 ? 0 : index % stride;
  }
  return text + inside(*element, offset % size, whole);
}

std::string inside_class(Dwarf_Die* type, std::uint64_t offset, std::string_view whole) {
  if (offset == 0 && !whole.empty() && name_of(type) == whole) return "";
  // std::array is treated as an array, and the members of std::pair are named; all other library types are opaque.
  const bool is_array = is_foreign(type) && name_of(type).starts_with("array<");
  if (is_foreign(type) && !is_array && !name_of(type).starts_with("pair<")) return rest(offset);
  std::string text = rest(offset);
  for_each_child(type, [&](Dwarf_Die* member) {
    const int tag = dwarf_tag(member);
    if ((tag != DW_TAG_member && tag != DW_TAG_inheritance) || dwarf_hasattr(member, DW_AT_external)) return false;
    Dwarf_Attribute attribute;
    Dwarf_Word start = 0;  // members of a union have no location
    dwarf_formudata(dwarf_attr(member, DW_AT_data_member_location, &attribute), &start);
    std::optional<Dwarf_Die> its_type = type_of(member);
    Dwarf_Word size = 0;
    if (!its_type || offset < start) return false;
    // clang does not describe classes whose code is elsewhere; such a member extends to the next one.
    const bool sized = dwarf_aggregate_size(&*its_type, &size) == 0;
    if (sized && offset >= start + size) return false;
    const bool named = tag == DW_TAG_member && !is_array && !name_of(member).empty();
    text = (named ? fmt::format(".{}", name_of(member)) : "") + inside(*its_type, offset - start, whole);
    return sized;
  });
  return text;
}

}  // namespace

std::optional<Dwarf_Die> type_of(Dwarf_Die* die) {
  Dwarf_Attribute attribute;
  Dwarf_Die type;
  if (dwarf_formref_die(dwarf_attr_integrate(die, DW_AT_type, &attribute), &type) == nullptr) return std::nullopt;
  Dwarf_Die peeled;
  return dwarf_peel_type(&type, &peeled) == 0 ? peeled : type;
}

bool is_class(Dwarf_Die* type) {
  const int tag = dwarf_tag(type);
  return tag == DW_TAG_structure_type || tag == DW_TAG_class_type || tag == DW_TAG_union_type;
}

std::string inside(Dwarf_Die type, std::uint64_t offset, std::string_view whole) {
  if (is_class(&type)) return inside_class(&type, offset, whole);
  return dwarf_tag(&type) == DW_TAG_array_type ? inside_array(&type, offset, whole) : rest(offset);
}

void Members::read(Dwarf_Die* parent, Dwarf_Addr bias) {
  for_each_child(parent, [&](Dwarf_Die* die) {
    switch (dwarf_tag(die)) {
      case DW_TAG_namespace:
      case DW_TAG_subprogram:  // for static variables of functions
      case DW_TAG_lexical_block: read(die, bias); break;
      case DW_TAG_variable: {
        const std::optional<Dwarf_Addr> address = address_of(die);
        if (!address) break;
        if (const auto type = type_of(die)) types_.try_emplace(*address + bias, *type);
        break;
      }
      default: break;
    }
    return false;
  });
}

void Members::read() {
  read_ = true;
  Dwarf_Addr bias = 0;
  for (Dwarf_Die* unit = nullptr; (unit = dwfl_module_nextcu(module_, unit, &bias)) != nullptr;) read(unit, bias);
}

std::string Members::path(Dwarf_Addr address, std::uint64_t offset, std::string_view whole) {
  if (!read_) read();
  const auto type = types_.find(address);
  return type == types_.end() ? rest(offset) : inside(type->second, offset, whole);
}

ScalarType Members::scalar(Dwarf_Addr address, std::uint64_t offset) {
  if (!read_) read();
  const auto type = types_.find(address);
  return type == types_.end() ? ScalarType{} : scalar_at(type->second, offset);
}

}  // namespace mazurka::program
