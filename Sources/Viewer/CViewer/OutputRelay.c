#ifdef __linux__
#define _GNU_SOURCE
#include "Commands.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

#ifndef SYS_close_range
#define SYS_close_range 436
#endif

// PIPEFS_MAGIC in the kernel's linux/magic.h.
static const long type_of_pipes = 0x50495045;

// The relay writes it, and its parent reads it.
struct process_relay_state {
  // Odd while the relay reads: then bytes may be neither in the pipe nor in the count.
  uint64_t reads;
  uint64_t bytes_read;
  uint64_t bytes_written;
  int64_t last_change;
  uint64_t is_ready;
  // The last lines about continuations that leaked, each at its number modulo 2.
  uint64_t leaks;
  char lines[2][PROCESS_RELAY_LINE_SIZE];
};

static uint64_t load(const uint64_t *value) { return __atomic_load_n(value, __ATOMIC_SEQ_CST); }
static void add(uint64_t *value, uint64_t number) {
  __atomic_fetch_add(value, number, __ATOMIC_SEQ_CST);
}

static void note_time(struct process_relay_state *state) {
  struct timespec now = {0, 0};
  clock_gettime(CLOCK_MONOTONIC, &now);
  __atomic_store_n(
      &state->last_change, (int64_t)now.tv_sec * 1000000000 + now.tv_nsec, __ATOMIC_SEQ_CST);
}

static void close_folder_entries(int first) {
  struct entry {
    uint64_t inode;
    int64_t offset;
    unsigned short size;
    unsigned char type;
    char name[];
  };
  _Alignas(struct entry) static char buffer[4096];
  const int folder = open("/proc/self/fd", O_RDONLY | O_DIRECTORY);
  if (folder < 0) return;
  long count;
  while ((count = syscall(SYS_getdents64, folder, buffer, sizeof buffer)) > 0) {
    for (long at = 0; at < count;) {
      const struct entry *const entry = (const struct entry *)(buffer + at);
      int number = 0;
      bool is_number = entry->name[0] != 0;
      for (const char *digit = entry->name; *digit != 0; digit++) {
        if (*digit < '0' || *digit > '9') is_number = false;
        else number = number * 10 + (*digit - '0');
      }
      if (is_number && number >= first && number != folder) close(number);
      at += entry->size;
    }
  }
  close(folder);
}

static void ignore_signals(void) {
  struct sigaction action = {.sa_handler = SIG_IGN};
  sigset_t none;
  for (int number = 1; number < NSIG; number++) sigaction(number, &action, NULL);
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
}

// Returns false if the target can't be written to anymore.
static bool write_all(const char *bytes, size_t count, struct process_relay_state *state) {
  while (count > 0) {
    // A longer write would only return when a slow reader has read almost everything.
    const ssize_t written = write(STDOUT_FILENO, bytes, count < PIPE_BUF ? count : PIPE_BUF);
    if (written >= 0) {
      note_time(state);
      bytes += written;
      count -= (size_t)written;
      add(&state->bytes_written, (uint64_t)written);
    } else if (errno == EAGAIN) {
      struct pollfd target = {STDOUT_FILENO, POLLOUT, 0};
      poll(&target, 1, -1);
    } else if (errno != EINTR) {
      return false;
    }
  }
  return true;
}

// Notes the lines that the Swift runtime prints when a continuation is deallocated without having
// been resumed (logFailedCheck in CheckedContinuation.swift).
static void note_leaks(const char *bytes, size_t count, struct process_relay_state *state) {
  static const char start[] = "SWIFT TASK CONTINUATION MISUSE: ", middle[] = " leaked its cont";
  static char line[PROCESS_RELAY_LINE_SIZE];
  static size_t length;
  while (count > 0) {
    const char *const end = memchr(bytes, '\n', count);
    const size_t part = end ? (size_t)(end - bytes) : count, room = sizeof line - 1 - length;
    memcpy(line + length, bytes, part < room ? part : room);
    length += part < room ? part : room;
    line[length] = 0;
    if (!end) break;
    char *const rest = strstr(line, middle);
    if (rest && strncmp(line, start, sizeof start - 1) == 0) {
      *rest = 0;
      memcpy(state->lines[(load(&state->leaks) + 1) % 2], line + sizeof start - 1,
             sizeof line - sizeof start);
      add(&state->leaks, 1);
    }
    length = 0;
    bytes = end + 1;
    count -= part + 1;
  }
}

