// While a section runs, its operations, accesses and overwritten bytes are collected in current_section.
// close_section() makes a footprint of them: sorted and without duplicates, so that equal sections have equal
// footprints, and interned in the shared table. Only then is it known which sleepers depend on the section. If an
// assumption fails inside, cut_section() undoes the stores and leaves only the reads in the footprint.
#include "runtime/scheduling/sections.hpp"

#include <initializer_list>

#include "runtime/arch.hpp"
#include "runtime/detector/clocks.hpp"
#include "runtime/detector/detector.hpp"
#include "runtime/detector/intended_races.hpp"
#include "runtime/scheduling/scheduler.hpp"
#include "runtime/scheduling/scheduling.hpp"
#include "runtime/worker/outcome.hpp"
#include "runtime/worker/worker.hpp"

namespace mazurka::runtime {

constinit Section current_section{};  // constinit: too large to initialise at start-up

namespace {

using enum OperationKind;

bool is_memory(const Operation& o) { return family(o.kind) == Family::Memory; }
bool is_write(Touch touch) { return touch != Touch::Read && touch != Touch::AtomicRead; }

bool before(const Operation& a, const Operation& b) {
  if (a.object != b.object) return a.object < b.object;
  if (a.kind != b.kind) return a.kind < b.kind;
  if (a.size != b.size) return a.size < b.size;
  if (a.flags != b.flags) return a.flags < b.flags;
  if (a.detail != b.detail) return a.detail < b.detail;
  return a.second < b.second;
}

/// Sorts the operations and removes duplicates. Shell sort: no allocation, and most sections are short.
void tidy(Section& section) {
  Operation* const all = section.operations;
  const std::uint32_t count = section.count;
  for (const std::uint32_t gap : {29524U, 9841U, 3280U, 1093U, 364U, 121U, 40U, 13U, 4U, 1U})
    for (std::uint32_t i = gap; i < count; ++i) {
      const Operation moved = all[i];
      std::uint32_t at = i;
      for (; at >= gap && before(moved, all[at - gap]); at -= gap) all[at] = all[at - gap];
      all[at] = moved;
    }
  std::uint32_t kept = 0;
  for (std::uint32_t i = 0; i < count; ++i)
    if (kept == 0 || all[kept - 1] != all[i]) all[kept++] = all[i];
  section.count = kept;
}

/// Removes the stores of a section whose assumption failed, since they are undone. Its reads stay: the failure depends
/// on them.
void forget_stores(Section& section) {
  std::uint32_t kept = 0;
  for (std::uint32_t i = 0; i < section.count; ++i) {
    Operation o = section.operations[i];
    if (o.kind == Store) continue;
    if (o.kind == ReadModifyWrite) o.kind = Load;
    section.operations[kept++] = o;
  }
  section.count = kept;
}

std::uint32_t hash_of(const Section& section) {
  std::uint64_t hash = section.choices;
  const auto add = [&](const Operation& o) {
    hash = (hash ^ o.object ^ o.second << 7 ^ static_cast<std::uint64_t>(o.kind) << 56 ^
            static_cast<std::uint64_t>(o.size) << 48 ^ static_cast<std::uint64_t>(o.flags) << 40 ^ o.detail) *
           0x9e3779b97f4a7c15ULL;
    hash ^= hash >> 29;
  };
  for (std::uint32_t i = 0; i < section.choices; ++i) add(section.choice[i]);
  for (std::uint32_t i = 0; i < section.count; ++i) add(section.operations[i]);
  return static_cast<std::uint32_t>(hash ^ hash >> 32);
}

bool equal(const Section& section, const Footprint& footprint) {
  if (footprint.choices != section.choices || footprint.count != section.choices + section.count) return false;
  const Operation* known = worker.channel->footprint_operations + footprint.begin;
  for (std::uint32_t i = 0; i < section.choices; ++i)
    if (section.choice[i] != *known++) return false;
  for (std::uint32_t i = 0; i < section.count; ++i)
    if (section.operations[i] != *known++) return false;
  return true;
}

/// Saves the bytes that a store is about to overwrite.
void keep_bytes(std::uint64_t address, std::uint64_t bytes) {
  Section& section = current_section;
  constexpr std::uint64_t kFirstPage = 4096;
  if (address < kFirstPage) return;  // a null pointer access, which is about to crash
  while (bytes > 0 && section.undo_count < Section::kMost) {
    UndoneStore& store = section.undo[section.undo_count++];
    store.address = address;
    store.bytes = static_cast<std::uint8_t>(bytes < sizeof store.before ? bytes : sizeof store.before);
    copy_bytes(store.before, reinterpret_cast<const void*>(address), store.bytes);
    address += store.bytes;
    bytes -= store.bytes;
  }
  if (bytes > 0) section.final = true;
}

void take_stores_back() {
  Section& section = current_section;
  for (; section.undo_count > 0; --section.undo_count) {
    const UndoneStore& store = section.undo[section.undo_count - 1];
    copy_bytes(reinterpret_cast<void*>(store.address), store.before, store.bytes);
  }
}

/// Shows the accesses so far to the race detector.
void touch_all() {
  Section& section = current_section;
  scheduling.in_section = false;
  Thread& thread = self();
  const std::uint32_t ignored_reads = thread.ignored_reads;
  const std::uint32_t ignored_writes = thread.ignored_writes;
  for (std::uint32_t i = 0; i < section.touch_count; ++i) {
    const SectionTouch& touched = section.touches[i];
    thread.ignored_reads = thread.ignored_writes = touched.intended ? 1 : 0;
    touch_range(reinterpret_cast<const void*>(touched.address), touched.bytes, static_cast<Touch>(touched.touch),
                touched.place);
  }
  thread.ignored_reads = ignored_reads;
  thread.ignored_writes = ignored_writes;
  section.touch_count = 0;
  scheduling.in_section = true;
}

/// Returns the footprint's number in the shared table and adds it if it is new; kUnknownFootprint if the table is full.
std::uint64_t intern(const Section& section) {
  protocol::Channel& channel = *worker.channel;
  if (channel.footprint_count == 0) channel.footprint_count = 1;
  const std::uint32_t hash = hash_of(section);
  constexpr std::uint32_t kPlaces = 2 * protocol::kMaxFootprints;
  std::uint32_t place = hash % kPlaces;
  for (; channel.footprint_places[place] != 0; place = (place + 1) % kPlaces) {
    const std::uint32_t number = channel.footprint_places[place];
    if (channel.footprints[number].hash == hash && equal(section, channel.footprints[number])) return number;
  }
  const std::uint32_t number = channel.footprint_count;
  const std::uint32_t begin = channel.footprint_operation_count;
  const std::uint32_t count = section.choices + section.count;
  if (number == protocol::kMaxFootprints || protocol::kMaxFootprintOperations - begin < count) return kUnknownFootprint;
  bool ends_program = false;
  for (std::uint32_t i = 0; i < section.choices; ++i) channel.footprint_operations[begin + i] = section.choice[i];
  for (std::uint32_t i = 0; i < section.count; ++i) {
    channel.footprint_operations[begin + section.choices + i] = section.operations[i];
    ends_program |= section.operations[i].kind == Exit;
  }
  channel.footprints[number] = {begin, count, section.choices, hash, ends_program};
  channel.footprint_operation_count = begin + count;
  channel.footprint_places[place] = number;
  channel.footprint_count = number + 1;
  return number;
}

/// Lists the other alternatives of the section. Their footprints are unknown.
bool list_siblings(const Thread& thread, Event& event) {
  protocol::Channel& channel = *worker.channel;
  event.offers_begin = channel.offer_count;
  bool complete = true;
  const auto add = [&](std::uint32_t alternative) {
    if (channel.offer_count == protocol::kMaxOffers) return !(complete = false);
    Offer& offer = channel.offers[channel.offer_count++];
    offer.operation = operation(AtomicSection);
    offer.process = thread.index;
    offer.alternative = alternative;
    offer.enabled = true;
    offer.site = event.site;
    return false;
  };
  add(event.alternative);
  for_each_sibling(event.operation, event.alternative, add);
  event.offers_count = channel.offer_count - event.offers_begin;
  return complete;
}

// The clock of a byte accessed in sections: part 0 for its writes, part 1 for its reads.
const void* byte_clock(std::uint64_t address) { return reinterpret_cast<const void*>(address | 1ULL << 61); }

/// Releases the section's accesses to later sections that conflict with them.
void release_accesses(const Section& section) {
  for (std::uint32_t i = 0; i < section.count; ++i) {
    const Operation& o = section.operations[i];
    if (!is_memory(o)) continue;
    for (std::uint64_t byte = o.object; byte < o.object + o.size; ++byte)
      add_to_clock(byte_clock(byte), writes_memory(o) ? 0 : 1);
  }
  next_epoch();
}

}  // namespace

void begin_section(std::uint64_t site) {
  Thread& thread = self();
  if (thread.atomic_depth == 0) perform(operation(AtomicSection), site);
  if (++thread.atomic_depth > 1 || !scheduling.exploring) return;
  Section& section = current_section;
  section.record = scheduling.record;
  section.wanted = thread.alternative;
  section.random = is_sampled(scheduling.continuation) && scheduling.step > scheduling.prefix_length;
  section.alternative = 0;
  section.weight = 1;
  section.choices = section.count = section.touch_count = section.undo_count = 0;
  section.final = false;
  scheduling.in_section = detector.hooked = true;
}

void end_section(std::uint64_t site) {
  Thread& thread = self();
  if (thread.atomic_depth == 0)
    fail(FailureKind::AtomicSection, "the end of an atomic section that was not begun", site);
  if (--thread.atomic_depth == 0 && scheduling.in_section) close_section(false);
}

void add_to_section(const Operation& operation) {
  if (family(operation.kind) == Family::Local) return;
  Operation o = operation;
  o.memory_order = 0;
  o.flags &= static_cast<std::uint8_t>(~kPlain);
  if (o.kind == CompareExchange) {
    o.kind = o.failed() ? Load : ReadModifyWrite;
    o.flags &= static_cast<std::uint8_t>(~kFailed);
  }
  Section& section = current_section;
  if (writes_memory(o))
    keep_bytes(o.object, o.size);
  else if (!is_memory(o) && !o.failed())
    section.final = true;
  constexpr std::uint32_t kLook = 8;  // cheap check for duplicates: loops repeat their accesses
  for (std::uint32_t i = section.count; i-- > 0 && i + kLook >= section.count;)
    if (section.operations[i] == o) return;
  if (section.count == Section::kMost) {
    tidy(section);
    if (section.count > Section::kMost / 2)
      unsupported("an atomic section with more than 32768 operations", self().site);
  }
  section.operations[section.count++] = o;
}

void touch_in_section(std::uint64_t address, std::uint64_t bytes, Touch touch, const void* place) {
  const bool write = is_write(touch);
  Section& section = current_section;
  if (section.touch_count == Section::kMost) make_section_final();
  section.touches[section.touch_count++] = {address, bytes, place, static_cast<std::uint8_t>(touch),
                                            intended(touch, place) != Intended::No};
  constexpr std::uint64_t kLargest = 255;  // limit of Operation::size
  for (std::uint64_t done = 0; done < bytes; done += kLargest) {
    Operation access;
    access.kind = write ? Store : Load;
    access.object = address + done;
    access.size = static_cast<std::uint8_t>(bytes - done < kLargest ? bytes - done : kLargest);
    add_to_section(access);
  }
  for (std::uint64_t byte = address; byte < address + bytes; ++byte) {
    acquire_clock(byte_clock(byte), 0);
    if (write) acquire_clock(byte_clock(byte), 1);
  }
}

void make_section_final() {
  current_section.final = true;
  touch_all();
}

std::uint32_t choose_in_section(std::uint32_t alternatives, std::uint64_t (*random)()) {
  Section& section = current_section;
  constexpr std::uint32_t kMost = sizeof section.choice / sizeof section.choice[0];
  if (section.weight * alternatives > UINT32_MAX || section.choices == kMost)
    unsupported("an atomic section with more than 4294967295 combinations of choices", self().site);
  const auto chosen =
      static_cast<std::uint32_t>(section.random ? random() % alternatives : section.wanted % alternatives);
  section.wanted /= alternatives;
  section.alternative += static_cast<std::uint32_t>(section.weight * chosen);
  section.weight *= alternatives;
  Operation& choice = section.choice[section.choices++] = operation(Choose);
  choice.set_alternatives(alternatives);
  return chosen;
}

void cut_section() {
  Section& section = current_section;
  if (section.final)
    unsupported("a failed assumption in an atomic section, after an operation that cannot be undone,", self().site);
  take_stores_back();
  forget_stores(section);
  section.touch_count = 0;
  section.record->operation.flags |= kFailed;
  self().atomic_depth = self().section_calls = 0;
  close_section(true);
}

void close_section(bool broken) {
  Section& section = current_section;
  if (!broken && detector.checking) {
    touch_all();
    release_accesses(section);
  }
  scheduling.in_section = false;
  detector.hooked = plain_accesses_are_steps();
  tidy(section);
  Event& event = *section.record;
  event.operation.object = intern(section);
  event.alternative = section.alternative;
  if (event.operation.object == kUnknownFootprint)
    unsupported("a program with too many different atomic sections", event.site);
  if (section.choices > 0 && !list_siblings(self(), event))
    unsupported("an execution with more than 262144 alternatives", event.site);
  wake_sleepers(event.process, event.operation);
}

}  // namespace mazurka::runtime
