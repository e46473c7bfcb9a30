// Checkpoints are a stack of levels along the last prefix. resume_from_checkpoint() drops the levels that are deeper
// than the prefix shared with the previous job, and restores the deepest one that is left. go_back() has usually
// restored it already, while the explorer was reading the answer: `present` is the level that memory is in.
//
// plan() decides where the next level goes. It looks at windows of N jobs and at the shortest prefix that consecutive
// jobs of a window share: the search currently varies what follows it.
#include "runtime/memory/checkpoint.hpp"

#include <cstddef>

#include "runtime/arch.hpp"
#include "runtime/detector/clocks.hpp"
#include "runtime/detector/detector.hpp"
#include "runtime/detector/shadow.hpp"
#include "runtime/files/files.hpp"
#include "runtime/memory/heap.hpp"
#include "runtime/memory/layout.hpp"
#include "runtime/memory/mapping.hpp"
#include "runtime/memory/memory.hpp"
#include "runtime/memory/snapshot.hpp"
#include "runtime/scheduling/scheduling.hpp"
#include "runtime/scheduling/thread_table.hpp"
#include "runtime/states/segment_accesses.hpp"
#include "runtime/worker/worker.hpp"

namespace mazurka::runtime {
namespace {

constexpr std::uint32_t kMaxCheckpoints = 8;
constexpr std::uint32_t kMaxPieces = 4096;
constexpr std::uint64_t kLevelBytes = 4U << 20;  // maximum size of a checkpoint; larger programs always start at main

/// The progress fields of the channel.
struct Progress {
  std::uint32_t event_count;
  std::uint32_t offer_count;
  std::uint32_t running;
  std::uint32_t warnings;
  std::uint32_t output_length;
  std::uint32_t output_lost;
  std::uint32_t output_part_count;
  std::uint32_t left_running;
  std::int32_t exit_status;  ///< of main, if it has returned already
};

/// The records of the runtime itself.
struct Moment {
  SchedulingMoment scheduling;
  DetectorMoment detector;
  MemoryMoment memory;

