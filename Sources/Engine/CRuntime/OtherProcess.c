#define _GNU_SOURCE
#include "OtherProcess.h"

#include <errno.h>

#if defined(__linux__) && !defined(__ANDROID__)
#include <dirent.h>
#include <elf.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/// The maximum time for one thread to stop, and for all threads of a process that are stopped
/// together, in nanoseconds. On a busy machine, a thread that is ready to run waits
/// for a processor before it stops.
static const long wait_for_one = 200 * 1000 * 1000;
static const long wait_for_all = 500 * 1000 * 1000;
/// The maximum time for the rests of calls that a stop has shortened, in nanoseconds.
static const long wait_for_rests = 1000 * 1000 * 1000;
/// The maximum time to find out whether a thread that is ready to run is in a system call, and the
/// time for which it runs if it isn't, in nanoseconds.
static const long wait_for_call = 10 * 1000 * 1000;
static const unsigned long long long_run = 1000 * 1000;

static long now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000000L + time.tv_nsec;
}

/// Copies the registers to their numbers in DWARF.
static bool read_registers(struct inspection_thread *thread) {
#if defined(__x86_64__)
  struct user_regs_struct found;
  struct iovec io = {&found, sizeof found};
  if (ptrace(PTRACE_GETREGSET, thread->thread, NT_PRSTATUS, &io) != 0) return false;
  const uint64_t registers[] = {found.rax, found.rdx, found.rcx, found.rbx, found.rsi, found.rdi,
                                found.rbp, found.rsp, found.r8,  found.r9,  found.r10, found.r11,
                                found.r12, found.r13, found.r14, found.r15};
  memcpy(thread->registers, registers, sizeof registers);
  thread->pc = found.rip;
  thread->call = (long)found.orig_rax;
  return true;
#elif defined(__aarch64__)
  struct user_regs_struct found;
  struct iovec io = {&found, sizeof found};
  if (ptrace(PTRACE_GETREGSET, thread->thread, NT_PRSTATUS, &io) != 0) return false;
  memcpy(thread->registers, found.regs, 31 * sizeof(uint64_t));
  thread->registers[31] = found.sp;
  thread->pc = found.pc;
  // The number of the system call is in register 8.
  thread->call = (long)found.regs[8];
  return true;
#else
  (void)thread;
  errno = ENOSYS;
  return false;
#endif
}

static uint64_t stack_pointer(const struct inspection_thread *thread) {
#if defined(__x86_64__)
  return thread->registers[7];
#else
  return thread->registers[31];
#endif
}

static void copy_registers(struct inspection_registers *target,
                           const struct inspection_thread *thread) {
  memcpy(target->values, thread->registers, sizeof target->values);
  target->stack_pointer = stack_pointer(thread);
  target->call_pc = thread->call >= 0 ? thread->pc : 0;
}

#if defined(__x86_64__)
/// The result of a system call that the kernel makes again after a stop, unless a signal handler
/// runs (`ERESTARTNOHAND` in the kernel's `linux/errno.h`). A program never sees it.
static const long restarts_without_handler = 514;
#endif

/// Lets a stopped thread make its system call again if the call ended only because of the stop.
///
/// A thread can begin such a call after it was checked. Without this, the call would fail with
/// `EINTR`. On Arm, the kernel has already forgotten the first argument of the call at this point.
static void restart_call(pid_t thread) {
#if defined(__x86_64__)
  struct user_regs_struct found;
  struct iovec io = {&found, sizeof found};
  if (ptrace(PTRACE_GETREGSET, thread, NT_PRSTATUS, &io) != 0) return;
  if ((long)found.orig_rax < 0 || (long)found.rax != -EINTR) return;
  found.rax = (unsigned long long)-restarts_without_handler;
  ptrace(PTRACE_SETREGSET, thread, NT_PRSTATUS, &io);
#else
  (void)thread;
#endif
}

