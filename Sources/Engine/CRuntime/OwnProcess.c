#define _GNU_SOURCE
#include "OwnProcess.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

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
  enum { max_parts = 64 };
  struct iovec parts[max_parts];
  int number = 0;
  for (; number < max_parts && count > 0; number++) {
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
    // Errors are reported when the part is written.
    (void)!fallocate(file, keep_size, (off_t)offset, (off_t)count);
  }
}
#else
void trace_preallocate(int file, long count, long offset) { (void)file, (void)count, (void)offset; }
#endif

// The file of standard error at the start of the process.
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
  // process), or it was closed and its descriptor now belongs to another file. A pipe or a device
  // then belongs to the program.
  if (S_ISREG(now.st_mode)) return (fcntl(STDERR_FILENO, F_GETFL) & O_APPEND) != 0;
  return tcgetpgrp(STDERR_FILENO) >= 0;
}

#if defined(__linux__)
#include <sys/syscall.h>
#include <unistd.h>

// Copied from linux/membarrier.h, which some C libraries don't include.
enum { private_expedited = 1 << 3, register_private_expedited = 1 << 4 };

bool trace_barrier_register(void) {
  return syscall(SYS_membarrier, register_private_expedited, 0, 0) == 0;
}

void trace_barrier(void) { syscall(SYS_membarrier, private_expedited, 0, 0); }

#else
bool trace_barrier_register(void) { return false; }
void trace_barrier(void) {}
#endif

extern const void *const _swift_concurrency_debug_asyncTaskSlabMetadata __attribute__((weak));
extern const void *const _swift_concurrency_debug_asyncTaskMetadata __attribute__((weak));
extern const uint32_t _swift_concurrency_debug_internal_layout_version __attribute__((weak));
extern const uint64_t _swift_concurrency_debug_asyncTaskSize __attribute__((weak));
struct trace_task_runtime trace_task_runtime(void) {
  const void *const *metadata = &_swift_concurrency_debug_asyncTaskMetadata;
  const uint32_t *version = &_swift_concurrency_debug_internal_layout_version;
  const uint64_t *size = &_swift_concurrency_debug_asyncTaskSize;
  struct trace_task_runtime runtime = {0, 0, 0};
  if (!metadata || !version || !size) return runtime;
  runtime.metadata = (uintptr_t)*metadata;
  runtime.layout_version = *version;
  runtime.size = *size;
  return runtime;
}

uintptr_t trace_task_slab(void) {
  const void *const *mark = &_swift_concurrency_debug_asyncTaskSlabMetadata;
  return mark ? (uintptr_t)*mark : 0;
}

#if defined(__linux__)
#include <link.h>
#include <string.h>

extern const char *dispatch_queue_get_label(void *queue) __attribute__((weak));
extern void *dispatch_get_global_queue(intptr_t identifier, uintptr_t flags) __attribute__((weak));
// The main queue, which libdispatch changes when it initializes itself: it stores the main thread.
extern const char _dispatch_main_q[] __attribute__((weak));
enum { compared_size = 64 };
static char first_main_queue[compared_size];
// False if libdispatch is in the same file as this code. Its constructor can then run after those
// that run code of the recorder. Constructors of other files on which this file depends have run
// before.
static bool is_dispatch_ready = true;

static int is_shared_image(struct dl_phdr_info *image, size_t size, void *context) {
  (void)size, (void)context;
  bool has_label = false, has_own = false;
  for (int index = 0; index < image->dlpi_phnum; index++) {
    const ElfW(Phdr) *segment = &image->dlpi_phdr[index];
    const ElfW(Addr) start = image->dlpi_addr + segment->p_vaddr;
    if (segment->p_type != PT_LOAD) continue;
    has_label |= (ElfW(Addr))dispatch_queue_get_label - start < segment->p_memsz;
    has_own |= (ElfW(Addr))is_shared_image - start < segment->p_memsz;
  }
  return has_label && has_own;
}

