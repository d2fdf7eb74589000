#define _GNU_SOURCE
#define _DARWIN_C_SOURCE
#include "Commands.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/prctl.h>
#endif
#ifdef __APPLE__
#include <crt_externs.h>
#else
extern char **environ;
#endif

static const int deadly_signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
static const int other_signals[] = {SIGUSR1, SIGUSR2, SIGTSTP, SIGCONT, SIGCHLD};
// The program changes the actions of these signals when it starts.
static const int changed_signals[] = {SIGPIPE, SIGXFSZ};
#define COUNT(list) (sizeof(list) / sizeof((list)[0]))

static sigset_t held, held_deadly, mask_before;
static bool is_any_deadly;
static bool was_ignored[COUNT(changed_signals)];

static bool is_ignored(int signal) {
  struct sigaction action;
  return sigaction(signal, NULL, &action) == 0 && (action.sa_flags & SA_SIGINFO) == 0
      && action.sa_handler == SIG_IGN;
}

// Runs before main, which changes the actions.
__attribute__((constructor)) static void note_actions(void) {
  for (size_t i = 0; i < COUNT(changed_signals); i++) was_ignored[i] = is_ignored(changed_signals[i]);
}

static void do_nothing(int signal) { (void)signal; }

// Some systems discard a held signal whose default action is to do nothing.
static void catch_signal(int signal) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = do_nothing;
  action.sa_flags = SA_RESTART;
  sigaction(signal, &action, NULL);
}

void process_hold_signals(void) {
  sigemptyset(&held);
  sigemptyset(&held_deadly);
  for (size_t i = 0; i < COUNT(deadly_signals); i++) {
    if (is_ignored(deadly_signals[i])) continue;
    sigaddset(&held, deadly_signals[i]);
    sigaddset(&held_deadly, deadly_signals[i]);
    is_any_deadly = true;
  }
  // Without an explicit action, the system wouldn't keep the status of a child that has ended.
  catch_signal(SIGCHLD);
  catch_signal(SIGCONT);
  for (size_t i = 0; i < COUNT(other_signals); i++)
    if (!is_ignored(other_signals[i])) sigaddset(&held, other_signals[i]);
  pthread_sigmask(SIG_BLOCK, &held, &mask_before);
}

process_signal process_next_signal(void) {
  process_signal result = {0, 0, false};
#ifdef __APPLE__
  while (sigwait(&held, &result.number) != 0) continue;
  // The system doesn't report the sender. These signals usually come from a key.
  const int number = result.number;
  if (number == SIGINT || number == SIGQUIT || number == SIGTSTP) {
    const int terminal = open("/dev/tty", O_RDONLY | O_NOCTTY | O_CLOEXEC);
    result.is_from_kernel = terminal >= 0 && tcgetpgrp(terminal) == getpgrp();
    if (terminal >= 0) close(terminal);
  }
#else
  siginfo_t information;
  do {
    result.number = sigwaitinfo(&held, &information);
  } while (result.number < 0);
  result.is_from_kernel = information.si_code > 0;
  if (!result.is_from_kernel) result.sender = information.si_pid;
#endif
  return result;
}

process_signal process_next_signal_within(long time) {
#ifdef __linux__
  process_signal result = {0, 0, false};
  siginfo_t information;
  const struct timespec limit = {time / 1000000000, time % 1000000000};
  result.number = sigtimedwait(&held, &information, &limit);
  if (result.number < 0) {
    result.number = 0;
    return result;
  }
  result.is_from_kernel = information.si_code > 0;
  if (!result.is_from_kernel) result.sender = information.si_pid;
  return result;
#else
  (void)time;
  return process_next_signal();
#endif
}

void process_adopt_orphans(void) {
#ifdef __linux__
  prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
#endif
}