  void put_back() const {
    static_cast<SchedulingMoment&>(runtime::scheduling) = scheduling;
    static_cast<DetectorMoment&>(runtime::detector) = detector;
    static_cast<MemoryMoment&>(runtime::memory) = memory;
  }
};

struct Piece {
  void* place;
  std::uint32_t words;
  std::uint32_t data;  ///< offset in the level's data
};

struct Level {
  std::uint32_t depth;  ///< number of steps before it
  std::uint32_t hot_pages;
  Moment moment;
  Progress progress;
  std::uint32_t segments;  ///< of the race detector, up to here
  std::uint32_t cells_kept;
  std::uint32_t thread_bytes;  ///< saved per thread, see kept_bytes()
  std::uint32_t piece_count;
  std::uint64_t used;  ///< bytes of its data
  Piece pieces[kMaxPieces];
};

struct Checkpoints {
  std::uint32_t count;
  std::uint32_t present;  ///< number of the level that the program is currently in; 0: before main
  std::uint32_t window_jobs;
  std::uint32_t window_shared;  ///< shortest common prefix of two consecutive jobs in the window
  std::uint32_t followed_length;
  Level levels[kMaxCheckpoints];
  Step followed[protocol::kMaxEvents];  ///< prefix of the last job
};

// At fixed addresses outside of the snapshot.
Checkpoints* const all = reinterpret_cast<Checkpoints*>(0x4800'0000'0000);
constexpr std::uint64_t kData = 0x4810'0000'0000;

std::uint64_t data_of(const Level& level) {
  return kData + static_cast<std::uint64_t>(&level - all->levels) * kLevelBytes;
}

/// Most pieces are short, and `rep movs` has a high start-up cost: copy up to this many words in a loop.
constexpr std::uint64_t kFewWords = 192;
void copy_words(void* to, const void* from, std::uint64_t words) {
  if (words > kFewWords) return copy_bytes(to, from, words * 8);
  using Pair [[gnu::vector_size(16), gnu::aligned(8), gnu::may_alias]] = std::uint64_t;
  auto* target = static_cast<volatile std::uint64_t*>(to);  // volatile: keeps the compiler from calling memcpy()
  const auto* source = static_cast<const std::uint64_t*>(from);
  std::uint64_t i = 0;
  for (; i + 2 <= words; i += 2)
    *reinterpret_cast<volatile Pair*>(target + i) = *reinterpret_cast<const Pair*>(source + i);
  if (i < words) target[i] = source[i];
}

/// 4K aliasing: a copy is slow if the source is slightly below the destination modulo the page size, because each load
/// looks dependent on the store before it. Returns where to put the piece, from `data` on, to avoid that.
std::uint64_t without_aliasing(std::uint64_t data, const void* place) {
  constexpr std::uint64_t kLittle = 512;
  data = (data + 63) & ~63ULL;
  return (reinterpret_cast<std::uint64_t>(place) - data) % kPage < kLittle ? data + kLittle : data;
}

bool keep(Level& level, void* place, std::uint64_t bytes) {
  const std::uint64_t words = (bytes + 7) / 8;
  if (words == 0) return true;
  std::uint64_t data = data_of(level) + level.used;
  if (words > kFewWords) data = without_aliasing(data, place);
  const std::uint64_t used = data - data_of(level);
  if (level.piece_count == kMaxPieces || used + words * 8 > kLevelBytes) return false;
  copy_words(reinterpret_cast<void*>(data), place, words);
  level.pieces[level.piece_count++] = {place, static_cast<std::uint32_t>(words), static_cast<std::uint32_t>(used)};
  level.used = used + words * 8;
  return true;
}

/// Saves the used part of a suspended thread's stack, and what is scanned for return addresses below it.
bool keep_stack(Level& level, std::uint32_t index) {
  auto begin = reinterpret_cast<std::uint64_t>(threads.all[index].stack_pointer);
  const std::uint64_t scanned = worker.channel->scanned[index];
  if (scanned != 0 && scanned < begin) begin = scanned;
  return keep(level, reinterpret_cast<void*>(begin), first_frame(index) - begin);
}

std::uint64_t heap_bytes(std::uint32_t index) {
  return reinterpret_cast<std::uint64_t>(threads.all[index].heap_top) - heap_bottom(index);
}

/// Cheap test, without copying: could a checkpoint fit?
bool might_fit() {
  std::uint64_t bytes = hot_pages() * kPage;
  for (std::uint32_t i = 0; i < scheduling.thread_end; ++i) bytes += heap_bytes(i);
  return bytes < kLevelBytes;
}

bool keep_clocks(Level& level, std::uint32_t index) {
  ThreadClocks& clocks = clocks_of(index);
  const std::uint64_t bytes = detector.clock_width * sizeof(Clock);
  static_assert(offsetof(ThreadClocks, depth) - offsetof(ThreadClocks, has_seen) == 4);
  return keep(level, clocks.now, bytes) && keep(level, clocks.seen, clocks.has_seen ? bytes : 0) &&
         keep(level, clocks.fenced, clocks.has_fenced ? bytes : 0) && keep(level, &clocks.has_seen, 8);
}

/// How much of struct Thread a checkpoint saves: without waits and states, the fields from `awaited` on are unused.
std::uint32_t kept_bytes() {
  return scheduling.knows_waits || scheduling.keeps_states ? sizeof(Thread) : offsetof(Thread, awaited);
}

bool keep_everything(Level& level) {
  // Threads come first: kept_heap_top() relies on it.
  level.thread_bytes = kept_bytes();
  for (std::uint32_t i = 0; i < scheduling.thread_end; ++i)
    if (!keep(level, &threads.all[i], level.thread_bytes)) return false;
  // reset_threads() clears the bits of threads that are created later.
  const std::uint64_t bits = (scheduling.thread_end + 63U) / 64U * sizeof *threads.always;
  if (!keep(level, threads.readiness, scheduling.thread_end) || !keep(level, threads.always, bits) ||
      !keep(level, threads.asking, bits))
    return false;
  for (std::uint32_t i = 0; i < level.hot_pages; ++i) {
    const HotPage& page = hot_page(i);
    if (!keep(level, reinterpret_cast<void*>(page.address + page.begin), page.bytes)) return false;
  }
  for (std::uint32_t i = 0; i < scheduling.thread_end; ++i) {
    // A thread that has just exited may be the one on whose stack the scheduler runs.
    const Thread& thread = threads.all[i];
    if ((thread.life == Life::Live || &thread == scheduling.current) && !keep_stack(level, i)) return false;
    if (!keep(level, reinterpret_cast<void*>(heap_bottom(i)), heap_bytes(i))) return false;
    if (detector.checking && thread.life != Life::Absent && !keep_clocks(level, i)) return false;
    if (scheduling.keeps_states) {
      const KeptSegment segment = last_segment_of(i);
      if (!keep(level, segment.place, segment.bytes)) return false;
    }
  }
  return !detector.checking || keep(level, reinterpret_cast<void*>(object_clocks_begin()), object_clocks_bytes());
}

std::uint8_t* kept_heap_top(const Level& level, std::uint32_t index) {
  static_assert(offsetof(Thread, awaited) % 8 == 0 && sizeof(Thread) % 8 == 0 && sizeof(Thread) <= kFewWords * 8);
  return reinterpret_cast<const Thread*>(data_of(level) + std::uint64_t{index} * level.thread_bytes)->heap_top;
}

/// Resets what threads did after `level`, except for what its pieces restore; without a level, everything.
void reset_threads(const Level* level) {
  const std::uint32_t count = level == nullptr ? 0 : level->moment.scheduling.thread_end;
  for (std::uint32_t i = 0; i < scheduling.thread_end; ++i) {
    Thread& thread = threads.all[i];
    if (i < count) {
      shrink_heap(i, kept_heap_top(*level, i));
    } else if (thread.life != Life::Absent) {
      thread.life = Life::Absent;
      set_readiness(i, Readiness::Never);
      shrink_heap(i, reinterpret_cast<std::uint8_t*>(heap_bottom(i)));
    }
  }
}

void put_back_start() {
  restore_snapshot();
  reset_threads(nullptr);
  scheduling.thread_end = 0;
  scheduling.current = &threads.all[0];
  scheduling.record = nullptr;
}

void put_back(const Level& level) {
  restore_snapshot(level.hot_pages);
  reset_threads(&level);
  const std::uint64_t data = data_of(level);
  for (std::uint32_t i = 0; i < level.piece_count; ++i) {
    const Piece& piece = level.pieces[i];
    copy_words(piece.place, reinterpret_cast<const void*>(data + piece.data), piece.words);
  }
  level.moment.put_back();
  if (detector.detecting) put_cells_back(level.cells_kept);
}

/// Restores the state of the deepest level.
void settle() {
  if (all->count == 0)
    put_back_start();
  else
    put_back(all->levels[all->count - 1]);
  all->present = all->count;
}

/// Records this job's prefix for the next comparison. Returns the length of the common prefix with the previous job.
std::uint32_t follow_prefix() {
  const Step* prefix = worker.channel->prefix;
  const std::uint32_t end =
      scheduling.prefix_length < all->followed_length ? scheduling.prefix_length : all->followed_length;
  std::uint32_t shared = 0;
  while (shared < end && all->followed[shared] == prefix[shared]) ++shared;
  copy_bytes(all->followed + shared, prefix + shared, (scheduling.prefix_length - shared) * sizeof(Step));
  all->followed_length = scheduling.prefix_length;
  return shared;
}

/// The depth of the deepest checkpoint; 0 if there is none.
std::uint32_t furthest() { return all->count == 0 ? 0 : all->levels[all->count - 1].depth; }

/// Decides whether this execution leaves a checkpoint: once N consecutive jobs share a prefix at least N steps longer
/// than the deepest one.
void plan(std::uint32_t shared) {
  scheduling.pause_at = UINT32_MAX;
  if (shared < all->window_shared) all->window_shared = shared;
  const std::uint32_t window = worker.channel->settings.checkpoints;
  if (++all->window_jobs < window || worker.channel->watch.on) return;
  if (all->window_shared >= furthest() + window && all->window_shared < scheduling.prefix_length)
    scheduling.pause_at = all->window_shared;
  all->window_jobs = 0;
  all->window_shared = UINT32_MAX;
}

}  // namespace

void prepare_checkpoints() {
  map_at(reinterpret_cast<std::uint64_t>(all), sizeof *all);
  map_at(kData, kMaxCheckpoints * kLevelBytes);
  all->window_shared = UINT32_MAX;
  memory.has_checkpoints = true;
}

bool resume_from_checkpoint() {
  const std::uint32_t shared = follow_prefix();
  const std::uint32_t most =
      scheduling.keeps_states && worker.channel->states_from < shared ? worker.channel->states_from : shared;
  while (furthest() > most) --all->count;
  if (!may_start_segment()) all->count = 0;
  if (all->present != all->count) settle();
  plan(shared);
  scheduling.resumed_at = furthest();
  if (all->count == 0) return false;
  if (detector.detecting) {
    detector.segment_count = all->levels[all->count - 1].segments;
    start_segment();
  }
  const Progress& progress = all->levels[all->count - 1].progress;
  protocol::Channel& channel = *worker.channel;
  channel.event_count = progress.event_count;
  channel.offer_count = progress.offer_count;
  channel.running = progress.running;
  channel.warnings = progress.warnings;
  channel.output_length = progress.output_length;
  channel.output_lost = progress.output_lost;
  channel.output_part_count = progress.output_part_count;
  channel.left_running = progress.left_running;
  channel.exit_status = progress.exit_status;
  return true;
}

void take_checkpoint() {
  // The kernel's state of open files cannot be restored.
  if (has_used_files() || detector.segment_count == kMaxSegments || !might_fit()) return;
  if (all->count == kMaxCheckpoints) --all->count;
  Level& level = all->levels[all->count];
  const protocol::Channel& channel = *worker.channel;
  level.depth = scheduling.step;
  level.hot_pages = hot_pages();
  level.moment = {scheduling, detector, memory};
  level.progress = {channel.event_count,       channel.offer_count,   channel.running,
                    channel.warnings,          channel.output_length, channel.output_lost,
                    channel.output_part_count, channel.left_running,  channel.exit_status};
  level.piece_count = 0;
  level.used = 0;
  if (!keep_everything(level)) return;
  if (detector.detecting) {
    level.cells_kept = cells_kept();
    detector.segments[detector.segment_count++] = detector.execution;
    level.segments = detector.segment_count;
    start_segment();
  }
  ++all->count;
}

void go_back() {
  if (detector.detecting && !all_cells_kept()) drop_checkpoints();
  if (memory.has_checkpoints) return settle();
  put_back_start();
}

void drop_checkpoints() {
  if (memory.has_checkpoints) all->count = 0;
}

}  // namespace mazurka::runtime
