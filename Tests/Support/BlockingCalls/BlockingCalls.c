#define _GNU_SOURCE
#include "BlockingCalls.h"

#if defined(__linux__)
#include <errno.h>
#include <fcntl.h>
#include <linux/aio_abi.h>
#include <linux/futex.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <pty.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

/// More bytes than fit into any pipe, socket or terminal here.
enum { many = 4 * 1024 * 1024, some = 1000 };

/// The time limit of calls that another thread ends much earlier, in seconds.
enum { long_time = 100 };

/// The time limit of calls that end by themselves, in seconds.
static const struct timespec short_time = {2, 0};

struct call;

/// A kind of call.
struct kind {
  const char *name;
  /// Prepares the call. Returns false if that isn't possible here.
  bool (*prepare)(struct call *call);
  long (*make)(struct call *call);
  /// Lets the call finish.
  void (*finish)(struct call *call);
  /// Whether the call returns what it has done so far if the process is traced and gets a signal
  /// that it ignores.
  bool is_shortened;
};

/// On other processors, calls aren't continued.
#if defined(__x86_64__)
enum { is_part = false };
#else
enum { is_part = true };
#endif

/// A call, what it uses, and its result.
struct call {
  const struct kind *kind;
  /// The file that the call uses, and the other end.
  int file, other;
  int queue;
  unsigned long context;
  char path[64];
  char *memory;
  _Atomic int word;
  pid_t child;
  pthread_t thread;
  _Atomic pid_t number;
  long result;
  int error;
  _Atomic bool is_done;
};

// Pairs of files.

static bool make_pipe(struct call *call) {
  int ends[2];
  if (pipe(ends) != 0) return false;
  call->file = ends[0];
  call->other = ends[1];
  return true;
}

static bool make_full_pipe(struct call *call) {
  if (!make_pipe(call)) return false;
  const int end = call->file;
  call->file = call->other;
  call->other = end;
  return true;
}

static bool make_sockets(struct call *call) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) return false;
  call->file = ends[0];
  call->other = ends[1];
  return true;
}

static bool limit_socket(struct call *call, int option) {
  const struct timeval limit = {long_time, 0};
  return setsockopt(call->file, SOL_SOCKET, option, &limit, sizeof limit) == 0;
}

static bool make_limited_sockets(struct call *call) {
  return make_sockets(call) && limit_socket(call, SO_RCVTIMEO) && limit_socket(call, SO_SNDTIMEO);
}

static bool make_sockets_for_pieces(struct call *call) {
  const int least = some;
  return make_sockets(call)
         && setsockopt(call->file, SOL_SOCKET, SO_RCVLOWAT, &least, sizeof least) == 0
         && write(call->other, call->memory, some / 2) == some / 2;
}

static bool make_half_read_sockets(struct call *call) {
  return make_sockets(call) && write(call->other, call->memory, some / 2) == some / 2;
}

/// Makes a socket of the Internet that listens on this machine only.
static bool make_tcp_sockets(struct call *call) {
  const int server = socket(AF_INET, SOCK_STREAM, 0);
  const int client = socket(AF_INET, SOCK_STREAM, 0);
  struct sockaddr_in address = {.sin_family = AF_INET};
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  if (bind(server, (struct sockaddr *)&address, size) != 0 || listen(server, 1) != 0
      || getsockname(server, (struct sockaddr *)&address, &size) != 0
      || connect(client, (struct sockaddr *)&address, size) != 0) {
    return false;
  }
  call->file = client;
  call->other = accept(server, NULL, NULL);
  close(server);
  return call->other >= 0;
}

static bool make_half_read_tcp_sockets(struct call *call) {
  return make_tcp_sockets(call) && write(call->other, call->memory, some / 2) == some / 2;
}

static struct sockaddr_un local_address(const struct call *call) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  // The first byte is 0, so the name isn't one of a file.
  snprintf(address.sun_path + 1, sizeof address.sun_path - 1, "%s-%d", call->kind->name,
           (int)getpid());
  return address;
}

static bool make_listener(struct call *call) {
  const struct sockaddr_un address = local_address(call);
  call->file = socket(AF_UNIX, SOCK_STREAM, 0);
  return bind(call->file, (const struct sockaddr *)&address, sizeof address) == 0
         && listen(call->file, 0) == 0;
}