// The highest priority, so that this runs before other constructors of the program.
__attribute__((constructor(101))) static void note_main_queue(void) {
  if (dispatch_queue_get_label == NULL || dl_iterate_phdr(is_shared_image, NULL) == 0) return;
  is_dispatch_ready = _dispatch_main_q == NULL;
  if (!is_dispatch_ready) memcpy(first_main_queue, _dispatch_main_q, compared_size);
}

bool trace_has_dispatch(void) {
  if (dispatch_queue_get_label == NULL) return false;
  if (__atomic_load_n(&is_dispatch_ready, __ATOMIC_RELAXED)) return true;
  if (memcmp(first_main_queue, _dispatch_main_q, compared_size) == 0) return false;
  __atomic_store_n(&is_dispatch_ready, true, __ATOMIC_RELAXED);
  return true;
}

void *trace_queue_label(void) { return trace_has_dispatch() ? (void *)dispatch_queue_get_label : NULL; }

bool trace_is_constant_label(const char *label) {
  if (!trace_has_dispatch()) return false;
  if (label == dispatch_queue_get_label((void *)_dispatch_main_q)) return true;
  // The values of QOS_CLASS_DEFAULT and DISPATCH_QUEUE_OVERCOMMIT.
  enum { default_class = 0x15, overcommit = 2 };
  if (dispatch_get_global_queue == NULL) return false;
  void *queue = dispatch_get_global_queue(default_class, overcommit);
  return queue != NULL && label == dispatch_queue_get_label(queue);
}

extern char _NSConcreteMallocBlock[] __attribute__((weak));
uintptr_t trace_block_class(void) { return (uintptr_t)_NSConcreteMallocBlock; }
uintptr_t trace_main_queue(void) { return trace_has_dispatch() ? (uintptr_t)_dispatch_main_q : 0; }
#else
bool trace_has_dispatch(void) { return true; }
bool trace_is_constant_label(const char *label) { (void)label; return false; }
void *trace_queue_label(void) { return NULL; }
uintptr_t trace_block_class(void) { return 0; }
uintptr_t trace_main_queue(void) { return 0; }
#endif

#if defined(__linux__)
long trace_copy_memory(int file, uintptr_t address, void *into, long count) {
  if (file >= 0) return (long)pread(file, into, (size_t)count, (off_t)address);
  const struct iovec to = {into, (size_t)count}, from = {(void *)address, (size_t)count};
  return (long)process_vm_readv(getpid(), &to, 1, &from, 1, 0);
}

long trace_copy_memory_of(int process, uintptr_t address, void *into, long count) {
  const struct iovec to = {into, (size_t)count}, from = {(void *)address, (size_t)count};
  return (long)process_vm_readv(process, &to, 1, &from, 1, 0);
}

bool trace_has_filter(void) {
  // Reading a file is allowed by every filter, unlike `prctl`, for which a filter can end the
  // process.
  int file = open("/proc/thread-self/status", O_RDONLY | O_CLOEXEC);
  if (file < 0) file = open("/proc/self/status", O_RDONLY | O_CLOEXEC);
  if (file < 0) return true;
  static const char wanted[] = "\nSeccomp:\t";
  const int length = sizeof wanted - 1;
  int matched = 0;
  bool has_filter = false, is_found = false;
  char part[256];
  long count;
  while (!is_found && (count = (long)read(file, part, sizeof part)) > 0) {
    for (long index = 0; index < count && !is_found; index++) {
      if (matched == length) {
        is_found = true;
        has_filter = part[index] != '0';
      } else {
        matched = part[index] == wanted[matched] ? matched + 1 : part[index] == '\n';
      }
    }
  }
  close(file);
  return has_filter;
}

bool trace_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC | O_NONBLOCK) == 0; }

// The address sanitizer checks the memory passed to `write`, but not to the system call.
long trace_pipe_write(int end, uintptr_t address, long count) {
  return syscall(SYS_write, end, address, count);
}
#else
bool trace_has_filter(void) { return false; }

long trace_pipe_write(int end, uintptr_t address, long count) {
  (void)end, (void)address, (void)count;
  errno = ENOSYS;
  return -1;
}

bool trace_pipe(int ends[2]) {
  (void)ends;
  return false;
}

