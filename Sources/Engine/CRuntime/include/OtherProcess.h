#ifndef OTHER_PROCESS_H
#define OTHER_PROCESS_H

#include <stdbool.h>
#include <stdint.h>

/// The parts of reading another process that Swift can't express: `ptrace`, and the registers of a
/// thread.

enum {
  /// The number of registers that have a number in DWARF, without the program counter.
  inspection_register_count = 32,
  /// The size of the part of a stack that is copied while the thread is stopped.
  inspection_stack_size = 256 * 1024,
};

/// A thread to read, and what was read.
struct inspection_thread {
  int32_t thread;
  /// 0 if the registers and the stack were read, otherwise an error number. `ETIMEDOUT` means that
  /// the thread didn't stop in time, and `EBUSY` that a stop would change its system call.
  int error;
  /// The registers by their numbers in DWARF (System V ABI for x86-64, DWARF for the Arm 64-bit
  /// Architecture). On x86-64, only the first 16 are used.
  uint64_t registers[inspection_register_count];
  uint64_t pc;
  /// The number of the system call that the thread makes. On x86-64, it is negative if the thread
  /// makes none.
  long call;
  /// A copy of the stack from the stack pointer on, and the number of its bytes. The caller
  /// provides the memory, of `inspection_stack_size` bytes.
  void *stack;
  long stack_count;
};

/// Stops the threads of a process one after the other, reads their registers and stacks, and lets
/// each continue right afterward.
///
/// A thread doesn't get a signal, and a stopped process stays stopped. If this process ends in the
/// meantime, the system lets the thread continue.
///
/// Returns the time for which threads were stopped in total, in nanoseconds.
///
/// - Parameter limit: The maximum of that time. Threads for which no time is left have the error
///   `ETIMEDOUT`.
long inspection_read_threads(int32_t process, struct inspection_thread *threads, long count, long limit);

/// The values of a stopped thread that can be references.
struct inspection_registers {
  uint64_t values[inspection_register_count];
  uint64_t stack_pointer;
  /// The program counter if the thread makes a system call, otherwise 0.
  uint64_t call_pc;
};

/// Stops all threads of a process, calls a function, and lets them continue.
///
/// A thread whose system call would fail if it was stopped isn't stopped. Its stack pointer is known
/// to the kernel. The function is called on a thread of its own. If this process ends in the
/// meantime, the system lets the threads continue.
///
/// Returns 0, or the number of the error if a thread couldn't be stopped. In that case, the function
/// isn't called.
///
/// - Parameter stays: Returns whether a thread isn't stopped.
int inspection_with_stopped(int32_t process, bool (*stays)(void *context, int32_t thread),
                            void (*body)(void *context, const struct inspection_registers *threads,
                                         long count),
                            void *context);

/// Begins to trace a process and the processes and threads that it starts, so that they stop when
/// they begin, execute a program, or end. Returns 0 or the number of an error.
///
/// All functions about traced processes must be called on the same thread. If it ends, the system
/// lets all of them continue.
int inspection_trace(int32_t process);

/// Lets a stopped thread continue, with a signal or 0.
void inspection_continue(int32_t thread, int signal);

/// Lets a stopped thread make its system call again when it continues, if the call ended only because
/// of the stop.
void inspection_restart_call(int32_t thread);

/// A system call that returned less because of a signal, and is made again for the rest.
///
/// A traced process is interrupted by signals that it ignores, too. Then a call that has written or
/// received a part returns the size of this part. Without tracing, it would continue.
struct inspection_rest {
  /// The registers after the call.
  uint64_t registers[inspection_register_count];
  /// The number of bytes so far, and the number that the call that is made now transfers.
  uint64_t done, part;
  /// Whether the thread is in this call.
  bool is_made;
};

/// Prepares a stopped thread to make a call again for its rest. Returns false if its call wasn't
/// shortened, or if it isn't known how to continue it.
///
/// If the result is true, `inspection_continue_to_call` must let the thread continue.
bool inspection_begin_rest(int32_t thread, struct inspection_rest *rest);

/// Deals with the begin or the end of such a call. Returns true if `inspection_continue_to_call`
/// must let the thread continue, and false if the call is complete.
bool inspection_continue_rest(int32_t thread, struct inspection_rest *rest);

/// Lets the call of a stopped thread return what it has transferred so far.
void inspection_end_rest(int32_t thread, const struct inspection_rest *rest);

/// Lets a stopped thread continue, with a signal or 0, until its next system call begins or ends.
void inspection_continue_to_call(int32_t thread, int signal);

/// Returns whether a function such as `pthread_kill` sent the signal that has stopped a thread. The
/// system itself sends SIGPIPE like `kill` does.
bool inspection_signal_was_sent(int32_t thread);

/// Leaves a thread stopped by a signal for job control until it gets another one.
void inspection_listen(int32_t thread);

/// Stops tracing a stopped thread and lets it continue, with a signal or 0.
void inspection_release(int32_t thread, int signal);

/// Makes a traced thread stop.
void inspection_interrupt(int32_t thread);

/// The reasons why a traced thread stops.
enum inspection_stop {
  /// A signal is about to be delivered. `signal` must be passed on.
  inspection_stop_signal,
  /// A system call begins or ends, after `inspection_continue_to_call`.
  inspection_stop_call,
  /// The process was stopped for job control.
  inspection_stop_job,
  /// The thread is about to end.
  inspection_stop_exit,
  /// The process executes another program.
  inspection_stop_exec,
  /// A process or a thread that a traced one started has begun, or continues after a stop for job
  /// control.
  inspection_stop_begin,
  /// Anything else, after which the thread just continues.
  inspection_stop_other,
};

/// Returns the reason of a stop, given the status from `waitpid`.
enum inspection_stop inspection_reason(int status);

/// The end of a thread or of its process.
struct inspection_end {
  struct inspection_registers registers;
  /// The exit status of the thread, as `waitpid` reports it.
  int status;
  /// Whether the thread asked for the end of the whole process.
  bool is_of_process;
};

/// Reads a thread that is about to end. Returns false if that isn't possible.
bool inspection_read_end(int32_t thread, struct inspection_end *end);

/// Returns the number of threads of the process of a thread, or 0 if it isn't known. It includes a
/// first thread that has ended.
long inspection_thread_count(int32_t thread);

/// Returns whether a thread can be stopped without a change of what its system call returns.
///
/// Many calls fail with `EINTR` after a stop, even though the program has no signal handler
/// (signal(7), "Interruption of system calls and library functions by stop signals"). Others return
/// what they have written or read so far. So a call that isn't known to continue isn't stopped.
bool inspection_stop_is_harmless(int32_t process, int32_t thread);

/// The kinds of system calls in which a thread can wait.
enum inspection_wait {
  inspection_wait_other,
  inspection_wait_futex,
  inspection_wait_sleep,
  inspection_wait_child,
  inspection_wait_read,
  inspection_wait_write,
  inspection_wait_events,
  inspection_wait_file_lock,
  inspection_wait_message,
  inspection_wait_accept,
  inspection_wait_connect,
  inspection_wait_signal,
  /// Opens a file by its path, which is the first argument or, with a folder, the second one.
  inspection_wait_open,
  inspection_wait_open_at,
};

/// Returns what a system call waits for.
///
/// - Parameter argument: The second argument of the call.
enum inspection_wait inspection_wait_of(long system_call, unsigned long argument);

#endif
