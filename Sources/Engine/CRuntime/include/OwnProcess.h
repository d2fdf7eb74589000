#ifndef OWN_PROCESS_H
#define OWN_PROCESS_H

#include <stdbool.h>
#include <stdint.h>

#include "ForeignGetters.h"
#include "OwnMappings.h"
#include "PagesWithContent.h"
#include "TaskHooks.h"
#include "WordIndex.h"

/// The functions that the recorder needs and that Swift can't express.

/// Returns the frame pointer of the function into which this is inlined, or NULL if the platform
/// doesn't support walking frames.
static inline __attribute__((always_inline)) const void *trace_frame_address(void) {
#if defined(__x86_64__) || defined(__aarch64__)
  return __builtin_frame_address(0);
#else
  return 0;
#endif
}

/// The recorder's data for the calling thread, or NULL until it is set. The variable is at a fixed
/// offset from the thread pointer, so access doesn't need a call.
#if defined(__ANDROID__)
// Libraries that are loaded at run time, such as all code of an Android program, don't have such a
// location there.
extern _Thread_local void *trace_thread_context;
#else
extern __attribute__((tls_model("initial-exec"))) _Thread_local void *trace_thread_context;
#endif
static inline void *trace_context(void) { return trace_thread_context; }
static inline void trace_set_context(void *context) { trace_thread_context = context; }

/// The depth of the calling thread inside the recorder: in a record that the thread makes, or in a
/// section under a lock of the recorder. If a signal handler finds a value above 0, it has
/// interrupted the thread there and must neither record nor wait.
extern __attribute__((tls_model("initial-exec"))) _Thread_local int trace_thread_depth;
static inline bool trace_is_inside(void) { return __atomic_load_n(&trace_thread_depth, __ATOMIC_RELAXED) != 0; }
static inline void trace_enter(void) {
  __atomic_store_n(&trace_thread_depth, __atomic_load_n(&trace_thread_depth, __ATOMIC_RELAXED) + 1, __ATOMIC_RELAXED);
  // Only the thread itself reads the value, so a fence for the compiler is enough.
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
}
static inline void trace_leave(void) {
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  __atomic_store_n(&trace_thread_depth, __atomic_load_n(&trace_thread_depth, __ATOMIC_RELAXED) - 1, __ATOMIC_RELAXED);
}

/// Returns a nonzero number that is unique among the living threads of the process.
uintptr_t trace_thread(void);

/// Writes like write(2), but reports a broken pipe or an oversized file only as an error. The
/// signals for these would end the program.
long trace_write(int file, const void *bytes, long count);

/// Writes like pwrite(2), without signals like `trace_write`.
long trace_pwrite(int file, const void *bytes, long count, long offset);

/// Writes `count` bytes that repeat the same `size` bytes, without signals like `trace_write`. One
/// call writes at most 64 times `size`.
long trace_pwrite_repeated(int file, const void *bytes, long size, long count, long offset);

/// Allocates the blocks of a part of a file that is about to be written, if the file system is
/// ext4. There, it halves the time of a large write (Benchmarks/README.md). Other file systems are
/// equally fast without it, or would fill the part with zeros first. Doesn't change the size of the
/// file.
void trace_preallocate(int file, long count, long offset);

/// Returns whether messages can be written to standard error. It must be open, and its descriptor
/// must not be reused for a file of the program after standard error was closed.
bool trace_has_standard_error(void);

/// Starts loading memory that is about to be written into the cache. This is only a hint.
static inline void trace_prefetch(void *address) { __builtin_prefetch(address, 1, 3); }

/// Gets the limits of the calling thread's stack, or 0 for both if the system doesn't report them.
/// They are requested once per thread.
void trace_stack_limits(unsigned long *start, unsigned long *end);

/// Returns the number of unused bytes of the calling thread's stack. Returns -1 if the thread runs
/// on another stack, like in some signal handlers, or if the system doesn't report the limits.
/// Under `trace_with_stack`, this describes the stack of its caller.
long trace_stack_room(void);

enum { trace_spare_stack_size = 128 * 1024 };

/// Calls a function on a stack of `trace_spare_stack_size` bytes if the calling thread has less
/// space left, or if its space is unknown. The process has one such stack. If it is in use, a
/// second thread uses its own stack. Doesn't allocate.
void trace_with_stack(void (*body)(void *context), void *context);

/// Returns whether a signal handler is among the callers, on the stack of the interrupted code.
/// Such a handler can have interrupted the allocator. Returns false if the system doesn't support
/// this. Doesn't allocate.
bool trace_is_in_handler(void);

