#include "MemoryMarks.h"

// The layouts of malloc_chunk, malloc_state and tcache_perthread_struct in glibc's malloc/malloc.c
// on 64-bit systems.
enum {
  chunk_size = 8,
  chunk_block = 16,
  chunk_min = 32,
  is_previous_in_use = 1,
  is_mapped = 2,
  chunk_flags = 7,
  bin_pairs = 127,
  // In a program that has freed blocks of many sizes, most bins aren't empty.
  min_empty_pairs = 8,
  // A chunk can be larger than necessary if the rest would be too small for a chunk.
  max_surplus = 32,
  // The lists of a thread's cache with blocks of one size. The chunks of a later list have sizes
  // from one power of two to the next one.
  exact_lists = 64,
  least_inexact = 1 << 10,
  protected_shift = 12,
};

// See ObjectLayout.addressBits.
static const uintptr_t address_bits = 0x00FFFFFFFFFFFFF8;

static uintptr_t word_at(const struct trace_part *part, uintptr_t address) {
  return part->words[(address - part->start) / 8];
}

static bool is_empty_bin(const struct trace_part *part, uintptr_t at) {
  return word_at(part, at) == at - 16 && word_at(part, at + 8) == at - 16;
}

uintptr_t trace_find_bins(const struct trace_part *part, uintptr_t from) {
  for (uintptr_t at = from; at + 16 <= part->end; at += 8) {
    if (!is_empty_bin(part, at)) continue;
    long count = 0, last = 0;
    for (long pair = 0; pair < bin_pairs && at + pair * 16 + 16 <= part->end; pair++) {
      if (!is_empty_bin(part, at + pair * 16)) continue;
      count++;
      last = pair;
    }
    // The last bin is for chunks of a size that is never in a bin.
    uintptr_t end = at + last * 16;
    if (count >= min_empty_pairs && end - part->start >= (bin_pairs - 1) * 16) {
      return end - (bin_pairs - 1) * 16;
    }
  }
  return 0;
}

static uintptr_t size_of_chunk(const struct trace_part *part, uintptr_t chunk) {
  if (chunk + chunk_min > part->end) return 0;
  uintptr_t header = word_at(part, chunk + chunk_size), size = header & ~(uintptr_t)chunk_flags;
  if (header & is_mapped || size < chunk_min || size & 15 || size > part->end - chunk) return 0;
  return size;
}

uintptr_t trace_list_chunks(
    const struct trace_part *part, uint32_t number, uintptr_t first, struct trace_blocks *blocks,
    long capacity) {
  uintptr_t chunk = first, size;
  while ((size = size_of_chunk(part, chunk))) {
    uintptr_t next = chunk + size;
    // Without a next chunk, nothing says that this one is free.
    bool is_used = !size_of_chunk(part, next)
                   || word_at(part, next + chunk_size) & is_previous_in_use;
    if (blocks->starts && blocks->count < capacity) {
      blocks->starts[blocks->count] = chunk + chunk_block;
      // The last eight bytes of a block are the start of the next chunk.
      blocks->ends[blocks->count] = is_used && next < part->end ? next + chunk_size : next;
      blocks->states[blocks->count] = is_used ? trace_block_unmarked : trace_block_free;
      blocks->owners[blocks->count] = 0;
      blocks->parts[blocks->count] = number;
    }
    blocks->count++;
    chunk = next;
  }
  return chunk;
}

long trace_block_around(const struct trace_blocks *blocks, uintptr_t address) {
  long low = 0, high = blocks->count;
  if (!high || address < blocks->starts[0] || address >= blocks->ends[high - 1]) return -1;
  while (high - low > 1) {
    long middle = (low + high) / 2;
    if (blocks->starts[middle] <= address) low = middle; else high = middle;
  }
  return address < blocks->ends[low] ? low : -1;
}

static long block_at(const struct trace_blocks *blocks, uintptr_t address) {
  long index = trace_block_around(blocks, address);
  return index >= 0 && blocks->starts[index] == address ? index : -1;
}

/// Returns the word of a block at an offset from its start.
static uintptr_t word_of_block(const struct trace_marking *marking, long block, uintptr_t offset) {
  return word_at(
      &marking->parts[marking->blocks.parts[block]], marking->blocks.starts[block] + offset);
}

/// Returns the next block of a chain of free ones. Since glibc 2.32, its address is protected by
/// the address of the place.
static uintptr_t next_free(const struct trace_marking *marking, long block) {
  uintptr_t stored = word_of_block(marking, block, 0);
  return stored ^ marking->blocks.starts[block] >> protected_shift;
}

void trace_free_chain(struct trace_marking *marking, uintptr_t chunk) {
  for (long left = marking->blocks.count; chunk && left; left--) {
    long block = block_at(&marking->blocks, chunk + chunk_block);
    if (block < 0 || marking->blocks.states[block] != trace_block_unmarked) return;
    marking->blocks.states[block] = trace_block_free;
    chunk = next_free(marking, block);
  }
}

/// Returns whether a list of a cache can have a block.
static bool can_have(const struct trace_blocks *blocks, long block, long list) {
  const uintptr_t size = blocks->ends[block] - blocks->starts[block];
  if (list < exact_lists) return size == 24 + (uintptr_t)list * 16;
  const uintptr_t least = (uintptr_t)least_inexact << (list - exact_lists);
  return size + chunk_size >= least && size + chunk_size < least * 2;
}

