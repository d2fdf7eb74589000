#define _GNU_SOURCE
#include "OtherProcess.h"

#if defined(__linux__) && !defined(__ANDROID__) && defined(__x86_64__)
#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <unistd.h>

typedef struct user_regs_struct registers;

_Static_assert(sizeof(registers) <= sizeof(((struct inspection_rest *)0)->registers),
               "inspection_rest has too few registers");

/// The segment of 64-bit code (`__USER_CS` in the kernel). Other code has other system calls.
static const unsigned long code_segment = 0x33;
/// The instruction that makes a system call, and the number of its bytes.
static const unsigned long call_instruction = 0x050F;
enum { call_size = 2 };
/// The results of calls that the kernel makes again after a signal (`linux/errno.h`).
enum { first_restart = -516, last_restart = -512 };
/// The maximum number of parts of a call (`UIO_MAXIOV` in the kernel).
enum { most_parts = 1024 };

static bool read_all(pid_t thread, registers *found) {
  struct iovec io = {found, sizeof *found};
  return ptrace(PTRACE_GETREGSET, thread, NT_PRSTATUS, &io) == 0;
}

static bool write_all(pid_t thread, registers *wanted) {
  struct iovec io = {wanted, sizeof *wanted};
  return ptrace(PTRACE_SETREGSET, thread, NT_PRSTATUS, &io) == 0;
}

static bool copy(pid_t thread, unsigned long address, void *target, size_t size) {
  const struct iovec to = {target, size}, from = {(void *)address, size};
  return process_vm_readv(thread, &to, 1, &from, 1, 0) == (ssize_t)size;
}

static mode_t file_mode(pid_t thread, unsigned long file, dev_t *device) {
  char path[64];
  struct stat status;
  snprintf(path, sizeof path, "/proc/%d/fd/%d", (int)thread, (int)file);
  if (stat(path, &status) != 0) return 0;
  *device = status.st_rdev;
  return status.st_mode;
}

/// Returns whether a file takes everything that is written to it, unless it doesn't wait. A part
/// that a driver doesn't take can have a meaning.
static bool takes_all(pid_t thread, unsigned long file) {
  dev_t device = 0;
  const mode_t mode = file_mode(thread, file, &device);
  // The numbers of terminals, consoles and serial lines (`devices.txt` in the kernel).
  const unsigned kind = major(device);
  return S_ISFIFO(mode) || S_ISSOCK(mode)
         || (S_ISCHR(mode) && (kind == 4 || kind == 5 || (kind >= 136 && kind <= 143)));
}

static bool is_kind(pid_t thread, unsigned long file, mode_t kind) {
  dev_t device = 0;
  return (file_mode(thread, file, &device) & S_IFMT) == kind;
}

/// Returns whether a pipe has data, so that moving it doesn't wait for any.
static bool has_data(pid_t thread, unsigned long file) {
  if (!is_kind(thread, file, S_IFIFO)) return false;
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/status", (int)thread);
  FILE *const status = fopen(path, "re");
  if (!status) return false;
  int process = 0;
  while (fgets(path, sizeof path, status) && sscanf(path, "Tgid: %d", &process) != 1) {}
  fclose(status);
  const int handle = (int)syscall(SYS_pidfd_open, process, 0);
  if (handle < 0) return false;
  const int pipe = (int)syscall(SYS_pidfd_getfd, handle, (int)file, 0);
  close(handle);
  int count = 0;
  const bool has = pipe >= 0 && ioctl(pipe, FIONREAD, &count) == 0 && count > 0;
  if (pipe >= 0) close(pipe);
  return has;
}

/// Returns whether a call that ends early can only have been shortened by a signal, or doesn't wait
/// for more if it is made again.
static bool can_be_continued(pid_t thread, const registers *call) {
  struct msghdr message;
  switch (call->orig_rax) {
  case SYS_write:
  case SYS_writev:
  case SYS_sendto:
  case SYS_sendmsg:
    return takes_all(thread, call->rdi);
  case SYS_sendfile:
    return takes_all(thread, call->rdi) && is_kind(thread, call->rsi, S_IFREG);
  case SYS_splice:
    return has_data(thread, call->rdi);
  case SYS_recvfrom:
    return (call->r10 & (MSG_WAITALL | MSG_PEEK | MSG_TRUNC)) == MSG_WAITALL;
  case SYS_recvmsg:
    return (call->rdx & (MSG_WAITALL | MSG_PEEK | MSG_TRUNC)) == MSG_WAITALL
           && copy(thread, call->rsi, &message, sizeof message) && !message.msg_control;
  case SYS_getrandom:
    return true;
  default:
    return false;
  }
}