// Copies until the end of the input. The functions that it calls are safe after a fork.
static _Noreturn void relay(int input, int target, bool is_watched, bool is_socket,
                            struct process_relay_state *state) {
  static char buffer[1 << 16];
  ignore_signals();
  // A signal to the process group must not lose output, and a terminal doesn't have to wait.
  setsid();
  prctl(PR_SET_NAME, PROCESS_RELAY_NAME, 0, 0, 0);
  if (dup2(target, STDOUT_FILENO) < 0 || dup2(input, STDIN_FILENO) < 0) _exit(1);
  if (syscall(SYS_close_range, STDERR_FILENO, ~0U, 0) != 0) close_folder_entries(STDERR_FILENO);
  if (chdir("/") != 0) { /* The folder of the command can't be unmounted then. */ }
  add(&state->is_ready, 1);

  struct pollfd files[] = {
    {STDIN_FILENO, POLLIN, 0},
    // Without a reader, the next write of the command must fail.
    {is_watched ? STDOUT_FILENO : -1, 0, 0},
  };
  while (true) {
    if (poll(files, 2, -1) > 0) {
      if ((files[1].revents & POLLHUP) != 0) break;
      if ((files[1].revents & POLLERR) != 0) {
        if (!is_socket) break;
        // The next write gets this error, which may be temporary.
        files[1].fd = -1;
      }
      if (files[0].revents == 0) continue;
    } else if (errno == EINTR) {
      continue;
    }
    add(&state->reads, 1);
    const ssize_t count = read(STDIN_FILENO, buffer, sizeof buffer);
    if (count > 0) {
      note_time(state);
      add(&state->bytes_read, (uint64_t)count);
      note_leaks(buffer, (size_t)count, state);
    }
    const bool is_retried = count < 0 && (errno == EINTR || errno == EAGAIN);
    add(&state->reads, 1);
    if (is_retried) continue;
    if (count <= 0 || !write_all(buffer, (size_t)count, state)) break;
  }
  _exit(0);
}

bool process_can_relay(int target) {
  struct stat status;
  const int flags = fcntl(target, F_GETFL);
  if (flags < 0 || (flags & O_ACCMODE) == O_RDONLY || fstat(target, &status) != 0) return false;
  if (S_ISFIFO(status.st_mode)) return true;
  int type = 0;
  socklen_t size = sizeof type;
  // Other sockets keep the limits of messages, which a pipe doesn't.
  if (S_ISSOCK(status.st_mode))
    return getsockopt(target, SOL_SOCKET, SO_TYPE, &type, &size) == 0 && type == SOCK_STREAM;
  return S_ISCHR(status.st_mode) && status.st_rdev == makedev(1, 3);
}

int process_start_relay(int target, process_relay *result) {
  struct stat status;
  struct statfs system;
  int ends[2];
  if (fstat(target, &status) != 0) return errno;
  const bool is_socket = S_ISSOCK(status.st_mode);
  // A pipe with a name can get another reader.
  const bool is_watched = is_socket
      || (S_ISFIFO(status.st_mode) && fstatfs(target, &system) == 0
          && system.f_type == type_of_pipes);

  struct process_relay_state *const state = mmap(
      NULL, sizeof *state, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (state == MAP_FAILED) return errno;
  if (pipe2(ends, O_CLOEXEC) != 0) {
    const int error = errno;
    munmap(state, sizeof *state);
    return error;
  }
  const int size = fcntl(target, F_GETPIPE_SZ);
  if (size > 0) fcntl(ends[1], F_SETPIPE_SZ, size);

  sigset_t all, before;
  sigfillset(&all);
  // Until the relay ignores signals, none must end it.
  sigprocmask(SIG_BLOCK, &all, &before);
  const pid_t process = fork();
  const int error = errno;
  if (process == 0) relay(ends[0], target, is_watched, is_socket, state);
  sigprocmask(SIG_SETMASK, &before, NULL);
  close(ends[0]);
  if (process < 0) {
    close(ends[1]);
    munmap(state, sizeof *state);
    return error;
  }
  *result = (process_relay){process, ends[1], state};
  // Until then, it has files of this process.
  while (load(&state->is_ready) == 0 && !process_relay_has_ended(result, 1)) continue;
  return 0;
}

int64_t process_relay_last_change(const process_relay *relay) {
  return __atomic_load_n(&relay->state->last_change, __ATOMIC_SEQ_CST);
}

uint64_t process_relay_written(const process_relay *relay) {
  return load(&relay->state->bytes_written);
}

uint64_t process_relay_leak(const process_relay *relay, char line[PROCESS_RELAY_LINE_SIZE]) {
  const uint64_t leaks = load(&relay->state->leaks);
  memcpy(line, relay->state->lines[leaks % 2], PROCESS_RELAY_LINE_SIZE);
  return leaks;
}

bool process_relay_received(const process_relay *relay, uint64_t *count) {
  int waiting = 0;
  const uint64_t reads = load(&relay->state->reads);
  const uint64_t bytes_read = load(&relay->state->bytes_read);
  if (reads % 2 != 0 || ioctl(relay->input, FIONREAD, &waiting) != 0) return false;
  *count = bytes_read + (uint64_t)waiting;
  return load(&relay->state->reads) == reads;
}

bool process_relay_has_ended(const process_relay *relay, int milliseconds) {
  struct pollfd input = {relay->input, 0, 0};
  return poll(&input, 1, milliseconds) > 0;
}

void process_close_relay(process_relay *relay) {
  close(relay->input);
  munmap(relay->state, sizeof *relay->state);
}
#endif