static bool make_limited_listener(struct call *call) {
  return make_listener(call) && limit_socket(call, SO_RCVTIMEO);
}

/// Makes a socket that can't connect until another connection has been accepted.
static bool make_waiting_client(struct call *call) {
  if (!make_listener(call)) return false;
  const struct sockaddr_un address = local_address(call);
  const int first = socket(AF_UNIX, SOCK_STREAM, 0);
  if (connect(first, (const struct sockaddr *)&address, sizeof address) != 0) return false;
  call->other = call->file;
  call->file = socket(AF_UNIX, SOCK_STREAM, 0);
  return true;
}

static bool make_limited_client(struct call *call) {
  return make_waiting_client(call) && limit_socket(call, SO_SNDTIMEO);
}

static bool make_terminal(struct call *call) {
  struct termios mode;
  if (openpty(&call->other, &call->file, NULL, NULL, NULL) != 0
      || tcgetattr(call->file, &mode) != 0) {
    return false;
  }
  cfmakeraw(&mode);
  mode.c_cc[VMIN] = 50;
  return tcsetattr(call->file, TCSANOW, &mode) == 0 && write(call->other, call->memory, 25) == 25;
}

static bool make_epoll(struct call *call) {
  if (!make_pipe(call)) return false;
  struct epoll_event event = {.events = EPOLLIN};
  call->queue = epoll_create1(0);
  return epoll_ctl(call->queue, EPOLL_CTL_ADD, call->file, &event) == 0;
}

static bool make_messages(struct call *call) {
  call->queue = msgget(IPC_PRIVATE, 0600);
  return call->queue >= 0;
}

static bool make_full_messages(struct call *call) {
  if (!make_messages(call)) return false;
  *(long *)call->memory = 1;
  while (msgsnd(call->queue, call->memory, some, IPC_NOWAIT) == 0) {}
  return true;
}

static bool make_semaphore(struct call *call) {
  call->queue = semget(IPC_PRIVATE, 1, 0600);
  return call->queue >= 0;
}

static bool make_events(struct call *call) {
  call->file = eventfd(0, 0);
  return call->file >= 0;
}

static bool make_asynchronous_read(struct call *call) {
  if (syscall(SYS_io_setup, 1, &call->context) != 0 || !make_events(call)) return false;
  struct iocb request = {
      .aio_lio_opcode = IOCB_CMD_POLL, .aio_fildes = (unsigned)call->file, .aio_buf = POLLIN};
  struct iocb *requests[] = {&request};
  return syscall(SYS_io_submit, call->context, 1, requests) == 1;
}

static bool make_file(struct call *call) {
  snprintf(call->path, sizeof call->path, "/tmp/blocking-calls-%d-XXXXXX", (int)getpid());
  call->file = mkstemp(call->path);
  call->other = open(call->path, O_RDWR | O_CLOEXEC);
  unlink(call->path);
  return call->file >= 0 && call->other >= 0;
}

static bool make_locked_file(struct call *call) {
  return make_file(call) && flock(call->other, LOCK_EX) == 0;
}

static struct flock whole_file(void) { return (struct flock){.l_type = F_WRLCK}; }

static bool make_locked_range(struct call *call) {
  struct flock range = whole_file();
  return make_file(call) && fcntl(call->other, F_OFD_SETLK, &range) == 0;
}

static bool make_large_file(struct call *call) {
  if (!make_sockets(call)) return false;
  struct call file = {.kind = call->kind};
  if (!make_file(&file)) return false;
  call->queue = file.file;
  close(file.other);
  return write(call->queue, call->memory, many) == many && lseek(call->queue, 0, SEEK_SET) == 0;
}

static bool make_pipe_to_socket(struct call *call) {
  if (!make_sockets(call)) return false;
  struct call source = {.kind = call->kind};
  if (!make_pipe(&source)) return false;
  call->queue = source.file;
  call->context = (unsigned long)source.other;
  return fcntl(source.other, F_SETPIPE_SZ, 1024 * 1024) > 0
         && write(source.other, call->memory, 512 * 1024) == 512 * 1024;
}