static uintptr_t number_of_list(const struct trace_marking *marking, long cache, long list) {
  return word_of_block(marking, cache, (uintptr_t)list / 4 * 8) >> list % 4 * 16 & 0xFFFF;
}

/// Returns whether all lists of a block are those of a thread's cache, and marks their blocks as
/// free if `marks` is set.
static bool visit_cache(struct trace_marking *marking, long cache, long lists, bool counts_blocks,
                        bool marks) {
  struct trace_blocks *blocks = &marking->blocks;
  bool is_any = false;
  uintptr_t room = 0;
  for (long list = 0; list < lists && !counts_blocks; list++) {
    const uintptr_t number = number_of_list(marking, cache, list);
    if (number > room) room = number;
  }
  for (long list = 0; list < lists; list++) {
    const uintptr_t number = number_of_list(marking, cache, list);
    uintptr_t count = counts_blocks ? number : room - number;
    uintptr_t entry = word_of_block(marking, cache, (uintptr_t)(lists * 2 + list * 8));
    if (!count != !entry) return false;
    for (; count; count--) {
      long block = block_at(blocks, entry);
      if (block < 0 || !can_have(blocks, block, list)) return false;
      is_any = true;
      if (marks) blocks->states[block] = trace_block_free;
      entry = next_free(marking, block);
    }
    if (entry) return false;
  }
  return is_any;
}

void trace_free_cached(struct trace_marking *marking, long lists, bool counts_blocks) {
  struct trace_blocks *blocks = &marking->blocks;
  const uintptr_t least = ((uintptr_t)lists * 10 + chunk_size + 15 & ~(uintptr_t)15) - chunk_size;
  for (long index = 0; index < blocks->count; index++) {
    const uintptr_t size = blocks->ends[index] - blocks->starts[index];
    if (size < least || size > least + max_surplus
        || blocks->states[index] != trace_block_unmarked
        || !visit_cache(marking, index, lists, counts_blocks, false)) {
      continue;
    }
    visit_cache(marking, index, lists, counts_blocks, true);
    blocks->states[index] = trace_block_free;
  }
}

static uint32_t task_at(const struct trace_marking *marking, uintptr_t address) {
  long low = 0, high = marking->task_count;
  while (low < high) {
    long middle = (low + high) / 2;
    if (marking->tasks[middle] < address) low = middle + 1; else high = middle;
  }
  return low < marking->task_count && marking->tasks[low] == address ? marking->numbers[low] : 0;
}

static void add_hit(
    struct trace_marking *marking, uint32_t task, bool is_exact, uintptr_t place, uint32_t owner) {
  if (marking->hit_count == marking->hit_capacity) return;
  struct trace_hit hit = {task, owner, is_exact, place};
  marking->hits[marking->hit_count++] = hit;
}

static void follow(
    struct trace_marking *marking, const uintptr_t *words, long count, uintptr_t address,
    uint32_t owner) {
  struct trace_blocks *blocks = &marking->blocks;
  const uintptr_t lowest = blocks->starts[0], highest = blocks->ends[blocks->count - 1];
  for (long index = 0; index < count; index++) {
    uintptr_t word = words[index] & address_bits;
    if (word < lowest || word >= highest) continue;
    long block = trace_block_around(blocks, word);
    if (block < 0) continue;
    if (blocks->owners[block]) {
      uint32_t task = task_at(marking, word);
      add_hit(marking, task ? task : blocks->owners[block], task != 0, address + index * 8, owner);
    } else if (blocks->states[block] == trace_block_unmarked) {
      blocks->states[block] = trace_block_marked;
      marking->open[marking->open_count++] = (uint32_t)block;
    }
  }
}

void trace_mark(
    struct trace_marking *marking, const uintptr_t *words, long count, uintptr_t address,
    uint32_t owner) {
  struct trace_blocks *blocks = &marking->blocks;
  if (!blocks->count) return;
  follow(marking, words, count, address, owner);
  while (marking->open_count) {
    uint32_t block = marking->open[--marking->open_count];
    const struct trace_part *part = &marking->parts[blocks->parts[block]];
    uintptr_t start = blocks->starts[block], end = blocks->ends[block];
    follow(marking, part->words + (start - part->start) / 8, (end - start) / 8, start, 0);
  }
}

long trace_find_in_range(
    const uintptr_t *words, long index, long count, uintptr_t lowest, uintptr_t end) {
  while (index < count && (words[index] < lowest || words[index] >= end)) index++;
  return index;
}

__attribute__((noinline)) void trace_with_registers(void (*body)(void *context), void *context) {
  __builtin_unwind_init();
  body(context);
  // Keeps the frame until the function returns.
  __asm__ volatile("" ::: "memory");
}

#if defined(__linux__)
#include <sys/auxv.h>

uintptr_t trace_program_start(void) { return getauxval(AT_ENTRY); }
#else
uintptr_t trace_program_start(void) { return 0; }
#endif

#if defined(__linux__)
#include <sys/syscall.h>

long trace_call_of_wait(void) { return SYS_futex; }

long trace_call_of_pause(void) { return SYS_rt_sigsuspend; }

#if defined(SYS_epoll_wait)
long trace_call_of_events(void) { return SYS_epoll_wait; }
#else
long trace_call_of_events(void) { return SYS_epoll_pwait; }
#endif
#else
long trace_call_of_wait(void) { return -1; }

long trace_call_of_pause(void) { return -1; }

long trace_call_of_events(void) { return -1; }
#endif