/// Copies as much of the stack as is mapped, page by page.
static void copy_stack(pid_t process, struct inspection_thread *thread) {
  const uint64_t start = stack_pointer(thread);
  long done = 0;
  while (done < inspection_stack_size) {
    long part = inspection_stack_size - done;
    const struct iovec to = {(char *)thread->stack + done, (size_t)part};
    const struct iovec from = {(void *)(start + (uint64_t)done), (size_t)part};
    long copied = process_vm_readv(process, &to, 1, &from, 1, 0);
    if (copied <= 0) break;
    done += copied;
  }
  thread->stack_count = done;
}

/// Waits until a thread reports a stop. Returns its status, or -1 with errno.
static int wait_for_stop(pid_t thread, long limit) {
  const long end = now() + limit;
  int status = 0;
  const struct timespec pause = {0, 20 * 1000};
  while (true) {
    // Only this thread's reports are taken. The process may wait for children of its own.
    pid_t found = waitpid(thread, &status, __WALL | WNOHANG | __WNOTHREAD);
    if (found == thread) return status;
    if (found < 0 && errno != EINTR) return -1;
    if (now() > end) {
      errno = ETIMEDOUT;
      return -1;
    }
    nanosleep(&pause, NULL);
  }
}

static bool stop(pid_t thread) {
  return ptrace(PTRACE_SEIZE, thread, 0, PTRACE_O_TRACESYSGOOD) == 0
         && ptrace(PTRACE_INTERRUPT, thread, 0, 0) == 0;
}

/// Returns the signal that a thread must get when it continues after a stop, or 0.
static int signal_of_stop(int status) {
  return inspection_reason(status) == inspection_stop_signal ? WSTOPSIG(status) : 0;
}

/// Calls that stops have shortened: a thread that is writing, and doesn't wait, gives up.
struct shortened {
  long count;
  struct {
    pid_t thread;
    struct inspection_rest rest;
  } calls[];
};

static struct shortened *new_shortened(long capacity) {
  struct shortened *const made =
      malloc(sizeof *made + (size_t)capacity * sizeof made->calls[0]);
  if (made) made->count = 0;
  return made;
}

/// Lets a stopped thread continue. If its call was shortened, the thread is traced for the rest.
static void release(pid_t thread, int signal, struct shortened *shortened) {
  struct inspection_rest *const rest = &shortened->calls[shortened->count].rest;
  if (signal == 0 && inspection_begin_rest(thread, rest)) {
    shortened->calls[shortened->count++].thread = thread;
    inspection_continue_to_call(thread, 0);
  } else {
    restart_call(thread);
    ptrace(PTRACE_DETACH, thread, 0, signal);
  }
}

static struct inspection_rest *rest_of(struct shortened *shortened, pid_t thread) {
  for (long index = 0; index < shortened->count; index++) {
    if (shortened->calls[index].thread == thread) return &shortened->calls[index].rest;
  }
  return NULL;
}

/// Traces the threads whose calls were shortened until these calls are complete. One that isn't in
/// time returns what it has transferred.
static void complete(struct shortened *shortened) {
  const struct timespec pause = {0, 20 * 1000};
  const long end = now() + wait_for_rests;
  bool is_late = false;
  for (long left = shortened->count; left > 0;) {
    int status = 0;
    const pid_t thread = waitpid(-1, &status, __WALL | WNOHANG | __WNOTHREAD);
    if (thread < 0 && errno != EINTR) return;
    if (thread <= 0) {
      if (now() > end + wait_for_one) return;
      if (!is_late && now() > end) {
        is_late = true;
        for (long index = 0; index < shortened->count; index++) {
          inspection_interrupt(shortened->calls[index].thread);
        }
      }
      nanosleep(&pause, NULL);
      continue;
    }
    struct inspection_rest *const rest = rest_of(shortened, thread);
    if (WIFSTOPPED(status) && rest) {
      if (inspection_reason(status) != inspection_stop_call) {
        inspection_end_rest(thread, rest);
      } else if (inspection_continue_rest(thread, rest)) {
        inspection_continue_to_call(thread, 0);
        continue;
      }
    }
    // A thread without such a call stopped later than it was waited for.
    if (WIFSTOPPED(status)) ptrace(PTRACE_DETACH, thread, 0, signal_of_stop(status));
    if (rest) left--;
  }
}

