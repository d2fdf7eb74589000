#ifndef COMMANDS_H
#define COMMANDS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/// The parts of running a command that Swift can't express: the sender of a signal, and the state
/// that a process inherits.

/// A signal that this process received while it runs a command.
typedef struct {
  int number;
  /// The process that sent the signal, or 0 if it isn't known.
  pid_t sender;
  /// Whether the kernel sent the signal, for example because of a key. Such a signal reaches the
  /// whole process group.
  bool is_from_kernel;
} process_signal;

/// Blocks the signals that a command should receive, and those that report that it has stopped or
/// ended. From here on, process_next_signal returns them. A signal that this process inherited as
/// ignored stays ignored, by the command too.
void process_hold_signals(void);

/// Waits for one of the held signals.
process_signal process_next_signal(void);

/// Waits for one of the held signals like process_next_signal, but at most for a time in
/// nanoseconds. The number is 0 if there was none.
process_signal process_next_signal_within(long time);

/// Makes this process inherit the processes whose parents end, so that they stay among its
/// descendants. Does nothing on systems other than Linux.
void process_adopt_orphans(void);

/// Discards the held signals that have arrived and weren't returned.
void process_forget_signals(void);

/// Waits for one of the held signals that request this process to end. Returns 0 if it inherited
/// all of them as ignored.
int process_next_deadly_signal(void);

/// Starts a program that inherits the original signal actions, the streams and everything else of
/// this process. Returns 0 or an error number.
///
/// On Linux, the program ignores SIGQUIT, because a key that sends it reaches the program too, and
/// means that this process should print a report.
///
/// The program's standard output and standard error are the descriptors `output` and `errors` of
/// this process.
int process_start(const char *path, char *const *arguments, char *const *environment,
                  int output, int errors, pid_t *process);

#ifdef __linux__
/// Does the same as `process_start`, and calls a function with the process before it executes the
/// command. If the function returns the number of an error, the process ends without having executed
/// anything, and the result is that number, negated.
int process_start_traced(const char *path, char *const *arguments, char *const *environment,
                         int output, int errors, int (*trace)(pid_t process), pid_t *process);
#endif

/// Stops this process like the stop key. Returns true when the process continues, or immediately
/// false if nothing could continue it.
bool process_stop_self(void);

/// Returns whether the process is stopped now. Returns true if the system doesn't report it.
bool process_is_stopped(pid_t process);

/// Makes the stop key stop this process again, because the command has ended.
void process_release_stop_key(void);

/// Ends this process like the signal would have done.
_Noreturn void process_die_by(int signal);

/// The environment of this process.
char **process_environment(void);

/// Removes an open folder and everything in it. Never follows a link, never leaves the file system
/// of the folder, and never removes another item that now has the folder's name. Returns false with
/// errno if something couldn't be removed.
bool process_remove_folder(int parent, const char *name, int folder);

#ifdef __linux__
/// The name of the relays among the processes.
#define PROCESS_RELAY_NAME "trace-relay"

enum { PROCESS_RELAY_LINE_SIZE = 512 };

/// A process that copies everything from a new pipe to a stream, the target, and notes when.
///
/// It ignores all signals and is in a session of its own. It ends at the end of the pipe, which can
/// be long after this process has ended. It also ends when the target has no reader, so that
/// writing to the pipe fails as writing to the target would.
typedef struct {
  pid_t process;
  /// The end of the pipe to write to. Programs don't inherit it.
  int input;
  struct process_relay_state *state;
} process_relay;

/// Returns whether a relay can copy to a stream: to a pipe, a stream socket or the null device.
bool process_can_relay(int target);

/// Starts a relay, and waits until it has its name and only its own files. Returns 0 or an error
/// number. The descriptors 0 to 2 must be open.
int process_start_relay(int target, process_relay *relay);

/// The time of the monotonic clock when the relay last read or wrote something, in nanoseconds. It is
/// 0 if the relay hasn't read anything.
int64_t process_relay_last_change(const process_relay *relay);

/// The number of bytes that the relay has written.
uint64_t process_relay_written(const process_relay *relay);

/// Gets the function that leaked the last continuation, as the Swift runtime printed it. Returns the
/// number of such lines, which can be 0.
uint64_t process_relay_leak(const process_relay *relay, char line[PROCESS_RELAY_LINE_SIZE]);

/// Gets the number of bytes that were written to the pipe until now. Returns false if the relay is
/// just reading, so that the number isn't known.
bool process_relay_received(const process_relay *relay, uint64_t *count);

/// Waits until the relay has closed its pipe, at most for a time. Returns whether it has.
bool process_relay_has_ended(const process_relay *relay, int milliseconds);

/// Closes the pipe. The relay continues until the other writers have closed it, too.
void process_close_relay(process_relay *relay);
#endif

#endif