long trace_copy_memory_of(int process, uintptr_t address, void *into, long count) {
  (void)process;
  return trace_copy_memory(-1, address, into, count);
}

long trace_copy_memory(int file, uintptr_t address, void *into, long count) {
  (void)file, (void)address, (void)into, (void)count;
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

// The frame of the code that called `trace_with_stack`, if the thread now uses the spare stack.
static _Thread_local uintptr_t trace_caller_frame;

long trace_stack_room(void) {
  unsigned long start = 0, end = 0;
  trace_stack_limits(&start, &end);
  const uintptr_t frame = trace_caller_frame != 0 ? trace_caller_frame : (uintptr_t)__builtin_frame_address(0);
  return frame >= start && frame < end ? (long)(frame - start) : -1;
}

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define TRACE_KEEPS_STACK
#endif
#endif

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__)) && !defined(TRACE_KEEPS_STACK)
// Space for the stack and its alignment. The pages don't take memory until they are used.
enum { largest_page = 64 * 1024 };
static char spare_room[trace_spare_stack_size + largest_page];
static bool is_spare_stack_used;

__attribute__((naked, noinline)) static void call_with_stack(void *top, void (*body)(void *), void *context) {
#if defined(__x86_64__)
  __asm__("pushq %rbp\n"
          ".cfi_def_cfa_offset 16\n"
          ".cfi_offset %rbp, -16\n"
          "movq %rsp, %rbp\n"
          ".cfi_def_cfa_register %rbp\n"
          "movq %rdi, %rsp\n"
          "movq %rdx, %rdi\n"
          "callq *%rsi\n"
          "movq %rbp, %rsp\n"
          "popq %rbp\n"
          ".cfi_def_cfa %rsp, 8\n"
          "retq\n");
#else
  __asm__("stp x29, x30, [sp, #-16]!\n"
          ".cfi_def_cfa_offset 16\n"
          ".cfi_offset w30, -8\n"
          ".cfi_offset w29, -16\n"
          "mov x29, sp\n"
          ".cfi_def_cfa w29, 16\n"
          "mov sp, x0\n"
          "mov x0, x2\n"
          "blr x1\n"
          "mov sp, x29\n"
          ".cfi_def_cfa wsp, 16\n"
          "ldp x29, x30, [sp], #16\n"
          ".cfi_def_cfa_offset 0\n"
          "ret\n");
#endif
}

void trace_with_stack(void (*body)(void *context), void *context) {
  const long room = trace_stack_room();
  const bool has_room = trace_caller_frame != 0 || room >= trace_spare_stack_size;
  if (has_room || __atomic_exchange_n(&is_spare_stack_used, true, __ATOMIC_ACQUIRE)) return body(context);
  const uintptr_t page = (uintptr_t)getpagesize();
  char *const start = (char *)(((uintptr_t)spare_room + page - 1) & ~(page - 1));
  trace_caller_frame = (uintptr_t)__builtin_frame_address(0);
  call_with_stack(start + trace_spare_stack_size, body, context);
  trace_caller_frame = 0;
  // The remaining contents would look like references from a global variable. The system replaces
  // the pages with empty ones, because Valgrind would report stores below the end of a stack as
  // errors.
  madvise(start, trace_spare_stack_size, MADV_DONTNEED);
  __atomic_store_n(&is_spare_stack_used, false, __ATOMIC_RELEASE);
}
#else
void trace_with_stack(void (*body)(void *context), void *context) { body(context); }
#endif

#if defined(__APPLE__)
bool trace_is_privileged(void) { return issetugid() != 0; }
#elif defined(__linux__)
#include <sys/auxv.h>
bool trace_is_privileged(void) { return getauxval(AT_SECURE) != 0; }
#else
bool trace_is_privileged(void) { return false; }
#endif

void trace_fill_free_lists(void) {
  for (size_t size = 504; size <= 888; size += 16) {
    // The compiler may remove an allocation that nothing uses.
    void *volatile block = malloc(size);
    free(block);
  }
}

// If the program links TraceCauses, the linker takes its function instead.
__attribute__((weak)) void trace_get_causes(void *search) { (void)search; }

