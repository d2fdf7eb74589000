#ifndef TRACE_SHIMS_H
#define TRACE_SHIMS_H

#include <stdbool.h>
#include <stdint.h>

/// What the recorder needs and Swift cannot say.

/// The frame pointer of the function into which this is inlined, or NULL where there is none to walk.
static inline const void *trace_frame_address(void) {
#if defined(__x86_64__) || defined(__aarch64__)
  return __builtin_frame_address(0);
#else
  return 0;
#endif
}

/// What the recorder keeps for the calling thread: NULL until it is set.
/// Found at a fixed distance from the thread's own block, without a call.
#if defined(__ANDROID__)
// A library that is loaded at run time, as all of an Android program is, has no such place there.
extern _Thread_local void *trace_thread_context;
#else
extern __attribute__((tls_model("initial-exec"))) _Thread_local void *trace_thread_context;
#endif
static inline void *trace_context(void) { return trace_thread_context; }
static inline void trace_set_context(void *context) { trace_thread_context = context; }

/// How deep the calling thread is inside the recorder: in a record that it makes, or in a section under a lock of the
/// recorder's. A signal handler that interrupts the thread there finds this above 0 and must neither record nor wait.
extern __attribute__((tls_model("initial-exec"))) _Thread_local int trace_thread_depth;
static inline bool trace_is_inside(void) { return __atomic_load_n(&trace_thread_depth, __ATOMIC_RELAXED) != 0; }
static inline void trace_enter(void) {
  __atomic_store_n(&trace_thread_depth, __atomic_load_n(&trace_thread_depth, __ATOMIC_RELAXED) + 1, __ATOMIC_RELAXED);
  // The compiler keeps the order; only the thread itself looks.
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
}
static inline void trace_leave(void) {
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  __atomic_store_n(&trace_thread_depth, __atomic_load_n(&trace_thread_depth, __ATOMIC_RELAXED) - 1, __ATOMIC_RELAXED);
}

/// A number that no other living thread of the process has, and never 0.
uintptr_t trace_thread(void);

/// Writes as write(2) does, but a broken pipe and a file that is too long are errors and never signals, which would end the
/// program.
long trace_write(int file, const void *bytes, long count);

/// Writes as pwrite(2) does, without a signal like `trace_write`.
long trace_pwrite(int file, const void *bytes, long count, long offset);

/// Whether messages may be written to standard error: it is open, and is no file that the program was given under the number of
/// a standard error that was closed.
bool trace_has_standard_error(void);

/// Has memory that is about to be written brought near; a hint only.
static inline void trace_prefetch(void *address) { __builtin_prefetch(address, 1, 3); }

/// Where the stack of the calling thread lies; both are 0 where the system does not tell. Asked once for each thread.
void trace_stack_limits(unsigned long *start, unsigned long *end);

/// The environment: texts of the form NAME=value, then NULL.
char **trace_environment(void);

/// Whether the program runs with the rights of another user than the one who has started it, who may not choose files for it.
bool trace_is_privileged(void);

/// libdispatch's dispatch_queue_get_label, which its Swift overlay hides where this is not Darwin; NULL where it is not linked. A static
/// program can look up no function by its name.
void *trace_queue_label(void);

/// Registers the process for trace_barrier; false where the system cannot do it.
bool trace_barrier_register(void);

/// Makes every other thread of the process pass a memory barrier before this returns. That lets a fast path go without
/// one of its own.
void trace_barrier(void);

#endif
