#ifndef TRACE_SHIMS_H
#define TRACE_SHIMS_H

#include <stdbool.h>

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
extern __attribute__((tls_model("initial-exec"))) _Thread_local void *trace_thread_context;
static inline void *trace_context(void) { return trace_thread_context; }
static inline void trace_set_context(void *context) { trace_thread_context = context; }

/// Has memory that is about to be written brought near; a hint only.
static inline void trace_prefetch(void *address) { __builtin_prefetch(address, 1, 3); }

/// Where the stack of the calling thread lies; both are 0 where the system does not tell. Asked once for each thread.
void trace_stack_limits(unsigned long *start, unsigned long *end);

/// The environment: texts of the form NAME=value, then NULL.
char **trace_environment(void);

/// How many processors this process may use, as `taskset` and containers set it; 0 where the system does not tell.
int trace_processors(void);

/// Registers the process for trace_barrier; false where the system cannot do it.
bool trace_barrier_register(void);

/// Makes every other thread of the process pass a memory barrier before this returns. That lets a fast path go without
/// one of its own.
void trace_barrier(void);

#endif