void process_forget_signals(void) {
  sigset_t pending;
  if (sigpending(&pending) != 0) return;
  for (int number = 1; number < NSIG; number++) {
    int taken;
    if (sigismember(&held, number) != 1 || sigismember(&pending, number) != 1) continue;
    sigset_t one;
    sigemptyset(&one);
    sigaddset(&one, number);
    sigwait(&one, &taken);
  }
}

int process_next_deadly_signal(void) {
  int number = 0;
  if (!is_any_deadly) return 0;
  while (sigwait(&held_deadly, &number) != 0) continue;
  return number;
}

int process_start(const char *path, char *const *arguments, char *const *environment,
                  int output, int errors, pid_t *process) {
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_t actions;
  sigset_t defaults;
  sigemptyset(&defaults);
  for (size_t i = 0; i < COUNT(changed_signals); i++) {
    // A program inherits ignored signals, but not caught ones.
    if (was_ignored[i]) signal(changed_signals[i], SIG_IGN);
    else sigaddset(&defaults, changed_signals[i]);
  }
#ifdef __linux__
  // A signal that is blocked here is still delivered, although it is ignored.
  if (!is_ignored(SIGQUIT)) signal(SIGQUIT, SIG_IGN);
#endif
  posix_spawnattr_init(&attributes);
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_setsigmask(&attributes, &mask_before);
  posix_spawnattr_setsigdefault(&attributes, &defaults);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  // The output can be the standard error, so it comes first.
  if (output != STDOUT_FILENO) posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  if (errors != STDERR_FILENO) posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO);
  const int error = posix_spawn(process, path, &actions, &attributes, arguments, environment);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  // Writing a report to a closed pipe must not end this process before it has cleaned up.
  signal(SIGPIPE, SIG_IGN);
  return error;
}

#ifdef __linux__
/// Reads one byte or the number of an error. Returns the number of bytes.
static ssize_t read_whole(int file, void *target, size_t count) {
  ssize_t found;
  do {
    found = read(file, target, count);
  } while (found < 0 && errno == EINTR);
  return found;
}

/// Prepares and executes the command in a new process. Calls only functions that are safe there.
_Noreturn static void execute(const char *path, char *const *arguments, char *const *environment,
                              int output, int errors, int start, int failure) {
  for (size_t i = 0; i < COUNT(changed_signals); i++)
    signal(changed_signals[i], was_ignored[i] ? SIG_IGN : SIG_DFL);
  if (output != STDOUT_FILENO) dup2(output, STDOUT_FILENO);
  if (errors != STDERR_FILENO) dup2(errors, STDERR_FILENO);
  char byte;
  if (read_whole(start, &byte, 1) == 1) {
    // The mask is last, so that no signal ends this process before it is the command.
    sigprocmask(SIG_SETMASK, &mask_before, NULL);
    execve(path, arguments, environment);
    const int error = errno;
    (void)!write(failure, &error, sizeof error);
  }
  _exit(127);
}

int process_start_traced(const char *path, char *const *arguments, char *const *environment,
                         int output, int errors, int (*trace)(pid_t process), pid_t *process) {
  int start[2], failure[2];
  if (!is_ignored(SIGQUIT)) signal(SIGQUIT, SIG_IGN);
  if (pipe2(start, O_CLOEXEC) != 0) return errno;
  if (pipe2(failure, O_CLOEXEC) != 0) {
    const int error = errno;
    close(start[0]);
    close(start[1]);
    return error;
  }
  // The caught actions of SIGCHLD and SIGCONT become the default ones when a program is executed.
  const pid_t child = fork();
  if (child == 0) {
    // With this end open, the process would wait forever if it isn't traced.
    close(start[1]);
    execute(path, arguments, environment, output, errors, start[0], failure[1]);
  }
  int error = child < 0 ? errno : 0;
  close(start[0]);
  close(failure[1]);
  if (!error) error = -trace(child);
  if (!error) {
    const char byte = 1;
    if (write(start[1], &byte, 1) != 1) error = errno;
  }
  close(start[1]);
  if (!error) {
    int found = 0;
    if (read_whole(failure[0], &found, sizeof found) == sizeof found) error = found;
  }
  close(failure[0]);
  // A child that isn't traced ends without having executed anything.
  *process = child;
  signal(SIGPIPE, SIG_IGN);
  return error;
}
#endif

