#define _GNU_SOURCE
#include "TraceShims.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <stddef.h>
#include <stdlib.h>

extern char **environ;
char **trace_environment(void) { return environ; }

_Thread_local void *trace_thread_context = NULL;
_Thread_local int trace_thread_depth = 0;

uintptr_t trace_thread(void) { return (uintptr_t)&trace_thread_depth; }

// Writes at the current position of the file if `offset` is below 0.
static long write_without_signal(int file, const struct iovec *parts, int count, long offset) {
  sigset_t blocked, before, pending;
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGPIPE);
  sigaddset(&blocked, SIGXFSZ);
  const bool knows = sigpending(&pending) == 0;
  if (pthread_sigmask(SIG_BLOCK, &blocked, &before) != 0) return -1;
  const long written = offset < 0 ? writev(file, parts, count) : pwritev(file, parts, count, (off_t)offset);
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

long trace_write(int file, const void *bytes, long count) {
  const struct iovec all = {(void *)bytes, (size_t)count};
  return write_without_signal(file, &all, 1, -1);
}

long trace_pwrite(int file, const void *bytes, long count, long offset) {
  const struct iovec all = {(void *)bytes, (size_t)count};
  return write_without_signal(file, &all, 1, offset);
}

long trace_pwrite_repeated(int file, const void *bytes, long size, long count, long offset) {
  enum { most = 64 };
  struct iovec parts[most];
  int number = 0;
  for (; number < most && count > 0; number++) {
    parts[number] = (struct iovec){(void *)bytes, (size_t)(count < size ? count : size)};
    count -= size;
  }
  return write_without_signal(file, parts, number, offset);
}

#if defined(__linux__)
#include <sys/vfs.h>

void trace_preallocate(int file, long count, long offset) {
  enum { ext4 = 0xEF53, keep_size = 1 };
  struct statfs system;
  if (fstatfs(file, &system) == 0 && system.f_type == ext4) {
    // Whoever writes the part learns of errors.
    (void)!fallocate(file, keep_size, (off_t)offset, (off_t)count);
  }
}
#else
void trace_preallocate(int file, long count, long offset) { (void)file, (void)count, (void)offset; }
#endif

// The file behind standard error at the start of the process.
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
  // Standard error was redirected since then (to the end of a file or to the terminal of the
  // process), or it was closed and its number now belongs to some other file. In that case, a pipe
  // or a device belongs to the program.
  if (S_ISREG(now.st_mode)) return (fcntl(STDERR_FILENO, F_GETFL) & O_APPEND) != 0;
  return tcgetpgrp(STDERR_FILENO) >= 0;
}

#if defined(__linux__)
#include <sys/syscall.h>
#include <unistd.h>

// Copied from linux/membarrier.h, which some C libraries do not ship.
enum { private_expedited = 1 << 3, register_private_expedited = 1 << 4 };

bool trace_barrier_register(void) {
  return syscall(SYS_membarrier, register_private_expedited, 0, 0) == 0;
}

void trace_barrier(void) { syscall(SYS_membarrier, private_expedited, 0, 0); }

#else
bool trace_barrier_register(void) { return false; }
void trace_barrier(void) {}
#endif

#if defined(__APPLE__)
void *trace_queue_label(void) { return NULL; }
#else
extern const char *dispatch_queue_get_label(void *queue) __attribute__((weak));
void *trace_queue_label(void) { return (void *)dispatch_queue_get_label; }
#endif

#if defined(__linux__)
long trace_copy_memory(uintptr_t address, void *into, long count) {
  const struct iovec to = {into, (size_t)count}, from = {(void *)address, (size_t)count};
  return (long)process_vm_readv(getpid(), &to, 1, &from, 1, 0);
}

bool trace_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC | O_NONBLOCK) == 0; }

// The address sanitizer looks at the memory that `write` takes, but not at the call below it.
long trace_pipe_write(int end, uintptr_t address, long count) {
  return syscall(SYS_write, end, address, count);
}
#else
long trace_pipe_write(int end, uintptr_t address, long count) {
  (void)end, (void)address, (void)count;
  errno = ENOSYS;
  return -1;
}

bool trace_pipe(int ends[2]) {
  (void)ends;
  return false;
}

long trace_copy_memory(uintptr_t address, void *into, long count) {
  (void)address, (void)into, (void)count;
  errno = ENOSYS;
  return -1;
}
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