static bool make_named_pipe(struct call *call) {
  snprintf(call->path, sizeof call->path, "/tmp/blocking-calls-%d-%s", (int)getpid(),
           call->kind->name);
  return mkfifo(call->path, 0600) == 0;
}

static bool make_child(struct call *call) {
  if (!make_pipe(call)) return false;
  call->child = fork();
  if (call->child == 0) {
    char byte;
    close(call->other);
    while (read(call->file, &byte, 1) < 0) {}
    _exit(7);
  }
  return call->child > 0;
}

static bool make_nothing(struct call *call) {
  (void)call;
  return true;
}

// What lets the calls finish.

static void finish_nothing(struct call *call) { (void)call; }

static void write_one(struct call *call) {
  if (write(call->other, call->memory, 1) != 1) abort();
}

static void write_rest(struct call *call) {
  if (write(call->other, call->memory, some - some / 2) != some - some / 2) abort();
}

static void write_terminal(struct call *call) {
  if (write(call->other, call->memory, 25) != 25) abort();
}

/// Reads until the call has ended, and a bit more.
static void read_all(struct call *call) {
  char *const memory = malloc(many);
  fcntl(call->other, F_SETFL, O_NONBLOCK);
  while (!call->is_done) {
    if (read(call->other, memory, many) <= 0) sched_yield();
  }
  free(memory);
}

static void connect_client(struct call *call) {
  const struct sockaddr_un address = local_address(call);
  const int client = socket(AF_UNIX, SOCK_STREAM, 0);
  if (connect(client, (const struct sockaddr *)&address, sizeof address) != 0) abort();
}

static void accept_client(struct call *call) {
  while (!call->is_done) {
    struct pollfd listener = {call->other, POLLIN, 0};
    if (poll(&listener, 1, 1) == 1) accept(call->other, NULL, NULL);
  }
}

static void send_message(struct call *call) {
  *(long *)call->memory = 1;
  if (msgsnd(call->queue, call->memory, some, 0) != 0) abort();
}

static void receive_message(struct call *call) {
  char memory[some + sizeof(long)];
  while (!call->is_done && msgrcv(call->queue, memory, some, 0, IPC_NOWAIT) >= 0) {}
}

static void release_semaphore(struct call *call) {
  struct sembuf operation = {0, 1, 0};
  if (semop(call->queue, &operation, 1) != 0) abort();
}

static void add_event(struct call *call) {
  const uint64_t one = 1;
  if (write(call->file, &one, sizeof one) != sizeof one) abort();
}

static void release_file(struct call *call) { flock(call->other, LOCK_UN); }

static void release_range(struct call *call) {
  struct flock range = {.l_type = F_UNLCK};
  fcntl(call->other, F_OFD_SETLK, &range);
}

static void open_other_end(struct call *call) {
  call->other = open(call->path, O_WRONLY);
  unlink(call->path);
}

static void wake(struct call *call) {
  call->word = 1;
  syscall(SYS_futex, &call->word, FUTEX_WAKE, 1, NULL, NULL, 0);
}

static void send_signal(struct call *call) { pthread_kill(call->thread, SIGUSR1); }
static void send_handled_signal(struct call *call) { pthread_kill(call->thread, SIGUSR2); }

// The calls.

static long call_read(struct call *call) { return read(call->file, call->memory, some); }

static long call_readv(struct call *call) {
  const struct iovec parts[] = {{call->memory, 10}, {call->memory + 10, some}};
  return readv(call->file, parts, 2);
}

static long call_write(struct call *call) { return write(call->file, call->memory, many); }

static long call_writev(struct call *call) {
  const struct iovec parts[] = {{call->memory, some}, {call->memory + some, many - some}};
  return writev(call->file, parts, 2);
}

static long call_recv(struct call *call) { return recv(call->file, call->memory, some, 0); }

static long call_recv_all(struct call *call) {
  return recv(call->file, call->memory, some, MSG_WAITALL);
}

static long call_recvmsg(struct call *call) {
  struct iovec part = {call->memory, some};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
  return recvmsg(call->file, &message, 0);
}

static long call_recvmsg_all(struct call *call) {
  struct iovec part = {call->memory, some};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
  return recvmsg(call->file, &message, MSG_WAITALL);
}

