#ifndef TRACE_SHIMS_H
#define TRACE_SHIMS_H

#include <stdbool.h>
#include <stdint.h>

/// The functions that the recorder needs and that Swift cannot express.

/// Returns the frame pointer of the function into which this is inlined, or NULL if there is none
/// to walk.
static inline __attribute__((always_inline)) const void *trace_frame_address(void) {
#if defined(__x86_64__) || defined(__aarch64__)
  return __builtin_frame_address(0);
#else
  return 0;
#endif
}

/// The data that the recorder keeps for the calling thread, or NULL until it is set. The variable
/// is at a fixed distance from the thread's own block, so access needs no call.
#if defined(__ANDROID__)
// Libraries that are loaded at run time, such as all code of an Android program, have no such
// location there.
extern _Thread_local void *trace_thread_context;
#else
extern __attribute__((tls_model("initial-exec"))) _Thread_local void *trace_thread_context;
#endif
static inline void *trace_context(void) { return trace_thread_context; }
static inline void trace_set_context(void *context) { trace_thread_context = context; }

/// The depth of the calling thread inside the recorder: in a record that the thread makes, or in a
/// section under a lock of the recorder. A signal handler that interrupts the thread there finds a
/// value above 0 and must neither record nor wait.
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

/// Returns a number, never 0, that no other living thread of the process has.
uintptr_t trace_thread(void);

/// Writes like write(2), but reports a broken pipe or an oversized file only as an error. The
/// signals for these would end the program.
long trace_write(int file, const void *bytes, long count);

/// Writes like pwrite(2), without signals, as `trace_write` does.
long trace_pwrite(int file, const void *bytes, long count, long offset);

/// Writes `count` bytes that repeat the same `size` bytes, without signals, as `trace_write` does. One
/// call writes at most 64 times `size`.
long trace_pwrite_repeated(int file, const void *bytes, long size, long count, long offset);

/// Allocates the blocks of a part of a file that is about to be written, if the file system is ext4.
/// There, it takes half of the time off a large write (Benchmarks/README.md). Other systems write as
/// fast without it, or would fill the part with zeros first. Does not change the size of the file.
void trace_preallocate(int file, long count, long offset);

/// Reports whether messages may go to standard error. It must be open, and it must not be a file
/// that the program received under the number of a closed standard error.
bool trace_has_standard_error(void);

/// Requests that memory that is about to be written is loaded into the cache. This is only a hint.
static inline void trace_prefetch(void *address) { __builtin_prefetch(address, 1, 3); }

/// Gets the limits of the stack of the calling thread, or 0 for both if the system does not report
/// them. The system is asked once per thread.
void trace_stack_limits(unsigned long *start, unsigned long *end);

/// Returns the number of unused bytes of the stack of the calling thread, or -1 if the stack isn't the
/// thread's own, as in some signal handlers, or if the system doesn't report the limits. Under
/// `trace_with_stack`, this is about the stack of its caller.
long trace_stack_room(void);

enum { trace_spare_stack_size = 128 * 1024 };

/// Calls a function on a stack of `trace_spare_stack_size` bytes if the calling thread has less left,
/// or if that is unknown. The process has one such stack: a second thread uses its own in the meantime.
/// Allocates nothing.
void trace_with_stack(void (*body)(void *context), void *context);

/// Reports whether a signal handler is among the callers, on the stack of the interrupted code. Such
/// a handler may have interrupted the allocator. Returns false where the system does not show it.
/// Allocates nothing.
bool trace_is_in_handler(void);

/// Finds the program or library that has an address. Gets the distance of its addresses from those
/// in its file, and its path, which is empty for the program. Returns false if there is none.
///
/// This asks the loader. It does not look into the memory of each mapped file, as the toolchain
/// does: a file that was truncated has pages that must not be touched, and a log may be such a file.
bool trace_image(unsigned long address, unsigned long *distance, char *path, unsigned long capacity);

/// Returns the environment: texts of the form NAME=value, then NULL.
char **trace_environment(void);

/// Reports whether the program runs with the rights of a different user than the one who started
/// it. That user must not choose files for it.
bool trace_is_privileged(void);

/// Reports whether libdispatch may be called. In a static program, constructors may run before
/// libdispatch initializes itself. It then stores its data under thread key 0, whoever owns that key.
bool trace_has_dispatch(void);

/// Returns libdispatch's dispatch_queue_get_label, which its Swift overlay hides on platforms other
/// than Darwin. Returns NULL if it is not linked or may not be called yet, and on Darwin. A static
/// program cannot look up functions by name.
void *trace_queue_label(void);

/// Returns the address that blocks on the heap begin with, or 0 if the program has no runtime for
/// blocks.
uintptr_t trace_block_class(void);

/// Returns the address of libdispatch's main queue, or 0 if libdispatch is not linked, and on Darwin.
uintptr_t trace_main_queue(void);

/// Returns the address that each part of the memory for a Task's asynchronous frames begins with, or 0
/// if the program has no Tasks. The runtime has it for debuggers.
uintptr_t trace_task_slab(void);

/// Registers the process for trace_barrier. Returns false if the system does not support it.
bool trace_barrier_register(void);

/// Makes every other thread of the process pass a memory barrier before this function returns. A
/// fast path then needs no barrier of its own.
void trace_barrier(void);

/// Copies memory of this process that may not be mapped. Returns the number of bytes copied from
/// the start, or -1 with errno if there are none. Takes no lock and cannot crash. Reads from
/// `/proc/self/mem` if `file` is its descriptor, and otherwise calls `process_vm_readv`.
long trace_copy_memory(int file, uintptr_t address, void *into, long count);

/// Reports whether a filter decides which system calls this thread may make, or whether that is
/// unknown. Such a filter may end the process at a call that few programs need.
bool trace_has_filter(void);

/// Makes a pipe whose ends are closed in programs that this one starts, and that never wait.
bool trace_pipe(int ends[2]);

/// Writes memory of this process that may not be mapped to a pipe. Returns the number of bytes
/// written from the start, or -1 with errno if there are none.
long trace_pipe_write(int end, uintptr_t address, long count);

/// Returns the index of the first of `count` words, from `index` on, that may be one of the wanted
/// words, or `count` if there is none. The bits of a word that can be marks are ignored. Words are
/// wanted if they are in the range and the filter has their bit: bit number (word >> 4) % 65536.
/// This is in C because an unoptimized Swift loop over all memory of a program takes seconds.
static inline long trace_find_word(const uint64_t *words, long index, long count, uint64_t lowest, uint64_t highest,
                                   const uint8_t *filter) {
  for (; index < count; index++) {
    const uint64_t word = words[index] & 0x00FFFFFFFFFFFFF8ull;
    if (word - lowest > highest - lowest) continue;
    const uint64_t bit = (word >> 4) & 0xFFFF;
    if (filter[bit >> 3] >> (bit & 7) & 1) return index;
  }
  return count;
}

#endif