// The Swift code that has to run before main. The function exists in every program that links
// ReactiveTrace.
extern void reactive_trace_launch(void) __attribute__((weak));

// Starts tracing if the environment requests it, without code in the program.
__attribute__((constructor)) static void launch(void) {
  if (trace_is_privileged()) return;
  const bool is_requested = getenv("REACTIVE_TRACE") != NULL || getenv("REACTIVE_TRACE_ALL") != NULL;
  if (is_requested && reactive_trace_launch != NULL) reactive_trace_launch();
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

// A reader of other functions' frames. It copies them, because the address sanitizer would report
// direct loads, and Valgrind would report each condition that depends on uninitialized words.
struct trace_stack_reader {
  bool copies;
  int file;
};

static struct trace_stack_reader trace_stack_reader(void) {
  const bool has_filter = trace_has_filter();
  const int file = has_filter ? open("/proc/self/mem", O_RDONLY | O_CLOEXEC) : -1;
  return (struct trace_stack_reader){!has_filter || file >= 0, file};
}

__attribute__((no_sanitize("address", "thread"))) static void trace_read_stack(struct trace_stack_reader *reader,
                                                                               uintptr_t from, uintptr_t *into,
                                                                               long words) {
  const long size = words * (long)sizeof(uintptr_t);
  if (reader->copies && trace_copy_memory(reader->file, from, into, size) == size) return;
  reader->copies = false;
  for (long index = 0; index < words; index++) into[index] = ((const volatile uintptr_t *)from)[index];
}

// Returns whether a word of the stack is the mark that the kernel leaves when it calls a handler.
#if defined(__x86_64__)
static bool trace_is_mark(struct trace_stack_reader *reader, uintptr_t word, uintptr_t value, uintptr_t end,
                          uintptr_t mark) {
  // The kernel puts the state of the interrupted code above the return address.
  enum { words = (offsetof(ucontext_t, uc_mcontext.gregs[REG_RSP]) + 8) / 8 };
  if (value != mark || end - word < sizeof(uintptr_t) + sizeof(ucontext_t)) return false;
  uintptr_t state[words];
  trace_read_stack(reader, word + sizeof(uintptr_t), state, words);
  const uintptr_t interrupted = state[words - 1];
  return state[offsetof(ucontext_t, uc_flags) / 8] < 64 && state[offsetof(ucontext_t, uc_link) / 8] == 0 &&
         interrupted > word;
}
#else
static uintptr_t trace_restorer(void) { return getauxval(AT_SYSINFO_EHDR); }

static bool trace_is_mark(struct trace_stack_reader *reader, uintptr_t word, uintptr_t value, uintptr_t end,
                          uintptr_t library) {
  (void)reader, (void)word, (void)end;
  // The kernel's library only calls signal handlers.
  return value > library + 64 && value < library + 8192 && value % 4 == 0;
}
#endif

__attribute__((noinline)) bool trace_is_in_handler(void) {
  unsigned long start = 0, end = 0;
  trace_stack_limits(&start, &end);
  const uintptr_t frame = trace_caller_frame != 0 ? trace_caller_frame : (uintptr_t)__builtin_frame_address(0);
  if (frame < start || frame >= end) return false;
  // A handler that ends the program is only a few calls away.
  const uintptr_t farthest = 512 * 1024;
  if (end - frame > farthest) end = frame + farthest;
  const uintptr_t mark = trace_restorer();
  if (mark == 0) return false;
  enum { max_words = 128 };
  uintptr_t part[max_words];
  struct trace_stack_reader reader = trace_stack_reader();
  bool is_found = false;
  for (uintptr_t word = (frame + 7) & ~(uintptr_t)7; word + 8 <= end && !is_found;) {
    const long left = (long)((end - word) / 8), count = left < max_words ? left : max_words;
    trace_read_stack(&reader, word, part, count);
    for (long index = 0; index < count && !is_found; index++, word += 8) {
      is_found = trace_is_mark(&reader, word, part[index], end, mark);
    }
  }
  if (reader.file >= 0) close(reader.file);
  return is_found;
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