static long call_recvmmsg(struct call *call) {
  struct iovec part = {call->memory, some};
  struct mmsghdr message = {.msg_hdr = {.msg_iov = &part, .msg_iovlen = 1}};
  return recvmmsg(call->file, &message, 1, MSG_WAITALL, NULL);
}

static long call_send(struct call *call) { return send(call->file, call->memory, many, 0); }

static long call_sendmsg(struct call *call) {
  struct iovec part = {call->memory, many};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
  return sendmsg(call->file, &message, 0);
}

static long call_sendmmsg(struct call *call) {
  struct iovec part = {call->memory, many};
  struct mmsghdr message = {.msg_hdr = {.msg_iov = &part, .msg_iovlen = 1}};
  const int count = sendmmsg(call->file, &message, 1, 0);
  return count == 1 ? (long)message.msg_len : count;
}

static long call_sendfile(struct call *call) {
  return sendfile(call->file, call->queue, NULL, many);
}

static long call_splice(struct call *call) {
  return splice(call->queue, NULL, call->file, NULL, 512 * 1024, 0);
}

static long call_accept(struct call *call) { return accept(call->file, NULL, NULL) >= 0; }

static long call_connect(struct call *call) {
  const struct sockaddr_un address = local_address(call);
  return connect(call->file, (const struct sockaddr *)&address, sizeof address);
}

static long call_epoll_wait(struct call *call) {
  struct epoll_event event;
  return epoll_wait(call->queue, &event, 1, long_time * 1000);
}

static long call_epoll_pwait(struct call *call) {
  struct epoll_event event;
  sigset_t none;
  sigemptyset(&none);
  return epoll_pwait(call->queue, &event, 1, long_time * 1000, &none);
}

static long call_epoll_timeout(struct call *call) {
  struct epoll_event event;
  return epoll_wait(call->queue, &event, 1, (int)short_time.tv_sec * 1000);
}

static long call_poll(struct call *call) {
  struct pollfd file = {call->file, POLLIN, 0};
  return poll(&file, 1, long_time * 1000);
}

static long call_poll_timeout(struct call *call) {
  struct pollfd file = {call->file, POLLIN, 0};
  return poll(&file, 1, (int)short_time.tv_sec * 1000);
}

static long call_ppoll(struct call *call) {
  struct pollfd file = {call->file, POLLIN, 0};
  const struct timespec limit = {long_time, 0};
  return ppoll(&file, 1, &limit, NULL);
}

static long call_select(struct call *call) {
  fd_set files;
  FD_ZERO(&files);
  FD_SET(call->file, &files);
  struct timeval limit = {long_time, 0};
  return select(call->file + 1, &files, NULL, NULL, &limit);
}

static long call_pselect(struct call *call) {
  fd_set files;
  FD_ZERO(&files);
  FD_SET(call->file, &files);
  const struct timespec limit = {long_time, 0};
  return pselect(call->file + 1, &files, NULL, NULL, &limit, NULL);
}

/// Returns 1 if the time has passed, not much more, and the call has succeeded.
static long passed(long result, struct timespec start) {
  struct timespec end;
  clock_gettime(CLOCK_MONOTONIC, &end);
  const double time =
      (double)(end.tv_sec - start.tv_sec) + (double)(end.tv_nsec - start.tv_nsec) / 1e9;
  const double wanted = (double)short_time.tv_sec;
  return result == 0 ? time >= wanted && time < wanted + 1.5 : -1;
}

static long call_nanosleep(struct call *call) {
  (void)call;
  struct timespec start;
  clock_gettime(CLOCK_MONOTONIC, &start);
  return passed(nanosleep(&short_time, NULL), start);
}

static long call_clock_nanosleep(struct call *call) {
  (void)call;
  struct timespec start;
  clock_gettime(CLOCK_MONOTONIC, &start);
  errno = clock_nanosleep(CLOCK_MONOTONIC, 0, &short_time, NULL);
  return passed(errno ? -1 : 0, start);
}

static long call_clock_nanosleep_until(struct call *call) {
  (void)call;
  struct timespec start;
  clock_gettime(CLOCK_MONOTONIC, &start);
  struct timespec end = {start.tv_sec + short_time.tv_sec, start.tv_nsec};
  errno = clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &end, NULL);
  return passed(errno ? -1 : 0, start);
}

