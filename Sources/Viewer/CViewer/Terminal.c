#define _GNU_SOURCE
#define _DARWIN_C_SOURCE
#include "Terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

// Signal handlers read this, so it is only written while `taken` is false.
static struct {
  int input, output;
  struct termios before;
  uint8_t undoing[256];
  size_t count;
} terminal;

static atomic_bool taken;

bool terminal_remember(int input, int output, const uint8_t *undoing, size_t count) {
  if (count > sizeof terminal.undoing) {
    errno = E2BIG;
    return false;
  }
  if (tcgetattr(input, &terminal.before) != 0) return false;
  terminal.input = input;
  terminal.output = output;
  memcpy(terminal.undoing, undoing, count);
  terminal.count = count;
  return true;
}

static int set_attributes(const struct termios *attributes) {
  int result;
  do result = tcsetattr(terminal.input, TCSANOW, attributes);
  while (result != 0 && errno == EINTR);
  return result;
}

bool terminal_take_over(void) {
  struct termios raw = terminal.before;
  raw.c_iflag &= ~(tcflag_t)(BRKINT | ICRNL | IGNCR | INLCR | INPCK | ISTRIP | IXON | PARMRK);
  raw.c_oflag &= ~(tcflag_t)OPOST;
  raw.c_lflag &= ~(tcflag_t)(ECHO | ECHONL | ICANON | IEXTEN | ISIG);
  raw.c_cflag &= ~(tcflag_t)(CSIZE | PARENB);
  raw.c_cflag |= CS8;
  raw.c_cc[VMIN] = 1;
  raw.c_cc[VTIME] = 0;
  atomic_store(&taken, true);
  if (set_attributes(&raw) == 0) return true;
  atomic_store(&taken, false);
  return false;
}

static void write_undoing(void) {
  const uint8_t *next = terminal.undoing;
  size_t left = terminal.count;
  while (left > 0) {
    // A blocked terminal must not prevent the process from ending.
    struct pollfd request = {.fd = terminal.output, .events = POLLOUT};
    int ready = poll(&request, 1, 1000);
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) return;
    ssize_t count = write(terminal.output, next, left);
    if (count > 0) {
      next += count;
      left -= (size_t)count;
    } else if (errno != EINTR && errno != EAGAIN) {
      return;
    }
  }
}

void terminal_restore(void) {
  if (!atomic_load(&taken)) return;
  int error = errno;
  // A background process that changes the terminal's settings is stopped, unless the signal for
  // that is blocked.
  sigset_t blocked, before;
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGTTOU);
  pthread_sigmask(SIG_BLOCK, &blocked, &before);
  write_undoing();
  set_attributes(&terminal.before);
  // This is the last step, so that a signal in the middle repeats all steps instead of skipping
  // them.
  atomic_store(&taken, false);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  errno = error;
}

enum { signal_count = 13, crash_count = 6 };
static const int signals[signal_count] = {
    SIGSEGV, SIGBUS,  SIGILL,  SIGTRAP, SIGABRT, SIGFPE,  SIGHUP,
    SIGINT,  SIGQUIT, SIGTERM, SIGTSTP, SIGCONT, SIGWINCH,
};
static struct sigaction actions_before[signal_count];
static bool is_caught[signal_count];
static int pipe_ends[2] = {-1, -1};
static atomic_bool watching;
static atomic_int deadly;
static atomic_bool lent;

static bool is_deadly(int number) {
  return number == SIGHUP || number == SIGINT || number == SIGQUIT || number == SIGTERM;
}

static void note(int number) {
  // The keys for these two signals are meant for the program that has the terminal now.
  if (atomic_load(&lent) && (number == SIGINT || number == SIGQUIT)) return;
  int error = errno;
  if (is_deadly(number)) atomic_store(&deadly, number);
  uint8_t byte = (uint8_t)number;
  // The pipe is only full if thousands of signals are already waiting.
  ssize_t written = write(pipe_ends[1], &byte, 1);
  (void)written;
  errno = error;
}

static void crash(int number, siginfo_t *information, void *context) {
  int error = errno;
  int index = 0;
  while (signals[index] != number) index++;
  struct sigaction *before = &actions_before[index];
  bool is_ignored = !(before->sa_flags & SA_SIGINFO) && before->sa_handler == SIG_IGN;
  // The signal was sent and not caused by an instruction, so the process continues.
  if (is_ignored && information->si_code <= 0) return;
  terminal_restore();
  sigaction(number, before, NULL);
  errno = error;
  if (before->sa_flags & SA_SIGINFO) {
    before->sa_sigaction(number, information, context);
    // Swift's handler returns after its report and relies on the instruction failing again. A
    // signal that was sent doesn't have such an instruction, and the process would continue without
    // its terminal.
    if (information->si_code <= 0) terminal_die_by(number);
  } else if (before->sa_handler == SIG_DFL) {
    // The signal is delivered when this handler returns.
    raise(number);
  } else if (!is_ignored) {
    before->sa_handler(number);
  }
}

