#define _GNU_SOURCE
#include "TraceShims.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <stddef.h>
#include <stdlib.h>

extern char **environ;
char **trace_environment(void) { return environ; }

_Thread_local void *trace_thread_context = NULL;
_Thread_local int trace_thread_depth = 0;

uintptr_t trace_thread(void) { return (uintptr_t)&trace_thread_depth; }

// Writes where the file stands if `offset` is below 0.
static long write_without_signal(int file, const void *bytes, long count, long offset) {
  sigset_t blocked, before, pending;
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGPIPE);
  sigaddset(&blocked, SIGXFSZ);
  const bool knows = sigpending(&pending) == 0;
  if (pthread_sigmask(SIG_BLOCK, &blocked, &before) != 0) return -1;
  const long written =
      offset < 0 ? write(file, bytes, (size_t)count) : pwrite(file, bytes, (size_t)count, (off_t)offset);
  const int error = errno;
  const int raised = error == EPIPE ? SIGPIPE : SIGXFSZ;
  if (written < 0 && (error == EPIPE || error == EFBIG) && knows && sigismember(&pending, raised) == 0 &&
      sigpending(&pending) == 0 && sigismember(&pending, raised) == 1) {
    int taken;
    sigemptyset(&blocked);
    sigaddset(&blocked, raised);
    sigwait(&blocked, &taken);
  }
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  errno = error;
  return written;
}

long trace_write(int file, const void *bytes, long count) { return write_without_signal(file, bytes, count, -1); }

long trace_pwrite(int file, const void *bytes, long count, long offset) {
  return write_without_signal(file, bytes, count, offset);
}

// Standard error as the process began.
static struct stat first_standard_error;
static bool had_standard_error;

__attribute__((constructor)) static void note_standard_error(void) {
  had_standard_error = fstat(STDERR_FILENO, &first_standard_error) == 0;
}

bool trace_has_standard_error(void) {
  struct stat now;
  if (fstat(STDERR_FILENO, &now) != 0) return false;
  if (had_standard_error && now.st_dev == first_standard_error.st_dev && now.st_ino == first_standard_error.st_ino)
    return true;
  // Redirected since: to the end of a file, to the terminal of the process. Or closed, and the number is that of some other
  // file; a pipe or a device then is the program's own.
  if (S_ISREG(now.st_mode)) return (fcntl(STDERR_FILENO, F_GETFL) & O_APPEND) != 0;
  return tcgetpgrp(STDERR_FILENO) >= 0;
}

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

#if defined(__APPLE__)
bool trace_is_privileged(void) { return issetugid() != 0; }
#elif defined(__linux__)
#include <sys/auxv.h>
bool trace_is_privileged(void) { return getauxval(AT_SECURE) != 0; }
#else
bool trace_is_privileged(void) { return false; }
#endif

// Swift code that has to run before main is called from here. It is there wherever ReactiveTrace is linked.
extern void reactive_trace_launch(void) __attribute__((weak));

// Only where the environment asks for tracing: no line of the program needs to.
__attribute__((constructor)) static void launch(void) {
  if (trace_is_privileged()) return;
  const bool is_asked_for = getenv("REACTIVE_TRACE") != NULL || getenv("REACTIVE_TRACE_ALL") != NULL;
  if (is_asked_for && reactive_trace_launch != NULL) reactive_trace_launch();
}

// The allocator of a sanitizer stands in for that of the C library, which is then not even set up.
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define HAS_OTHER_ALLOCATOR
#endif
#endif

#if defined(__GLIBC__) && !defined(HAS_OTHER_ALLOCATOR)
#include <malloc.h>
void trace_trim_memory(void) { malloc_trim(0); }
#else
void trace_trim_memory(void) {}
#endif