static void read_thread(pid_t process, struct inspection_thread *thread, long *left,
                        struct shortened *shortened) {
  // Right before the stop, because a thread can begin such a call at any time.
  if (!inspection_stop_is_harmless(process, thread->thread)) {
    thread->error = EBUSY;
    return;
  }
  if (!stop(thread->thread)) {
    thread->error = errno;
    return;
  }
  int status = wait_for_stop(thread->thread, wait_for_one);
  if (status == -1) {
    thread->error = errno;
    return;
  }
  if (!WIFSTOPPED(status)) {
    thread->error = ESRCH;
    return;
  }
  const long start = now();
  if (read_registers(thread)) {
    copy_stack(process, thread);
  } else {
    thread->error = errno;
  }
  release(thread->thread, signal_of_stop(status), shortened);
  *left -= now() - start;
}

struct work {
  pid_t process;
  struct inspection_thread *threads;
  long count;
  long left;
  struct shortened *shortened;
};

static void *read_all(void *context) {
  struct work *work = context;
  for (long index = 0; index < work->count; index++) {
    struct inspection_thread *thread = &work->threads[index];
    if (work->left <= 0) {
      thread->error = ETIMEDOUT;
    } else {
      read_thread(work->process, thread, &work->left, work->shortened);
    }
  }
  complete(work->shortened);
  return NULL;
}

long inspection_read_threads(pid_t process, struct inspection_thread *threads, long count, long limit) {
  struct work work = {process, threads, count, limit, new_shortened(count)};
  // When a thread that traces others ends, the system detaches it from all of them. So a thread
  // that doesn't stop in time is released, too.
  pthread_t reader;
  int error = work.shortened ? pthread_create(&reader, NULL, read_all, &work) : ENOMEM;
  if (error != 0) {
    for (long index = 0; index < count; index++) threads[index].error = error;
  } else {
    pthread_join(reader, NULL);
  }
  free(work.shortened);
  return limit - work.left;
}

/// The threads that are stopped.
struct stopping {
  pid_t process;
  bool (*stays)(void *context, pid_t thread);
  void (*body)(void *context, const struct inspection_registers *threads, long count);
  void *context;
  int error;
  /// The time by which all threads must have stopped.
  long end;
  pid_t *threads;
  struct inspection_registers *registers;
  /// The signals that the threads get when they continue.
  int *signals;
  long count;
  long capacity;
  struct shortened *shortened;
};

static bool is_known(const struct stopping *stopping, pid_t thread) {
  for (long index = 0; index < stopping->count; index++) {
    if (stopping->threads[index] == thread) return true;
  }
  return false;
}

/// Stops one thread. Returns false if that failed although the thread exists.
static bool stop_thread(struct stopping *stopping, pid_t thread) {
  if (stopping->count == stopping->capacity) {
    stopping->error = ENOMEM;
    return false;
  }
  if (!stop(thread)) {
    if (errno == ESRCH) return true;
    stopping->error = errno;
    return false;
  }
  const int status = wait_for_stop(thread, stopping->end - now());
  if (status == -1) {
    stopping->error = errno;
    return false;
  }
  if (!WIFSTOPPED(status)) return true;
  struct inspection_thread read = {.thread = thread};
  if (!read_registers(&read)) {
    stopping->error = errno;
    ptrace(PTRACE_DETACH, thread, 0, 0);
    return false;
  }
  struct inspection_registers *registers = &stopping->registers[stopping->count];
  copy_registers(registers, &read);
  stopping->threads[stopping->count] = thread;
  stopping->signals[stopping->count] = signal_of_stop(status);
  stopping->count++;
  return true;
}

/// Stops the threads in the kernel's list until it has no new ones. Threads that run can make
/// others.
static void stop_all(struct stopping *stopping) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/task", (int)stopping->process);
  for (bool is_new = true; is_new && !stopping->error;) {
    is_new = false;
    DIR *const list = opendir(path);
    if (!list) {
      stopping->error = errno;
      return;
    }
    for (struct dirent *entry; !stopping->error && (entry = readdir(list));) {
      const pid_t thread = (pid_t)atoi(entry->d_name);
      if (thread <= 0 || is_known(stopping, thread)) continue;
      const long start = now();
      const bool stays = stopping->stays(stopping->context, thread);
      stopping->end += now() - start;
      if (stays) continue;
      const long before = stopping->count;
      if (!stop_thread(stopping, thread)) break;
      if (stopping->count > before) is_new = true;
    }
    closedir(list);
  }
}

