#include "program/locals.hpp"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string_view>

#include <dwarf.h>

#include "program/members.hpp"

namespace mazurka::program {
namespace {

/// The operation of a location attribute that consists of a single one.
std::optional<Dwarf_Op> single_operation(Dwarf_Die* die, unsigned name) {
  Dwarf_Attribute attribute;
  Dwarf_Op* operations = nullptr;
  std::size_t count = 0;
  if (dwarf_getlocation(dwarf_attr(die, name, &attribute), &operations, &count) != 0 || count != 1) return std::nullopt;
  return operations[0];
}

/// The distance from a register to the start of a function's frame while its body runs: the maximum in the unwind
/// tables, since registers are saved at the start and restored at the end.
std::optional<std::int64_t> distance_of_register(Dwfl_Module* module, Dwarf_Addr low, Dwarf_Addr high,
                                                 Dwarf_Word number) {
  Dwarf_Addr bias = 0;
  Dwarf_CFI* table = dwfl_module_eh_cfi(module, &bias);
  std::optional<std::int64_t> most;
  for (Dwarf_Addr at = low; table != nullptr && at < high;) {
    Dwarf_Frame* frame = nullptr;
    if (dwarf_cfi_addrframe(table, at - bias, &frame) != 0) return most;
    const std::unique_ptr<Dwarf_Frame, void (*)(void*)> owner(frame, std::free);
    Dwarf_Addr end = 0;
    Dwarf_Op* operations = nullptr;
    std::size_t count = 0;
    if (dwarf_frame_info(frame, nullptr, &end, nullptr) < 0 || end + bias <= at) return most;
    if (dwarf_frame_cfa(frame, &operations, &count) == 0 && count == 1 && operations[0].atom == DW_OP_bregx &&
        operations[0].number == number)
      most = std::max(most.value_or(0), static_cast<std::int64_t>(operations[0].number2));
    at = end + bias;
  }
  return most;
}

/// What the locations of a function's variables are relative to, as a distance from the start of its frame.
std::optional<std::int64_t> base_of(Dwfl_Module* module, Dwarf_Die* function, Dwarf_Addr bias) {
  const std::optional<Dwarf_Op> base = single_operation(function, DW_AT_frame_base);
  if (!base) return std::nullopt;
  if (base->atom == DW_OP_call_frame_cfa) return 0;
  if (base->atom < DW_OP_reg0 || base->atom > DW_OP_reg31) return std::nullopt;
  Dwarf_Addr low = 0;
  Dwarf_Addr high = 0;
  if (dwarf_lowpc(function, &low) != 0 || dwarf_highpc(function, &high) != 0) return std::nullopt;
  const auto distance = distance_of_register(module, low + bias, high + bias, base->atom - DW_OP_reg0);
  if (!distance) return std::nullopt;
  return -*distance;
}

}  // namespace

/// Reads all blocks of a scope, or those that contain the address `code`.
void Locals::read(Dwarf_Die* scope, std::int64_t base, std::optional<Dwarf_Addr> code, std::vector<Variable>& into) {
  for_each_child(scope, [&](Dwarf_Die* die) {
    const int tag = dwarf_tag(die);
    if ((tag == DW_TAG_lexical_block || tag == DW_TAG_inlined_subroutine) && (!code || dwarf_haspc(die, *code) == 1))
      read(die, base, code, into);
    if (tag != DW_TAG_variable && tag != DW_TAG_formal_parameter) return false;
    const std::optional<Dwarf_Op> place = single_operation(die, DW_AT_location);
    std::optional<Dwarf_Die> type = type_of(die);
    const char* name = dwarf_diename(die);
    Dwarf_Word size = 0;
    if (place && place->atom == DW_OP_fbreg && type && name != nullptr && dwarf_aggregate_size(&*type, &size) == 0)
      into.push_back({base + static_cast<std::int64_t>(place->number), size, name, *type});
    return false;
  });
}

void Locals::read() {
  read_ = true;
  Dwarf_Addr bias = 0;
  for (Dwarf_Die* unit = nullptr; (unit = dwfl_module_nextcu(module_, unit, &bias)) != nullptr;)
    for_each_child(unit, [&](Dwarf_Die* die) {
      const char* name = dwarf_tag(die) == DW_TAG_subprogram ? dwarf_diename(die) : nullptr;
      if (name == nullptr || std::string_view(name) != "main") return false;
      if (const auto base = base_of(module_, die, bias)) read(die, *base, std::nullopt, variables_);
      return true;
    });
}

Locals::Found Locals::at(std::int64_t distance, std::string_view whole) {
  if (!read_) read();
  return find(variables_, distance, whole);
}

Locals::Found Locals::at(Dwarf_Die scope, Dwarf_Addr code, Dwarf_Addr bias, std::int64_t distance,
                         std::string_view whole) {
  Dwarf_Die* scopes = nullptr;
  const int count = dwarf_getscopes_die(&scope, &scopes);
  const std::unique_ptr<Dwarf_Die, void (*)(void*)> owner(scopes, std::free);
  for (int i = 0; i < count; ++i) {
    if (dwarf_tag(&scopes[i]) != DW_TAG_subprogram) continue;
    const auto base = base_of(module_, &scopes[i], bias);
    if (!base) return {};
    std::vector<Variable> variables;
    read(&scopes[i], *base, code - bias, variables);
    return find(variables, distance, whole);
  }
  return {};
}

Locals::Found Locals::find(const std::vector<Variable>& variables, std::int64_t distance, std::string_view whole) {
  const Variable* found = nullptr;
  for (const Variable& variable : variables) {
    if (distance < variable.begin || distance - variable.begin >= static_cast<std::int64_t>(variable.size)) continue;
    if (found != nullptr) return {};
    found = &variable;
  }
  if (found == nullptr) return {};
  const auto offset = static_cast<std::uint64_t>(distance - found->begin);
  return {found->name + inside(found->type, offset, whole), scalar_at(found->type, offset)};
}

}  // namespace mazurka::program