static long call_futex(struct call *call) {
  const struct timespec limit = {long_time, 0};
  return syscall(SYS_futex, &call->word, FUTEX_WAIT, 0, &limit, NULL, 0);
}

static long call_futex_timeout(struct call *call) {
  struct timespec start;
  clock_gettime(CLOCK_MONOTONIC, &start);
  const long result = syscall(SYS_futex, &call->word, FUTEX_WAIT, 0, &short_time, NULL, 0);
  return passed(result == -1 && errno == ETIMEDOUT ? 0 : -1, start);
}

static long call_msgrcv(struct call *call) {
  return msgrcv(call->queue, call->memory, some, 0, 0);
}

static long call_msgsnd(struct call *call) {
  *(long *)call->memory = 1;
  return msgsnd(call->queue, call->memory, some, 0);
}

static long call_semop(struct call *call) {
  struct sembuf operation = {0, -1, 0};
  return semop(call->queue, &operation, 1);
}

static long call_semtimedop(struct call *call) {
  struct sembuf operation = {0, -1, 0};
  const struct timespec limit = {long_time, 0};
  return semtimedop(call->queue, &operation, 1, &limit);
}

static sigset_t user_signal(void) {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGUSR1);
  return signals;
}

static long call_sigwaitinfo(struct call *call) {
  (void)call;
  const sigset_t signals = user_signal();
  return sigwaitinfo(&signals, NULL) == SIGUSR1;
}

static long call_sigtimedwait(struct call *call) {
  (void)call;
  const sigset_t signals = user_signal();
  const struct timespec limit = {long_time, 0};
  return sigtimedwait(&signals, NULL, &limit) == SIGUSR1;
}

static long call_sigtimedwait_timeout(struct call *call) {
  (void)call;
  const sigset_t signals = user_signal();
  return sigtimedwait(&signals, NULL, &short_time);
}

static _Thread_local volatile sig_atomic_t handled;
static void note_signal(int signal) {
  (void)signal;
  handled = 1;
}

/// Returns 1 if the call ended because of the signal.
static long call_pause(struct call *call) {
  (void)call;
  pause();
  return handled;
}

static long call_sigsuspend(struct call *call) {
  (void)call;
  sigset_t blocked;
  pthread_sigmask(SIG_SETMASK, NULL, &blocked);
  sigsuspend(&blocked);
  return handled;
}

static long call_io_getevents(struct call *call) {
  struct io_event event;
  return syscall(SYS_io_getevents, call->context, 1, 1, &event, NULL);
}

static long call_flock(struct call *call) { return flock(call->file, LOCK_EX); }

static long call_fcntl(struct call *call) {
  struct flock range = whole_file();
  return fcntl(call->file, F_OFD_SETLKW, &range);
}

static long call_open(struct call *call) { return open(call->path, O_RDONLY) >= 0; }

static long call_read_events(struct call *call) { return read(call->file, call->memory, 8); }

static long call_wait4(struct call *call) {
  int status = 0;
  return waitpid(call->child, &status, 0) == call->child && WEXITSTATUS(status) == 7;
}

static long call_waitid(struct call *call) {
  siginfo_t found = {0};
  return waitid(P_PID, (id_t)call->child, &found, WEXITED) == 0 && found.si_status == 7;
}