static void *stop_and_call(void *context) {
  struct stopping *stopping = context;
  stop_all(stopping);
  if (!stopping->error) {
    stopping->body(stopping->context, stopping->registers, stopping->count);
  }
  for (long index = 0; index < stopping->count; index++) {
    release(stopping->threads[index], stopping->signals[index], stopping->shortened);
  }
  complete(stopping->shortened);
  return NULL;
}

int inspection_with_stopped(pid_t process, bool (*stays)(void *context, pid_t thread),
                            void (*body)(void *context, const struct inspection_registers *threads,
                                         long count),
                            void *context) {
  enum { most = 4096 };
  struct stopping stopping = {
      process, stays, body, context, 0, now() + wait_for_all, NULL, NULL, NULL, 0, most, NULL};
  stopping.threads = malloc(most * sizeof *stopping.threads);
  stopping.registers = malloc(most * sizeof *stopping.registers);
  stopping.signals = malloc(most * sizeof *stopping.signals);
  stopping.shortened = new_shortened(most);
  if (!stopping.threads || !stopping.registers || !stopping.signals || !stopping.shortened) {
    stopping.error = ENOMEM;
  }
  pthread_t thread;
  const int failure =
      stopping.error ? stopping.error : pthread_create(&thread, NULL, stop_and_call, &stopping);
  // When the thread ends, the system detaches it from all threads that are still stopped.
  if (failure) stopping.error = failure; else pthread_join(thread, NULL);
  free(stopping.threads);
  free(stopping.registers);
  free(stopping.signals);
  free(stopping.shortened);
  return stopping.error;
}

int inspection_trace(pid_t process) {
  const long options = PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK | PTRACE_O_TRACECLONE
                       | PTRACE_O_TRACEEXEC | PTRACE_O_TRACEEXIT | PTRACE_O_TRACESYSGOOD;
  return ptrace(PTRACE_SEIZE, process, 0, options) == 0 ? 0 : errno;
}

void inspection_continue(pid_t thread, int signal) { ptrace(PTRACE_CONT, thread, 0, signal); }

void inspection_restart_call(pid_t thread) { restart_call(thread); }

bool inspection_signal_was_sent(pid_t thread) {
  siginfo_t signal;
  return ptrace(PTRACE_GETSIGINFO, thread, 0, &signal) == 0 && signal.si_code != SI_USER;
}

void inspection_listen(pid_t thread) { ptrace(PTRACE_LISTEN, thread, 0, 0); }

void inspection_release(pid_t thread, int signal) { ptrace(PTRACE_DETACH, thread, 0, signal); }

void inspection_interrupt(pid_t thread) { ptrace(PTRACE_INTERRUPT, thread, 0, 0); }

enum inspection_stop inspection_reason(int status) {
  const int signal = WSTOPSIG(status);
  switch (status >> 16) {
  case 0:
    // The bit of `PTRACE_O_TRACESYSGOOD`.
    return signal & 0x80 ? inspection_stop_call : inspection_stop_signal;
  case PTRACE_EVENT_STOP:
    return signal == SIGSTOP || signal == SIGTSTP || signal == SIGTTIN || signal == SIGTTOU
               ? inspection_stop_job : inspection_stop_begin;
  case PTRACE_EVENT_EXIT:
    return inspection_stop_exit;
  case PTRACE_EVENT_EXEC:
    return inspection_stop_exec;
  default:
    return inspection_stop_other;
  }
}

bool inspection_read_end(pid_t thread, struct inspection_end *end) {
  unsigned long status = 0;
  struct inspection_thread read = {.thread = thread};
  if (ptrace(PTRACE_GETEVENTMSG, thread, 0, &status) != 0 || !read_registers(&read)) return false;
  copy_registers(&end->registers, &read);
  end->status = (int)status;
  end->is_of_process = read.call != SYS_exit;
  return true;
}