/// Finds the program or library that contains an address. Gets the difference between its addresses
/// in memory and in its file, and its path, which is empty for the program. Returns false if there
/// isn't one.
///
/// This asks the loader. Unlike the toolchain's function, it doesn't read the memory of each mapped
/// file: a truncated file has pages that must not be touched, and a log can be such a file.
bool trace_image(unsigned long address, unsigned long *distance, char *path, unsigned long capacity);

/// Returns the environment: strings of the form NAME=value, followed by NULL.
char **trace_environment(void);

/// Returns whether the program runs with the rights of a user other than the one who started it.
/// That user must not choose files for it.
bool trace_is_privileged(void);

/// Returns whether libdispatch can be called. In a static program, constructors can run before
/// libdispatch initializes itself. It would then store its data under thread key 0, regardless of
/// the key's owner.
bool trace_has_dispatch(void);

/// Returns libdispatch's dispatch_queue_get_label, which its Swift overlay hides on platforms other
/// than Darwin. Returns NULL if it isn't linked or can't be called yet, and on Darwin. A static
/// program can't look up functions by name.
void *trace_queue_label(void);

/// Returns whether a label is the main queue's, or the label of threads that don't serve a queue.
/// Returns false on Darwin.
bool trace_is_constant_label(const char *label);

/// Returns the first word of blocks on the heap, or 0 if the program doesn't have a block runtime.
uintptr_t trace_block_class(void);

/// Returns the address of libdispatch's main queue. Returns 0 on Darwin and if libdispatch isn't
/// linked.
uintptr_t trace_main_queue(void);

/// Returns the first word of each slab of memory for a Task's asynchronous frames, or 0 if the
/// program doesn't have Tasks. The runtime provides it for debuggers.
uintptr_t trace_task_slab(void);

/// Registers the process for trace_barrier. Returns false if the system doesn't support it.
bool trace_barrier_register(void);

/// Makes every other thread of the process pass a memory barrier before this function returns. A
/// fast path then doesn't need a barrier.
void trace_barrier(void);

/// Copies memory of this process that might not be mapped. Returns the number of bytes copied from
/// the start, or -1 with errno if there are none. Doesn't take a lock and can't crash. Reads from
/// `/proc/self/mem` if `file` is its descriptor, and otherwise calls `process_vm_readv`.
long trace_copy_memory(int file, uintptr_t address, void *into, long count);

/// Copies memory of another process. Returns the number of bytes copied from the start, or -1 with
/// errno if there are none. It doesn't stop the process.
long trace_copy_memory_of(int process, uintptr_t address, void *into, long count);

/// What the concurrency runtime of this process provides for debuggers: the metadata of Tasks, the
/// version of its private layouts, and the size of a Task.
struct trace_task_runtime {
  uintptr_t metadata;
  uint32_t layout_version;
  uint64_t size;
};

/// Returns the facts about the concurrency runtime. The metadata is 0 if the program doesn't have
/// Tasks, or if its runtime doesn't provide them.
struct trace_task_runtime trace_task_runtime(void);

/// Returns whether a seccomp filter restricts this thread's system calls, or whether that is
/// unknown. Such a filter can end the process at a call that few programs need.
bool trace_has_filter(void);

/// Makes a nonblocking pipe. Both ends are closed when a child process executes a program.
bool trace_pipe(int ends[2]);

/// Writes memory of this process that might not be mapped to a pipe. Returns the number of bytes
/// written from the start, or -1 with errno if there are none.
long trace_pipe_write(int end, uintptr_t address, long count);

/// Returns the index of the first word from `index` on that can be a wanted word, or `count`. Only
/// the bits of a word in the mask count. A word is wanted if it is in the range and the filter has
/// its bit: bit number (word >> 4) % 65536. This is in C because an unoptimized Swift loop over all
/// memory of a program takes seconds.
static inline long trace_find_word(const uint64_t *words, long index, long count, uint64_t mask, uint64_t lowest,
                                   uint64_t highest, const uint8_t *filter) {
  for (; index < count; index++) {
    const uint64_t word = words[index] & mask;
    if (word - lowest > highest - lowest) continue;
    const uint64_t bit = (word >> 4) & 0xFFFF;
    if (filter[bit >> 3] >> (bit & 7) & 1) return index;
  }
  return count;
}

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

/// Frees a block of each of 25 sizes. The calling thread's lists of free blocks (`tcache` in glibc's
/// malloc/malloc.c) can only be told from other memory if some of them have blocks.
void trace_fill_free_lists(void);

/// Stores the search for causes, an `(any CauseSearching)?` of TraceFormat that is nil before. Stores
/// nothing in a program without TraceCauses, which defines this function again.
void trace_get_causes(void *search);

#endif