static void give_stack(void) {
  // This stack is for the thread that draws. Swift's own handler has one, if it is enabled.
  static uint8_t stack[64 * 1024];
  stack_t present;
  if (sigaltstack(NULL, &present) != 0 || !(present.ss_flags & SS_DISABLE)) return;
  stack_t own = {.ss_sp = stack, .ss_size = sizeof stack};
  sigaltstack(&own, NULL);
}

static void catch_signal(int index) {
  int number = signals[index];
  bool is_crash = index < crash_count;
  struct sigaction *before = &actions_before[index];
  is_caught[index] = sigaction(number, NULL, before) == 0;
  if (!is_caught[index]) return;
  bool is_ignored = !(before->sa_flags & SA_SIGINFO) && before->sa_handler == SIG_IGN;
  // `nohup` and shells without job control require the signal to stay ignored.
  if (is_ignored && !is_crash) {
    is_caught[index] = false;
    return;
  }
  struct sigaction action = {0};
  sigfillset(&action.sa_mask);
  if (is_crash) {
    sigemptyset(&action.sa_mask);
    action.sa_sigaction = crash;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  } else {
    action.sa_handler = note;
    // A signal that ends the process must also interrupt a write to a blocked terminal.
    action.sa_flags = is_deadly(number) ? 0 : SA_RESTART;
  }
  sigaction(number, &action, NULL);
}

int terminal_watch_signals(void) {
  static atomic_bool restores_at_exit;
  if (atomic_exchange(&watching, true)) {
    errno = EBUSY;
    return -1;
  }
  if (pipe(pipe_ends) != 0) {
    atomic_store(&watching, false);
    return -1;
  }
  for (int end = 0; end < 2; end++) {
    fcntl(pipe_ends[end], F_SETFD, FD_CLOEXEC);
    fcntl(pipe_ends[end], F_SETFL, O_NONBLOCK);
  }
  atomic_store(&deadly, 0);
  atomic_store(&lent, false);
  give_stack();
  if (!atomic_exchange(&restores_at_exit, true)) atexit(terminal_restore);
  for (int index = 0; index < signal_count; index++) catch_signal(index);
  return pipe_ends[0];
}

void terminal_unwatch_signals(void) {
  if (!atomic_load(&watching)) return;
  for (int index = 0; index < signal_count; index++)
    if (is_caught[index]) sigaction(signals[index], &actions_before[index], NULL);
  for (int end = 0; end < 2; end++) {
    close(pipe_ends[end]);
    pipe_ends[end] = -1;
  }
  atomic_store(&watching, false);
}

int terminal_deadly_signal(void) { return atomic_load(&deadly); }

void terminal_lend(bool lends) {
  atomic_store(&lent, lends);
  for (int index = 0; index < signal_count; index++) {
    if (signals[index] != SIGTSTP || !is_caught[index]) continue;
    struct sigaction action = {0};
    sigfillset(&action.sa_mask);
    action.sa_handler = lends ? SIG_DFL : note;
    action.sa_flags = SA_RESTART;
    sigaction(SIGTSTP, &action, NULL);
  }
}

/// Performs the default action of a signal. The signal is only sent to this thread, so the action
/// is complete on return.
static void act_by_default(int number) {
  struct sigaction action = {0};
  sigset_t set, mask;
  action.sa_handler = SIG_DFL;
  sigaction(number, &action, NULL);
  sigemptyset(&set);
  sigaddset(&set, number);
  pthread_sigmask(SIG_UNBLOCK, &set, &mask);
  raise(number);
  pthread_sigmask(SIG_SETMASK, &mask, NULL);
}

_Noreturn void terminal_die_by(int number) {
  act_by_default(number);
  _exit(128 + number);
}

void terminal_stop_group(void) {
  struct sigaction ignored = {0}, stop_before, continue_before;
  ignored.sa_handler = SIG_IGN;
  sigaction(SIGTSTP, &ignored, &stop_before);
  // A shell without job control ignores the signal, because nothing could continue the process.
  if (stop_before.sa_handler == SIG_IGN) return;
  // SIGCONT continues a process even if it is ignored. If it were caught, it would be reported
  // later, although this function already returns when the process continues.
  sigaction(SIGCONT, &ignored, &continue_before);
  kill(0, SIGTSTP);
  // If another thread blocks the signal at this moment, the signal stays pending and would stop the
  // process a second time. This call discards it.
  sigaction(SIGTSTP, &ignored, NULL);
  act_by_default(SIGTSTP);
  sigaction(SIGCONT, &continue_before, NULL);
  sigaction(SIGTSTP, &stop_before, NULL);
}