static void release_stop_key(sigset_t *before) {
  sigset_t stop;
  sigemptyset(&stop);
  sigaddset(&stop, SIGTSTP);
  pthread_sigmask(SIG_UNBLOCK, &stop, before);
}

bool process_stop_self(void) {
  sigset_t before, pending;
  // The kernel discards the signal if the process group is orphaned, in which case no shell would
  // continue it.
  kill(getpid(), SIGTSTP);
  release_stop_key(&before);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  // The stop removed what was pending before, so this signal is the one that continued the process.
  return sigpending(&pending) == 0 && sigismember(&pending, SIGCONT) == 1;
}

bool process_is_stopped(pid_t process) {
#ifdef __linux__
  char path[32], text[512];
  snprintf(path, sizeof path, "/proc/%d/stat", (int)process);
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return true;
  const ssize_t count = read(file, text, sizeof text - 1);
  close(file);
  text[count > 0 ? count : 0] = 0;
  // The state follows the name of the program, which can contain parentheses.
  const char *const end = strrchr(text, ')');
  return end == NULL || end[1] == 0 || end[2] == 'T' || end[2] == 't';
#else
  (void)process;
  return true;
#endif
}

void process_release_stop_key(void) { release_stop_key(NULL); }

_Noreturn void process_die_by(int number) {
  sigset_t set;
  signal(number, SIG_DFL);
  sigemptyset(&set);
  sigaddset(&set, number);
  pthread_sigmask(SIG_UNBLOCK, &set, NULL);
  kill(getpid(), number);
  // The signal can be delivered to another thread a moment later.
  for (int i = 0; i < 100; i++) usleep(10000);
  _exit(128 + number);
}

char **process_environment(void) {
#ifdef __APPLE__
  return *_NSGetEnviron();
#else
  return environ;
#endif
}

static bool empty_folder(int folder, dev_t device, int levels) {
  DIR *const list = fdopendir(folder);
  if (list == NULL) {
    close(folder);
    return false;
  }
  bool is_empty = true;
  struct dirent *entry;
  while ((entry = readdir(list)) != NULL) {
    const char *const name = entry->d_name;
    if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0) continue;
    if (unlinkat(folder, name, 0) == 0 || errno == ENOENT) continue;
    const int inner = levels > 0
        ? openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK) : -1;
    struct stat status;
    if (inner >= 0 && (fstat(inner, &status) != 0 || status.st_dev != device)) {
      close(inner);
      is_empty = false;
    } else if (inner < 0 || !empty_folder(inner, device, levels - 1)
        || unlinkat(folder, name, AT_REMOVEDIR) != 0) {
      is_empty = false;
    }
  }
  closedir(list);
  return is_empty;
}

bool process_remove_folder(int parent, const char *name, int folder) {
  struct stat own, named;
  if (fstat(folder, &own) != 0) return false;
  // A process that is still running can create files in the meantime.
  for (int i = 0; i < 10; i++) {
    const int list = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    const int failure = list < 0 ? errno : 0;
    // Even without a free descriptor, an empty folder can be removed.
    if (list >= 0) empty_folder(list, own.st_dev, 32);
    if (fstatat(parent, name, &named, AT_SYMLINK_NOFOLLOW) != 0) return errno == ENOENT;
    // Another item has replaced the folder.
    if (named.st_ino != own.st_ino || named.st_dev != own.st_dev) return true;
    if (unlinkat(parent, name, AT_REMOVEDIR) == 0) return true;
    if (errno != ENOTEMPTY && errno != EEXIST) return false;
    if (failure != 0) {
      errno = failure;
      return false;
    }
  }
  return false;
}