static const struct kind kinds[] = {
    {"read-pipe", make_pipe, call_read, write_one, false},
    {"readv-pipe", make_pipe, call_readv, write_one, false},
    {"read-eventfd", make_events, call_read_events, add_event, false},
    {"read-socket", make_sockets, call_read, write_one, false},
    {"read-limited-socket", make_limited_sockets, call_read, write_one, false},
    {"read-terminal", make_terminal, call_read, write_terminal, true},
    {"write-pipe", make_full_pipe, call_write, read_all, is_part},
    {"writev-pipe", make_full_pipe, call_writev, read_all, is_part},
    {"write-socket", make_sockets, call_write, read_all, is_part},
    {"write-terminal", make_terminal, call_write, read_all, is_part},
    {"recv", make_sockets, call_recv, write_one, false},
    {"recv-limited", make_limited_sockets, call_recv, write_one, false},
    {"recv-low-mark", make_sockets_for_pieces, call_recv, write_rest, true},
    {"recv-all", make_half_read_sockets, call_recv_all, write_rest, is_part},
    {"recv-all-tcp", make_half_read_tcp_sockets, call_recv_all, write_rest, is_part},
    {"recvmsg", make_sockets, call_recvmsg, write_one, false},
    {"recvmsg-all", make_half_read_sockets, call_recvmsg_all, write_rest, is_part},
    {"recvmmsg-all", make_half_read_sockets, call_recvmmsg, write_rest, true},
    {"send", make_sockets, call_send, read_all, is_part},
    {"send-tcp", make_tcp_sockets, call_send, read_all, is_part},
    {"send-limited", make_limited_sockets, call_send, read_all, is_part},
    {"sendmsg", make_sockets, call_sendmsg, read_all, is_part},
    {"sendmmsg", make_sockets, call_sendmmsg, read_all, true},
    {"sendfile", make_large_file, call_sendfile, read_all, is_part},
    {"splice", make_pipe_to_socket, call_splice, read_all, is_part},
    {"writev-socket", make_sockets, call_writev, read_all, is_part},
    {"accept", make_listener, call_accept, connect_client, false},
    {"accept-limited", make_limited_listener, call_accept, connect_client, false},
    {"connect", make_waiting_client, call_connect, accept_client, false},
    {"connect-limited", make_limited_client, call_connect, accept_client, false},
    {"epoll_wait", make_epoll, call_epoll_wait, write_one, false},
    {"epoll_wait-timeout", make_epoll, call_epoll_timeout, finish_nothing, false},
    {"epoll_pwait", make_epoll, call_epoll_pwait, write_one, false},
    {"poll", make_pipe, call_poll, write_one, false},
    {"poll-timeout", make_pipe, call_poll_timeout, finish_nothing, false},
    {"ppoll", make_pipe, call_ppoll, write_one, false},
    {"select", make_pipe, call_select, write_one, false},
    {"pselect", make_pipe, call_pselect, write_one, false},
    {"nanosleep", make_nothing, call_nanosleep, finish_nothing, false},
    {"clock_nanosleep", make_nothing, call_clock_nanosleep, finish_nothing, false},
    {"clock_nanosleep-until", make_nothing, call_clock_nanosleep_until, finish_nothing, false},
    {"futex", make_nothing, call_futex, wake, false},
    {"futex-timeout", make_nothing, call_futex_timeout, finish_nothing, false},
    {"msgrcv", make_messages, call_msgrcv, send_message, false},
    {"msgsnd", make_full_messages, call_msgsnd, receive_message, false},
    {"semop", make_semaphore, call_semop, release_semaphore, false},
    {"semtimedop", make_semaphore, call_semtimedop, release_semaphore, false},
    {"sigwaitinfo", make_nothing, call_sigwaitinfo, send_signal, false},
    {"sigtimedwait", make_nothing, call_sigtimedwait, send_signal, false},
    {"sigtimedwait-timeout", make_nothing, call_sigtimedwait_timeout, finish_nothing, false},
    {"pause", make_nothing, call_pause, send_handled_signal, false},
    {"sigsuspend", make_nothing, call_sigsuspend, send_handled_signal, false},
    {"io_getevents", make_asynchronous_read, call_io_getevents, add_event, false},
    {"flock", make_locked_file, call_flock, release_file, false},
    {"fcntl", make_locked_range, call_fcntl, release_range, false},
    {"open", make_named_pipe, call_open, open_other_end, false},
    {"wait4", make_child, call_wait4, write_one, false},
    {"waitid", make_child, call_waitid, write_one, false},
};

enum { count = sizeof kinds / sizeof kinds[0] };

static void *run(void *context) {
  struct call *const call = context;
  call->number = (pid_t)syscall(SYS_gettid);
  errno = 0;
  call->result = call->kind->make(call);
  call->error = call->result == -1 ? errno : 0;
  call->is_done = true;
  return NULL;
}