/// Finds the first part of memory that a call hasn't transferred. Returns false if there is none.
static bool next_part(pid_t thread, unsigned long list, unsigned long count, uint64_t done,
                      struct iovec *part) {
  struct iovec parts[most_parts];
  if (count > most_parts || !copy(thread, list, parts, count * sizeof *parts)) return false;
  for (unsigned long index = 0; index < count; index++) {
    if (done < parts[index].iov_len) {
      part->iov_base = (char *)parts[index].iov_base + done;
      part->iov_len = parts[index].iov_len - done;
      return true;
    }
    done -= parts[index].iov_len;
  }
  return false;
}

/// Sets the registers of the call that transfers what is missing, or the next part of it. Returns
/// the number of bytes of that part, or 0 if nothing is missing.
static uint64_t prepare(pid_t thread, const registers *first, uint64_t done, registers *next) {
  struct iovec part = {0};
  struct msghdr message;
  *next = *first;
  next->rip -= call_size;
  next->rax = first->orig_rax;
  // The thread makes no call now, so the kernel doesn't make it again by itself.
  next->orig_rax = (unsigned long long)-1;
  switch (first->orig_rax) {
  case SYS_write:
  case SYS_sendto:
  case SYS_recvfrom:
    if (done >= first->rdx) return 0;
    part = (struct iovec){(void *)(first->rsi + done), first->rdx - done};
    break;
  case SYS_getrandom:
    if (done >= first->rsi) return 0;
    next->rdi += done;
    return next->rsi -= done;
  case SYS_sendfile:
    return done < first->r10 ? (next->r10 -= done) : 0;
  case SYS_splice:
    return done < first->r8 ? (next->r8 -= done) : 0;
  case SYS_writev:
    if (!next_part(thread, first->rsi, first->rdx, done, &part)) return 0;
    next->rax = SYS_write;
    break;
  case SYS_sendmsg:
  case SYS_recvmsg:
    if (!copy(thread, first->rsi, &message, sizeof message)
        || !next_part(thread, (unsigned long)message.msg_iov, message.msg_iovlen, done, &part)) {
      return 0;
    }
    next->rax = first->orig_rax == SYS_sendmsg ? SYS_sendto : SYS_recvfrom;
    next->r10 = first->rdx;
    next->r8 = next->r9 = 0;
    break;
  }
  if (next->rax == SYS_write && is_kind(thread, first->rdi, S_IFSOCK)) {
    next->rax = SYS_sendto;
    next->r10 = next->r8 = next->r9 = 0;
  }
  // After the first part, a call doesn't cause SIGPIPE if the other end was closed.
  if (next->rax == SYS_sendto) next->r10 |= MSG_NOSIGNAL;
  next->rsi = (unsigned long)part.iov_base;
  return next->rdx = part.iov_len;
}

bool inspection_begin_rest(pid_t thread, struct inspection_rest *rest) {
  registers first, next;
  if (!read_all(thread, &first) || first.cs != code_segment || (long)first.orig_rax < 0
      || (long)first.rax <= 0 || !can_be_continued(thread, &first)
      || ((unsigned long)ptrace(PTRACE_PEEKTEXT, thread, first.rip - call_size, 0) & 0xFFFF)
             != call_instruction) {
    return false;
  }
  rest->done = first.rax;
  rest->part = prepare(thread, &first, rest->done, &next);
  rest->is_made = false;
  memcpy(rest->registers, &first, sizeof first);
  return rest->part > 0 && write_all(thread, &next);
}

void inspection_end_rest(pid_t thread, const struct inspection_rest *rest) {
  registers result;
  memcpy(&result, rest->registers, sizeof result);
  result.rax = rest->done;
  write_all(thread, &result);
}

bool inspection_continue_rest(pid_t thread, struct inspection_rest *rest) {
  registers first, found, next;
  rest->is_made = !rest->is_made;
  if (rest->is_made) return true;
  memcpy(&first, rest->registers, sizeof first);
  const long count = read_all(thread, &found) ? (long)found.rax : -1;
  // Another signal has come before anything was transferred.
  if (count >= first_restart && count <= last_restart) return true;
  if (count > 0) rest->done += (uint64_t)count;
  // The kernel doesn't make a call with a time limit again.
  const bool goes_on = count == -EINTR || (count > 0 && (uint64_t)count == rest->part);
  rest->part = goes_on ? prepare(thread, &first, rest->done, &next) : 0;
  if (rest->part > 0 && write_all(thread, &next)) return true;
  inspection_end_rest(thread, rest);
  return false;
}

void inspection_continue_to_call(pid_t thread, int signal) {
  ptrace(PTRACE_SYSCALL, thread, 0, signal);
}
#else
bool inspection_begin_rest(int32_t thread, struct inspection_rest *rest) {
  (void)thread, (void)rest;
  return false;
}

void inspection_end_rest(int32_t thread, const struct inspection_rest *rest) {
  (void)thread, (void)rest;
}

bool inspection_continue_rest(int32_t thread, struct inspection_rest *rest) {
  (void)thread, (void)rest;
  return false;
}

void inspection_continue_to_call(int32_t thread, int signal) { (void)thread, (void)signal; }
#endif