// Swift code that has to run before main is called from here. The function exists in every program
// that links ReactiveTrace.
extern void reactive_trace_launch(void) __attribute__((weak));

// Runs only if the environment asks for tracing, so that no line of the program has to.
__attribute__((constructor)) static void launch(void) {
  if (trace_is_privileged()) return;
  const bool is_asked_for = getenv("REACTIVE_TRACE") != NULL || getenv("REACTIVE_TRACE_ALL") != NULL;
  if (is_asked_for && reactive_trace_launch != NULL) reactive_trace_launch();
}

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))
#include <signal.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

/// The action of a signal as the kernel reports it.
struct trace_kernel_action {
  void *handler;
  unsigned long flags;
  uintptr_t restorer;
  uint64_t mask;
};

#if defined(__x86_64__)
/// The function to which a signal handler returns. All handlers of a C library have the same one.
static uintptr_t trace_restorer(void) {
  for (int number = 1; number <= 64; number++) {
    struct trace_kernel_action action = {0};
    if (syscall(SYS_rt_sigaction, number, NULL, &action, sizeof(action.mask)) != 0) continue;
    if (action.handler > (void *)1 && action.restorer != 0) return action.restorer;
  }
  return 0;
}
#endif

// Reads the frames of others, which the address sanitizer would take for a mistake.
__attribute__((no_sanitize("address", "thread"), noinline)) bool trace_is_in_handler(void) {
  unsigned long start = 0, end = 0;
  trace_stack_limits(&start, &end);
  uintptr_t frame = (uintptr_t)__builtin_frame_address(0);
  if (frame < start || frame >= end) return false;
  // A handler that ends the program is not many calls away.
  const uintptr_t farthest = 512 * 1024;
  if (end - frame > farthest) end = frame + farthest;
#if defined(__x86_64__)
  uintptr_t restorer = trace_restorer();
  if (restorer == 0) return false;
  const uintptr_t size = sizeof(uintptr_t) + sizeof(ucontext_t);
  for (uintptr_t word = (frame + 7) & ~(uintptr_t)7; word + size <= end; word += 8) {
    if (*(const uintptr_t *)word != restorer) continue;
    // The kernel puts the state of the interrupted code above the return address.
    const ucontext_t *context = (const ucontext_t *)(word + sizeof(uintptr_t));
    uintptr_t interrupted = (uintptr_t)context->uc_mcontext.gregs[REG_RSP];
    if (context->uc_flags < 64 && context->uc_link == NULL && interrupted > word) return true;
  }
#else
  uintptr_t library = getauxval(AT_SYSINFO_EHDR);
  if (library == 0) return false;
  for (uintptr_t word = (frame + 7) & ~(uintptr_t)7; word + 8 <= end; word += 8) {
    // The kernel's library calls nothing but signal handlers.
    uintptr_t value = *(const uintptr_t *)word;
    if (value > library + 64 && value < library + 8192 && value % 4 == 0) return true;
  }
#endif
  return false;
}
#else
bool trace_is_in_handler(void) { return false; }
#endif

#if defined(__linux__)
#include <link.h>
#include <string.h>

struct trace_image_search {
  unsigned long address;
  unsigned long distance;
  char *path;
  unsigned long capacity;
};

static int trace_visit_image(struct dl_phdr_info *image, size_t size, void *context) {
  (void)size;
  struct trace_image_search *search = context;
  for (int index = 0; index < image->dlpi_phnum; index++) {
    const ElfW(Phdr) *segment = &image->dlpi_phdr[index];
    if (segment->p_type != PT_LOAD) continue;
    if (search->address - image->dlpi_addr - segment->p_vaddr >= segment->p_memsz) continue;
    search->distance = image->dlpi_addr;
    search->path[0] = 0;
    if (image->dlpi_name != NULL) {
      strncpy(search->path, image->dlpi_name, search->capacity - 1);
      search->path[search->capacity - 1] = 0;
    }
    return 1;
  }
  return 0;
}

bool trace_image(unsigned long address, unsigned long *distance, char *path, unsigned long capacity) {
  struct trace_image_search search = {address, 0, path, capacity};
  if (capacity == 0 || dl_iterate_phdr(trace_visit_image, &search) == 0) return false;
  *distance = search.distance;
  return true;
}
#else
bool trace_image(unsigned long address, unsigned long *distance, char *path, unsigned long capacity) {
  return false;
}
#endif
