#ifndef PROCESS_SHIMS_H
#define PROCESS_SHIMS_H

#include <stdbool.h>
#include <sys/types.h>

/// The parts of running a command that Swift cannot express: who sent a signal, and what a process
/// inherits.

/// A signal that this process received while it runs a command.
typedef struct {
  int number;
  /// The process that sent the signal, or 0 if it is not known.
  pid_t sender;
  /// True if the kernel sent the signal, for example because of a key. Such a signal reaches the
  /// whole process group.
  bool is_from_kernel;
} process_signal;

/// Holds back the signals that a command should get, and those that say that it has stopped or
/// ended. From here on, process_next_signal returns them. A signal that this process was started to
/// ignore stays ignored, by the command too.
void process_hold_signals(void);

/// Waits for one of the held signals.
process_signal process_next_signal(void);

/// Forgets the held signals that have arrived and were not returned.
void process_forget_signals(void);

/// Waits for one of the held signals that ask this process to end. Returns 0 if it was started to
/// ignore all of them.
int process_next_deadly_signal(void);

/// Starts a program that has the signal actions, the streams and everything else of this process.
/// Returns 0 or an error number.
///
/// If `output_to_errors` is true, the standard output of the program is the standard error of this
/// process.
int process_start(const char *path, char *const *arguments, char *const *environment,
                  bool output_to_errors, pid_t *process);

/// Stops this process as the stop key would do. Returns true when the process continues, or false
/// at once if nothing could continue it.
bool process_stop_self(void);

/// True if the process is stopped now, as far as the system tells.
bool process_is_stopped(pid_t process);

/// Lets the stop key stop this process again, because the command has ended.
void process_release_stop_key(void);

/// Ends this process in the way that the signal would have done.
_Noreturn void process_die_by(int signal);

/// The environment of this process.
char **process_environment(void);

/// Removes an open folder and everything in it. Never follows a link, never leaves the file system
/// of the folder, and never removes something else that has got its name. Returns false with an
/// errno if something is left.
bool process_remove_folder(int parent, const char *name, int folder);

#endif
