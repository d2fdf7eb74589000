#define _GNU_SOURCE
#include "TraceShims.h"

#include <pthread.h>

#include <stddef.h>
#include <stdlib.h>

extern char **environ;
char **trace_environment(void) { return environ; }

_Thread_local void *trace_thread_context = NULL;

#if defined(__linux__)
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

// From linux/membarrier.h, which some C libraries do not ship.
enum { private_expedited = 1 << 3, register_private_expedited = 1 << 4 };

bool trace_barrier_register(void) {
  return syscall(SYS_membarrier, register_private_expedited, 0, 0) == 0;
}

void trace_barrier(void) { syscall(SYS_membarrier, private_expedited, 0, 0); }

int trace_processors(void) {
  // A bit a processor; the kernel refuses a set that is too short for it.
  enum { words = 128 };
  unsigned long set[words];
  int count = 0;
  if (sched_getaffinity(0, sizeof set, (cpu_set_t *)set) != 0) return 0;
  // The C library fills up with zeros what the kernel leaves.
  for (int word = 0; word < words; word++) count += __builtin_popcountl(set[word]);
  return count;
}
#else
int trace_processors(void) { return 0; }
bool trace_barrier_register(void) { return false; }
void trace_barrier(void) {}
#endif

#if defined(__APPLE__)
void *trace_queue_label(void) { return NULL; }
#else
extern const char *dispatch_queue_get_label(void *queue) __attribute__((weak));
void *trace_queue_label(void) { return (void *)dispatch_queue_get_label; }
#endif

void trace_stack_limits(unsigned long *start, unsigned long *end) {
  static _Thread_local unsigned long known_start, known_end;
  if (known_end == 0) {
#if defined(__linux__)
    pthread_attr_t attributes;
    void *base = NULL;
    size_t size = 0;
    if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
      pthread_attr_getstack(&attributes, &base, &size);
      pthread_attr_destroy(&attributes);
    }
    known_start = (unsigned long)base;
    known_end = known_start + size;
#elif defined(__APPLE__)
    known_end = (unsigned long)pthread_get_stackaddr_np(pthread_self());
    known_start = known_end - pthread_get_stacksize_np(pthread_self());
#endif
  }
  *start = known_start;
  *end = known_end;
}

// Swift code that has to run before main is called from here. It is there wherever ReactiveTrace is linked.
extern void reactive_trace_launch(void) __attribute__((weak));

// Only where every observation is to be traced: no line of the program needs to ask for that.
__attribute__((constructor)) static void launch(void) {
  if (getenv("REACTIVE_TRACE_ALL") != NULL && reactive_trace_launch != NULL) reactive_trace_launch();
}

#if defined(__GLIBC__)
#include <malloc.h>
void trace_trim_memory(void) { malloc_trim(0); }
#else
void trace_trim_memory(void) {}
#endif