/// Returns whether a thread waits in a system call.
static bool is_waiting(pid_t thread) {
  char path[64], text[512];
  snprintf(path, sizeof path, "/proc/self/task/%d/stat", (int)thread);
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  const ssize_t size = read(file, text, sizeof text - 1);
  close(file);
  text[size > 0 ? size : 0] = 0;
  const char *const end = strrchr(text, ')');
  return end && end[1] == ' ' && end[2] == 'S';
}

static void wait_until_waiting(struct call *call) {
  while (!call->is_done && (!call->number || !is_waiting(call->number))) sched_yield();
}

static void print(const char *text) {
  if (write(STDOUT_FILENO, text, strlen(text)) < 0) abort();
}

bool blocking_calls_make(const char *name) {
  const sigset_t blocked = user_signal();
  pthread_sigmask(SIG_BLOCK, &blocked, NULL);
  const struct sigaction action = {.sa_handler = note_signal};
  sigaction(SIGUSR2, &action, NULL);
  signal(SIGPIPE, SIG_IGN);
  struct call *wanted[count];
  int size = 0;
  for (int index = 0; index < count; index++) {
    if (name && strcmp(name, kinds[index].name) != 0) continue;
    struct call *const call = calloc(1, sizeof *call);
    call->kind = &kinds[index];
    call->memory = calloc(1, many + sizeof(long));
    if (!call->kind->prepare(call)) {
      fprintf(stderr, "%s: %s\n", call->kind->name, strerror(errno));
      return false;
    }
    wanted[size++] = call;
  }
  for (int index = 0; index < size; index++) {
    if (pthread_create(&wanted[index]->thread, NULL, run, wanted[index]) != 0) return false;
  }
  const int signals[] = {SIGWINCH, SIGURG, SIGPIPE};
  for (int signal = 0; signal < 3; signal++) {
    for (int index = 0; index < size; index++) wait_until_waiting(wanted[index]);
    for (int index = 0; index < size; index++) {
      if (wanted[index]->is_done || wanted[index]->kind->is_shortened) continue;
      pthread_kill(wanted[index]->thread, signals[signal]);
    }
  }
  const pid_t child = fork();
  if (child == 0) _exit(0);
  waitpid(child, NULL, 0);
  for (int index = 0; index < size; index++) wait_until_waiting(wanted[index]);
  print("started\n");
  char byte;
  while (read(STDIN_FILENO, &byte, 1) < 0) {}
  for (int index = 0; index < size; index++) {
    struct call *const call = wanted[index];
    call->kind->finish(call);
    pthread_join(call->thread, NULL);
    char line[128];
    snprintf(line, sizeof line, "%s %ld %s\n", call->kind->name, call->result,
             call->error ? strerror(call->error) : "-");
    print(line);
    if (call->queue) {
      if (call->kind->prepare == make_messages || call->kind->prepare == make_full_messages) {
        msgctl(call->queue, IPC_RMID, NULL);
      } else if (call->kind->prepare == make_semaphore) {
        semctl(call->queue, 0, IPC_RMID);
      }
    }
    free(call->memory);
    free(call);
  }
  return size > 0;
}

/// Both ends of a pipe.
static int drained[2];
static atomic_bool is_over;

static void *drain(void *memory) {
  while (read(drained[0], memory, 65536) > 0) {}
  return NULL;
}

static void *fill(void *memory) {
  long incomplete = 0;
  while (!is_over) incomplete += write(drained[1], memory, many) != many;
  close(drained[1]);
  return (void *)incomplete;
}

long blocking_calls_write_drained(void) {
  pthread_t reader, writer;
  void *const memory = calloc(1, many), *const room = malloc(65536);
  if (!memory || !room || pipe(drained) != 0 || pthread_create(&reader, NULL, drain, room) != 0
      || pthread_create(&writer, NULL, fill, memory) != 0) {
    return -1;
  }
  print("started\n");
  char byte;
  while (read(STDIN_FILENO, &byte, 1) < 0) {}
  is_over = true;
  void *incomplete;
  pthread_join(writer, &incomplete);
  pthread_join(reader, NULL);
  free(memory);
  free(room);
  return (long)incomplete;
}
#else
long blocking_calls_write_drained(void) { return -1; }

bool blocking_calls_make(const char *name) {
  (void)name;
  return false;
}
#endif