long inspection_thread_count(pid_t thread) {
  char path[64];
  struct stat folder;
  snprintf(path, sizeof path, "/proc/%d/task", (int)thread);
  return stat(path, &folder) == 0 && folder.st_nlink > 2 ? (long)folder.st_nlink - 2 : 0;
}

/// Returns whether receiving from a socket waits for as long as necessary, and ends as soon as there
/// is any data. If so, the kernel makes the call again after a stop.
static bool waits_for_any_data(pid_t process, int file) {
  const int handle = (int)syscall(SYS_pidfd_open, process, 0);
  if (handle < 0) return false;
  const int copy = (int)syscall(SYS_pidfd_getfd, handle, file, 0);
  close(handle);
  if (copy < 0) return false;
  struct timeval limit = {1, 0};
  int least = 0;
  socklen_t limit_size = sizeof limit, least_size = sizeof least;
  const bool is_known =
      getsockopt(copy, SOL_SOCKET, SO_RCVTIMEO, &limit, &limit_size) == 0
      && getsockopt(copy, SOL_SOCKET, SO_RCVLOWAT, &least, &least_size) == 0;
  close(copy);
  return is_known && limit.tv_sec == 0 && limit.tv_usec == 0 && least <= 1;
}

/// Returns whether reading from a file continues unchanged after a stop. Terminals return what they
/// have so far, and nothing is known about other devices and file systems.
static bool reads_after_stop(pid_t process, int file) {
  char path[64], target[32];
  snprintf(path, sizeof path, "/proc/%d/fd/%d", (int)process, file);
  const ssize_t size = readlink(path, target, sizeof target - 1);
  if (size < 0) return false;
  target[size] = 0;
  if (strncmp(target, "socket:", 7) == 0) return waits_for_any_data(process, file);
  return strncmp(target, "pipe:", 5) == 0 || strncmp(target, "anon_inode:", 11) == 0;
}

/// Reads the beginning of a file about a thread. Returns false if it is empty or can't be read.
static bool read_file(pid_t process, pid_t thread, const char *name, char text[256]) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/task/%d/%s", (int)process, (int)thread, name);
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  const ssize_t size = read(file, text, 255);
  close(file);
  text[size > 0 ? size : 0] = 0;
  return size > 0;
}

/// Reads the system call of a thread. Returns false if the thread is ready to run, and the call -1
/// if the thread makes none or has ended.
static bool read_call(pid_t process, pid_t thread, long *call, unsigned long arguments[4]) {
  char text[256];
  *call = -1;
  return !read_file(process, thread, "syscall", text)
         || sscanf(text, "%ld %lx %lx %lx %lx", call, &arguments[0], &arguments[1], &arguments[2],
                   &arguments[3]) >= 1;
}

/// Returns the time for which a thread has run, in nanoseconds.
static unsigned long long run_time(pid_t process, pid_t thread) {
  char text[256];
  return read_file(process, thread, "schedstat", text) ? strtoull(text, NULL, 10) : 0;
}

bool inspection_stop_is_harmless(pid_t process, pid_t thread) {
  const struct timespec pause = {0, 100 * 1000};
  long call = -1;
  unsigned long arguments[4] = {0};
  long start = 0;
  unsigned long long time = 0;
  // The system reports the call of a thread that waits. One whose wait has ended is still in its
  // call, first waits for a processor, and often waits again soon.
  while (!read_call(process, thread, &call, arguments)) {
    if (start == 0) {
      start = now();
      time = run_time(process, thread);
    } else if (now() - start > wait_for_call || run_time(process, thread) - time > long_run) {
      return true;
    }
    nanosleep(&pause, NULL);
  }
  switch (call) {
  case -1:
  case SYS_futex:
  case SYS_nanosleep:
  case SYS_clock_nanosleep:
  case SYS_restart_syscall:
  case SYS_wait4:
  case SYS_waitid:
  case SYS_rt_sigsuspend:
  case SYS_ppoll:
  case SYS_pselect6:
  case SYS_flock:
  case SYS_fcntl:
  case SYS_openat:
#ifdef SYS_poll
  case SYS_poll:
#endif
#ifdef SYS_select
  case SYS_select:
#endif
#ifdef SYS_pause
  case SYS_pause:
#endif
#ifdef SYS_open
  case SYS_open:
#endif
    return true;
  case SYS_read:
  case SYS_readv:
    return reads_after_stop(process, (int)arguments[0]);
  case SYS_accept:
  case SYS_accept4:
    return waits_for_any_data(process, (int)arguments[0]);
  case SYS_recvfrom:
    return !(arguments[3] & MSG_WAITALL) && waits_for_any_data(process, (int)arguments[0]);
  case SYS_recvmsg:
    return !(arguments[2] & MSG_WAITALL) && waits_for_any_data(process, (int)arguments[0]);
  default:
    return false;
  }
}

