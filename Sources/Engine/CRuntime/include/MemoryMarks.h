#ifndef MEMORY_MARKS_H
#define MEMORY_MARKS_H

#include <stdbool.h>
#include <stdint.h>

/// A part of the memory of this process, and a copy of it.
struct trace_part {
  uintptr_t start;
  uintptr_t end;
  uintptr_t *words;
};

/// The states of a block. A block that the allocator can give to somebody else isn't followed.
enum trace_block_state {
  trace_block_unmarked = 0,
  trace_block_marked = 1,
  trace_block_free = 2,
};

/// The blocks of an allocator, sorted by their addresses.
struct trace_blocks {
  long count;
  uintptr_t *starts;
  uintptr_t *ends;
  uint8_t *states;
  /// The number of the Task whose memory a block is, from 1, or 0.
  uint32_t *owners;
  /// The index of the part with the block.
  uint32_t *parts;
};

/// A word with the address of a Task, or with an address in its memory.
struct trace_hit {
  /// The number of the Task, from 1.
  uint32_t task;
  /// The number of the Task whose memory has the word, or 0.
  uint32_t owner;
  /// Whether the word is the address of the Task itself.
  bool is_exact;
  uintptr_t place;
};

/// What is needed to follow addresses from block to block.
struct trace_marking {
  const struct trace_part *parts;
  struct trace_blocks blocks;
  /// The addresses of the Tasks in ascending order, and their numbers, from 1.
  const uintptr_t *tasks;
  const uint32_t *numbers;
  long task_count;
  /// The blocks that are marked but weren't read. It has room for all blocks.
  uint32_t *open;
  long open_count;
  struct trace_hit *hits;
  long hit_count;
  long hit_capacity;
};

/// Returns the address of the bins of an arena of glibc in a part, at or after an address. Returns
/// 0 if there aren't any. An empty bin has its own address, so the bins can't be mistaken.
uintptr_t trace_find_bins(const struct trace_part *part, uintptr_t from);

/// Lists the chunks of glibc from an address in a part to the first address that isn't a chunk,
/// which is returned. Without an array, the chunks are only counted.
uintptr_t trace_list_chunks(
    const struct trace_part *part, uint32_t number, uintptr_t first, struct trace_blocks *blocks,
    long capacity);

/// Marks a chain of free chunks as free, which begins with the address of a chunk.
void trace_free_chain(struct trace_marking *marking, uintptr_t chunk);

/// Marks the blocks in the caches of all threads as free, and the caches themselves, too.
///
/// `lists` and `counts_blocks` are the layout of a cache. See ThreadCacheLayout.
void trace_free_cached(struct trace_marking *marking, long lists, bool counts_blocks);

/// Returns the index of the block that contains an address, or -1.
long trace_block_around(const struct trace_blocks *blocks, uintptr_t address);

/// Marks everything that the words lead to, except for the memory of Tasks. Words that lead there
/// are added to the hits, as long as there is room.
///
/// `owner` is the number of the Task whose memory has the words, or 0.
void trace_mark(
    struct trace_marking *marking, const uintptr_t *words, long count, uintptr_t address,
    uint32_t owner);

/// Calls a function with the registers of its caller on the stack.
void trace_with_registers(void (*body)(void *context), void *context);

/// Returns the number of the system call that waits for a word to change.
long trace_call_of_wait(void);

/// Returns the number of the system call that waits for events of files.
long trace_call_of_events(void);

/// Returns the number of the system call that waits for a signal.
long trace_call_of_pause(void);

/// Returns the address of the code that starts the program, or 0 if it isn't known.
uintptr_t trace_program_start(void);

/// Returns the index of the first word from an index on that is in a range of addresses, or the
/// number of words if there isn't one.
long trace_find_in_range(
    const uintptr_t *words, long index, long count, uintptr_t lowest, uintptr_t end);

#endif