enum inspection_wait inspection_wait_of(long system_call, unsigned long argument) {
  switch (system_call) {
  case SYS_futex:
    return inspection_wait_futex;
  case SYS_nanosleep:
  case SYS_clock_nanosleep:
    return inspection_wait_sleep;
  case SYS_wait4:
  case SYS_waitid:
    return inspection_wait_child;
  case SYS_read:
  case SYS_readv:
  case SYS_pread64:
  case SYS_recvfrom:
  case SYS_recvmsg:
    return inspection_wait_read;
  case SYS_accept:
  case SYS_accept4:
    return inspection_wait_accept;
  case SYS_write:
  case SYS_writev:
  case SYS_pwrite64:
  case SYS_sendto:
  case SYS_sendmsg:
    return inspection_wait_write;
  case SYS_connect:
    return inspection_wait_connect;
  case SYS_rt_sigtimedwait:
    return inspection_wait_signal;
#ifdef SYS_open
  case SYS_open:
    return inspection_wait_open;
#endif
  case SYS_openat:
    return inspection_wait_open_at;
#ifdef SYS_epoll_wait
  case SYS_epoll_wait:
#endif
#ifdef SYS_poll
  case SYS_poll:
#endif
#ifdef SYS_select
  case SYS_select:
#endif
  case SYS_epoll_pwait:
  case SYS_epoll_pwait2:
  case SYS_ppoll:
  case SYS_pselect6:
  case SYS_io_uring_enter:
    return inspection_wait_events;
  case SYS_flock:
    return inspection_wait_file_lock;
  case SYS_fcntl:
    return argument == F_SETLKW || argument == F_OFD_SETLKW ? inspection_wait_file_lock
                                                            : inspection_wait_other;
  case SYS_msgrcv:
  case SYS_mq_timedreceive:
    return inspection_wait_message;
  default:
    return inspection_wait_other;
  }
}
#else
int inspection_with_stopped(pid_t process, bool (*stays)(void *context, pid_t thread),
                            void (*body)(void *context, const struct inspection_registers *threads,
                                         long count),
                            void *context) {
  (void)process, (void)stays, (void)body, (void)context;
  return ENOSYS;
}

int inspection_trace(pid_t process) {
  (void)process;
  return ENOSYS;
}

void inspection_continue(pid_t thread, int signal) { (void)thread, (void)signal; }

void inspection_restart_call(pid_t thread) { (void)thread; }

bool inspection_signal_was_sent(pid_t thread) {
  (void)thread;
  return false;
}

void inspection_listen(pid_t thread) { (void)thread; }

void inspection_release(pid_t thread, int signal) { (void)thread, (void)signal; }

void inspection_interrupt(pid_t thread) { (void)thread; }

enum inspection_stop inspection_reason(int status) {
  (void)status;
  return inspection_stop_other;
}

bool inspection_read_end(pid_t thread, struct inspection_end *end) {
  (void)thread, (void)end;
  return false;
}

long inspection_thread_count(pid_t thread) {
  (void)thread;
  return 0;
}

long inspection_read_threads(pid_t process, struct inspection_thread *threads, long count, long limit) {
  (void)process, (void)limit;
  for (long index = 0; index < count; index++) threads[index].error = ENOSYS;
  return 0;
}

bool inspection_stop_is_harmless(int32_t process, int32_t thread) {
  (void)process, (void)thread;
  return false;
}

enum inspection_wait inspection_wait_of(long system_call, unsigned long argument) {
  (void)system_call, (void)argument;
  return inspection_wait_other;
}
#endif
